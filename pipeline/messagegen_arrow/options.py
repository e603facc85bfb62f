"""Options of sources, given as texts: names in any case, suggestions for unknown names, and parsers of common values.

A parser raises ``ValueError`` with what it expected; ``parse_options`` puts the option's name before that.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_UNITS: Final = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


class OptionError(ValueError):
    """Raised for an unknown option or an invalid value, with what is allowed."""


def parse_options(
    source: str, options: Mapping[str, str], parsers: Mapping[str, Callable[[str], Any]]
) -> dict[str, Any]:
    """The values of a source's options by their proper names, each read by its parser; names are not case-sensitive.

    Raises ``OptionError``.
    """
    by_lower_name = {name.lower(): name for name in parsers}
    values: dict[str, Any] = {}
    for name, text in options.items():
        known = by_lower_name.get(name.lower())
        if known is None:
            near = difflib.get_close_matches(name.lower(), by_lower_name, n=1)
            advice = (
                f"did you mean {by_lower_name[near[0]]}?" if near else f"known options: {', '.join(sorted(parsers))}"
            )
            raise OptionError(f"{source} has no option {name}; {advice}")
        try:
            values[known] = parsers[known](text)
        except ValueError as problem:
            raise OptionError(f"option {known}: {problem}") from None
    return values


def flag(text: str) -> bool:
    """``true`` or ``false``, in any case."""
    if text.lower() not in ("true", "false"):
        raise ValueError(f"expected true or false, not {text!r}")
    return text.lower() == "true"


def whole_number(text: str, least: int) -> int:
    """A number in digits of at least ``least``."""
    if not re.fullmatch(r"\d+", text) or int(text) < least:
        raise ValueError(f"expected a whole number of at least {least}, not {text!r}")
    return int(text)


def count(text: str) -> int:
    """A number in digits that is not 0."""
    return whole_number(text, least=1)


def listed(text: str) -> tuple[str, ...]:
    """The parts of a comma-separated list, at least one."""
    parts = tuple(part.strip() for part in text.split(",") if part.strip())
    if not parts:
        raise ValueError("expected a list such as orders,payments")
    return parts


def number_ranges(text: str, most: int | None = None) -> tuple[range, ...]:
    """Numbers up to ``most`` and ranges of them, such as ``0,3,8-11``."""
    return tuple(_number_range(part, most) for part in listed(text))


def _number_range(text: str, most: int | None) -> range:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if last < first or (most is not None and last > most):
        limit = "" if most is None else f" up to {most}"
        raise ValueError(f"expected numbers and ranges{limit} such as 0,3,8-11, not {text!r}")
    return range(first, last + 1)


def byte_count(text: str, most: int | None = None) -> int:
    """A number of bytes from 1 to ``most``, also with a unit: ``64m`` and ``64 MiB`` are 67108864."""
    match = re.fullmatch(r"(\d+)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    number = int(match[1]) * _UNITS[match[2]] if match else 0
    if number == 0 or (most is not None and number > most):
        limit = "" if most is None else f" up to {most}"
        raise ValueError(f"expected a number of bytes{limit} such as 67108864 or 64m, not {text!r}")
    return number
