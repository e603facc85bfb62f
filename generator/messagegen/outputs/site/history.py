"""What each version of a message added, removed and changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from messagegen.outputs.site.wire import TAG_SECTION, Row, rows
from messagegen.plan.ops import MessagePlan


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a version changed: a field by its path, and what is said of it."""

    kind: Literal["added", "removed", "changed"]
    path: str
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Version:
    """A version: its number, what applies to it as a whole, and what it changed."""

    number: int
    notes: tuple[str, ...]
    changes: tuple[Change, ...]


def history(plan: MessagePlan) -> list[Version]:
    """The versions of a message, newest first."""
    fields = {version: _fields(plan, root) for version, root in plan.roots}
    found: list[Version] = []
    previous: int | None = None
    for version, _ in plan.roots:
        changes = () if previous is None else tuple(_changes(fields[previous], fields[version]))
        found.append(Version(version, tuple(_notes(plan, version, previous, changes)), changes))
        previous = version
    return found[::-1]


def _fields(plan: MessagePlan, root: int) -> dict[str, Row]:
    return {row.path: row for row in rows(plan, root) if row.name != TAG_SECTION}


def _notes(plan: MessagePlan, version: int, previous: int | None, changes: Sequence[Change]) -> Iterator[str]:
    flexible = version in plan.flexible_versions
    headers = {number: header for versions, header in plan.header_versions for number in versions}
    if previous is None:
        yield "The lowest version."
    elif flexible and previous not in plan.flexible_versions:
        yield "Flexible from here on: compact lengths, and tagged fields in every struct."
    elif not changes:
        yield f"The same bytes as version {previous}."
    if previous is not None and headers.get(version) != headers.get(previous):
        yield f"Goes with header version {headers.get(version)}."
    if version in plan.deprecated_versions:
        yield "Deprecated."
    if plan.latest_version_unstable and version == plan.valid_versions.highest:
        yield "Unstable: it may still change."


def _changes(before: Mapping[str, Row], after: Mapping[str, Row]) -> Iterator[Change]:
    yield from _only_in(after, before, "added")
    yield from _only_in(before, after, "removed")
    for path, row in after.items():
        if path in before and row.meaning != before[path].meaning:
            yield Change("changed", path, f"{before[path].meaning} → {row.meaning}", row.anchor)


def _only_in(one: Mapping[str, Row], other: Mapping[str, Row], kind: Literal["added", "removed"]) -> Iterator[Change]:
    """The rows that only ``one`` has; what lies in such a struct is counted, not listed."""
    missing = [row for path, row in one.items() if path not in other]
    paths = {row.path for row in missing}
    for row in missing:
        if row.path.rpartition(".")[0] in paths:
            continue
        inside = sum(path.startswith(f"{row.path}.") for path in paths)
        text = row.meaning + (f", with {inside} field{'s' * (inside > 1)}" if inside else "")
        yield Change(kind, row.path, text, row.anchor)
