"""Names and patterns that select messages, such as ``MetadataRequest`` and ``Metadata*``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from typing import Final

from messagegen.findings import UsageError, nearest

_SPECIAL: Final = frozenset("*?[")


def names_matching(patterns: Iterable[str], names: Collection[str]) -> frozenset[str]:
    """Return the names that at least one pattern matches; a name is a pattern that matches itself.

    ``*`` matches any text, ``?`` one character, and ``[...]`` one of several characters. Raise ``UsageError`` for a
    pattern that matches none of the names.
    """
    found: set[str] = set()
    for pattern in patterns:
        fitting = {name for name in names if fnmatchcase(name, pattern)}
        if not fitting:
            raise unknown_message(pattern, names)
        found |= fitting
    return frozenset(found)


def unknown_message(pattern: str, names: Iterable[str]) -> UsageError:
    """Return the error about a name or pattern that matches none of ``names``."""
    if not _SPECIAL.isdisjoint(pattern):
        return UsageError(f'no message matches "{pattern}"')
    near = nearest(pattern, sorted(names))
    advice = f"; did you mean {near}?" if near else ""
    return UsageError(f"unknown message {pattern}{advice}")
