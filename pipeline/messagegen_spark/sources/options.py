"""What the options of all sources have in common: names without case, advice for those that there are not, plain values."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any


class OptionError(ValueError):
    """Raised for an option that there is not, and for a value that it can't have; says what it may be."""


def parse_options(
    source: str, options: Mapping[str, str], parsers: Mapping[str, Callable[[str], Any]]
) -> dict[str, Any]:
    """The values of a source's options by their proper names, each read by its parser; case of names does not count.

    A parser raises ``ValueError`` with the end of a sentence. Raises ``OptionError``.
    """
    by_lower_name = {name.lower(): name for name in parsers}
    values: dict[str, Any] = {}
    for name, text in options.items():
        known = by_lower_name.get(name.lower())
        if known is None:
            near = difflib.get_close_matches(name.lower(), by_lower_name, n=1)
            advice = f"did you mean {by_lower_name[near[0]]}?" if near else f"there are {', '.join(sorted(parsers))}"
            raise OptionError(f"{source} has no option {name}; {advice}")
        try:
            values[known] = parsers[known](text)
        except ValueError as problem:
            raise OptionError(f"option {known}: {problem}") from None
    return values


def flag(text: str) -> bool:
    """``true`` or ``false``, in any case. Raises ``ValueError``."""
    if text.lower() not in ("true", "false"):
        raise ValueError(f"is true or false, not {text!r}")
    return text.lower() == "true"


def whole_number(text: str, least: int) -> int:
    """A number in digits that is not below ``least``. Raises ``ValueError``."""
    if not re.fullmatch(r"\d+", text) or int(text) < least:
        raise ValueError(f"is a whole number from {least} on, not {text!r}")
    return int(text)


def count(text: str) -> int:
    """A number in digits from 1 on. Raises ``ValueError``."""
    return whole_number(text, least=1)
