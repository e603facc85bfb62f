"""The valid lines of a release: a vector of each shape, and tagged fields in an unusual order."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

from messagegen.plan.build import build_plan
from messagegen.plan.ops import MessagePlan
from messagegen.plan.walkable import walkable
from messagegen.runtime.plan import Plan
from messagegen.spec import parse
from messagegen.vectors import make_vectors
from tests.conformance.kit.places import Places
from tests.support.releases import fetched

TAGS_REVERSED: Final = "tags-reversed"
"""The shape of bytes whose tagged fields are in descending order: readers accept it, but no writer writes it."""

_UP_TO_TYPICAL: Final = ("default", "null", "typical")
"""The shape ``typical``, and those before it whose bytes may be equal."""


@dataclass(frozen=True, slots=True)
class Line:
    """The bytes of a message and their value; ``again`` contains the bytes after decoding and re-encoding."""

    message: str
    version: int
    shape: str
    unknown_tags: bool
    json: dict[str, Any]
    data: bytes
    again: bytes


@dataclass(frozen=True, eq=False)
class Message:
    """A message of one release, with its plan."""

    plan: MessagePlan

    @cached_property
    def walked(self) -> Plan:
        """The plan in the form for the reference codec."""
        return walkable(self.plan)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The valid lines, in the order of versions and shapes."""
        return tuple(_lines(self.plan, self.walked))

    def about(self, version: int) -> dict[str, Any]:
        """Return the first keys of every line about this message."""
        plan = self.plan
        return {"message": plan.name, "kind": plan.kind, "api_key": plan.api_key, "version": version}

    def header_version(self, version: int) -> int | None:
        """Return the version of the header of a request or response."""
        return next((header for versions, header in self.plan.header_versions if version in versions), None)

    def usual(self, version: int) -> Line:
        """Return the line with a value in every field. If another shape has the same bytes, return its line."""
        return [one for one in self.lines if one.version == version and one.shape in _UP_TO_TYPICAL][-1]


def messages_of(release: str) -> Iterator[Message]:
    """Yield the messages of a release, sorted by path."""
    for path, text in sorted(fetched(release).texts.items()):
        if message := _message(path.rpartition("/")[2], text):
            yield message


@cache
def _message(name: str, text: bytes) -> Message | None:
    spec = parse(text, name, released=True).spec
    if spec is None:
        raise ValueError(f"expected a spec that can be read, found {name}")
    plan = build_plan(spec)
    if plan.valid_versions.highest < 0:
        return None
    return Message(plan)


def _lines(plan: MessagePlan, walked: Plan) -> Iterator[Line]:
    for one in make_vectors([plan]):
        line = Line(one.message, one.version, one.shape, one.unknown_tags, one.json, one.data, one.data)
        yield line
        if one.shape in _UP_TO_TYPICAL and (data := _tags_reversed(walked, line)) != one.data:
            yield Line(one.message, one.version, TAGS_REVERSED, False, one.json, data, one.data)


def _tags_reversed(plan: Plan, line: Line) -> bytes:
    """Return the bytes with the tagged fields of each struct in descending order."""
    data = bytearray(line.data)
    for section in Places(line.data, plan, line.version).sections:
        if len(section.fields) > 1:
            start = section.fields[0][1]
            # A later section may contain an earlier section, whose bytes have already changed, so read `data` again.
            pieces = [bytes(data[begin:end]) for _, begin, end in section.fields]
            data[start : section.end] = b"".join(reversed(pieces))
    return bytes(data)


def strict_json(value: Any) -> Any:
    """Return a JSON value with NaN and infinities as strings, because JSON has no such numbers."""
    if isinstance(value, dict):
        return {key: strict_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [strict_json(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)
    return value


def json_text(value: Any) -> str:
    """Return a line of the kit. It is ASCII, because some readers also end lines at U+2028."""
    return json.dumps(strict_json(value), allow_nan=False, separators=(",", ":"))
