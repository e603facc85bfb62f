"""Renders an explanation as a table for people, or as JSON values for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from messagegen.console.text import aligned
from messagegen.explain.explanation import Explanation
from messagegen.explain.tracer import Part
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.secrets import REDACTED

_TITLES: Final = ("offset", "bytes", "hex", "field", "type", "value")
_NUMBER_COLUMNS: Final = 2
"""The first columns, up to this number, are right-aligned."""

_BYTES_SHOWN: Final = 16
_VALUE_SHOWN: Final = 60
_INDENT: Final = "  "
_CUT_OFF: Final = "..."


def table(parts: Sequence[Part], data: bytes) -> list[str]:
    """Return the lines of a table: a line of titles, then a row for each part."""
    return aligned([_TITLES, *(_row(part, data) for part in parts)], range(_NUMBER_COLUMNS))


def as_json(found: Explanation) -> dict[str, object]:
    """Return an explanation as a JSON object with stable keys.

    ``parts`` are the rows of the table, but with all bytes and the full text of the value. ``depth`` is the number of
    parts that enclose a part. If a part is ``redacted``, its ``hex`` is ``null``. Its ``value`` is ``null``, too,
    unless it is the reason for hiding the part.
    """
    return {
        "status": "clean" if found.problem is None else "damaged",
        "problem": None if found.problem is None else _problem_json(found.problem),
        "messages": [{"message": type(message).__name__, "version": version} for message, version in found.messages],
        "parts": [_part_json(part, found.data) for part in found.parts],
    }


def _row(part: Part, data: bytes) -> tuple[str, ...]:
    own = data[part.offset : part.end]
    return (
        str(part.offset) if own else "",
        str(len(own)) if own else "",
        REDACTED if part.hidden else _short_hex(own),
        _INDENT * part.depth + part.name,
        part.type,
        _short_value(REDACTED if part.hidden and not part.value_shown else part.value),
    )


def _short_hex(data: bytes) -> str:
    text = data[:_BYTES_SHOWN].hex(" ")
    return text if len(data) <= _BYTES_SHOWN else text + _CUT_OFF


def _short_value(text: str) -> str:
    return text if len(text) <= _VALUE_SHOWN else text[: _VALUE_SHOWN - len(_CUT_OFF)] + _CUT_OFF


def _part_json(part: Part, data: bytes) -> dict[str, object]:
    own = data[part.offset : part.end]
    return {
        "offset": part.offset,
        "bytes": len(own),
        "hex": None if part.hidden else own.hex(),
        "depth": part.depth,
        "field": part.name,
        "type": part.type,
        "value": None if part.hidden and not part.value_shown else part.value,
        "redacted": part.hidden,
    }


def _problem_json(problem: DecodeError) -> dict[str, object]:
    return {
        "message": problem.message,
        "version": problem.version,
        "path": problem.path,
        "reason": problem.reason,
        "offset": problem.offset,
    }
