"""Checks of changed properties: they find the rule and the released versions that a change breaks.

There are two kinds. A check of bytes looks at each released version, because a property may keep the bytes of some
versions and not of others. A check of code looks at the property as a whole. Both are rows of the tables in
``message_checks.py`` and ``field_checks.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from messagegen.evolve.changes import Change
from messagegen.findings import Location

T = TypeVar("T")
"""The argument of the checks in a table: a message or a field on both sides."""

BeforeAndAfter = tuple[str, str]
"""A property as text, on the old and on the new side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteCheck(Generic[T]):
    """A rule about bytes; ``versions`` returns the released versions whose bytes the property breaks."""

    property: str
    rule: str
    versions: Callable[[T], Collection[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeCheck(Generic[T]):
    """A rule about code that uses the messages; ``breaks`` returns whether a property that differs breaks it."""

    property: str
    rule: str
    breaks: Callable[[T], bool]


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """A message or a field on both sides, with the names and the places of its changes.

    ``subject`` is Kafka's path of the field, or the name of the message. ``properties`` are compared, in the order of
    the report. ``place`` returns the locations of a property on both sides.
    """

    sides: T
    subject: str
    properties: Mapping[str, BeforeAndAfter]
    place: Callable[[str], tuple[Location, Location]]


def changes_by(
    checked: Checked[T], byte_checks: Iterable[ByteCheck[T]], code_checks: Iterable[CodeCheck[T]]
) -> Iterator[Change]:
    """Yield a change for each property that differs, or that breaks bytes, with the first rule that it breaks.

    Rules about bytes come before rules about code.
    """
    broken: dict[str, tuple[str, Collection[int]]] = {}
    for byte_check in byte_checks:
        versions = byte_check.versions(checked.sides)
        if versions:
            broken.setdefault(byte_check.property, (byte_check.rule, versions))

    differing = {name for name, (before, after) in checked.properties.items() if before != after}
    for code_check in code_checks:
        name = code_check.property
        if name in differing and name not in broken and code_check.breaks(checked.sides):
            broken[name] = (code_check.rule, ())

    for name, (before, after) in checked.properties.items():
        if name in differing or name in broken:
            rule, versions = broken.get(name, ("", ()))
            old, new = checked.place(name)
            yield Change(checked.subject, name, before, after, old, new, rule, versions)
