"""What the options of all sources have in common: names without case, advice for those that there are not, plain values."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_TABLE_OPTION: Final = "option."


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
    for name, text in without_table_properties(options).items():
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


def without_table_properties(options: Mapping[str, str]) -> Mapping[str, str]:
    """The options without what Spark adds to those of a table.

    ``CREATE TABLE ... USING`` hands over ``provider``, ``owner``, ``location``, ``comment``, and all of TBLPROPERTIES; what stands in
    OPTIONS comes a second time as ``option.NAME``.
    """
    if "provider" not in {name.lower() for name in options}:
        return options
    own = {name[len(_TABLE_OPTION) :]: text for name, text in options.items() if name.lower().startswith(_TABLE_OPTION)}
    path = next((text for name, text in options.items() if name.lower() == "path"), None)
    return own if path is None else {**own, "path": path}


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
