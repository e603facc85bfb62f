"""Checks of changed properties, which find the rule and the released versions that a change breaks.

There are two kinds. A byte check looks at each released version, because a change of a property may change the bytes of
only some versions. A code check looks at the property as a whole. Both are rows of the tables in ``message_checks.py``
and ``field_checks.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from messagegen.evolve.changes import Change
from messagegen.findings import Location

T = TypeVar("T")
"""The argument of the checks in a table: both sides of a message or of a field."""

BeforeAndAfter = tuple[str, str]
"""A property as text: its old and its new value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteCheck(Generic[T]):
    """A rule about bytes. ``versions`` returns the released versions that a change of the property breaks."""

    property: str
    rule: str
    versions: Callable[[T], Collection[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeCheck(Generic[T]):
    """A rule about code that uses the messages; ``breaks`` returns whether a difference of the property breaks it."""

    property: str
    rule: str
    breaks: Callable[[T], bool]


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """Both sides of a message or a field, with the names and the locations of their properties.

    ``subject`` is the field's path in the spec, or the name of the message. ``properties`` are compared, in the order
    of the report. ``place`` returns the locations of a property on both sides.
    """

    sides: T
    subject: str
    properties: Mapping[str, BeforeAndAfter]
    place: Callable[[str], tuple[Location, Location]]


def changes_by(
    checked: Checked[T], byte_checks: Iterable[ByteCheck[T]], code_checks: Iterable[CodeCheck[T]]
) -> Iterator[Change]:
    """Yield a change for each property that differs or fails a byte check, with the first rule that is broken.

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
