"""Objects from version range to value: ``encoding``, ``type`` (KIP-625) and ``headerVersions`` (KIP-1313)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from messagegen.jsonc import Object, Position, Scalar
from messagegen.spec.properties import read_range
from messagegen.spec.report import Report
from messagegen.spec.rules import Rule
from messagegen.versions import VersionRange, ranges_of, versions_text

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """An entry of a map as written: its range, its value, and their positions."""

    versions: VersionRange
    value: T
    position: Position
    value_position: Position


def read_entries(
    node: Object, path: str, report: Report, read_value: Callable[[Scalar], T | None]
) -> tuple[Entry[T], ...] | None:
    """The entries in ascending order of range; ``None`` if one of them is invalid (which is reported)."""
    entries: list[Entry[T]] = []
    for name, member in node.members.items():
        versions = read_range(name, member.position, path, report)
        value = read_value(member.value) if isinstance(member.value, Scalar) else None
        if versions is not None and value is not None:
            entries.append(Entry(versions, value, member.position, member.value.position))
    if len(entries) < len(node.members):
        return None
    return tuple(sorted(entries, key=lambda entry: (entry.versions.lowest, entry.versions.highest)))


def tell_overlaps(entries: Sequence[Entry[T]], rule: Rule, path: str, what: str, report: Report) -> bool:
    """Adds a finding for each range that overlaps an earlier one; returns whether there are any."""
    found = False
    for before, entry in pairwise(entries):
        both = before.versions.intersect(entry.versions)
        if not both.empty:
            message = f"{versions_text([both])} {_has([both])} two {what}s, from {before.versions} and {entry.versions}"
            report.add(
                rule, max(before.position, entry.position, key=_order), path, message, "use ranges that do not overlap"
            )
            found = True
    return found


def tell_coverage(
    entries: Sequence[Entry[T]],
    versions: VersionRange,
    rule: Rule,
    position: Position,
    path: str,
    what: str,
    report: Report,
) -> None:
    """Adds a finding if the union of the ranges is not exactly ``versions``."""
    covered = {version for entry in entries for version in entry.versions}
    missing = ranges_of({*versions} - covered)
    extra = ranges_of(covered - {*versions})
    told: list[str] = []
    if missing:
        told.append(f"{versions_text(missing)} {_has(missing)} no {what}")
    if extra:
        told.append(f"the field does not exist in {versions_text(extra)}")
    if told:
        report.add(rule, position, path, " and ".join(told), f"cover exactly {versions_text([versions])}")


def _has(ranges: Sequence[VersionRange]) -> str:
    return "have" if len(ranges) > 1 or ranges[0].lowest < ranges[0].highest else "has"


def _order(position: Position) -> tuple[int, int]:
    return position.line, position.column
