"""The differences between the merged specs and each set: lost versions, changed bytes, and reused names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from messagegen.evolve import CATEGORIES, SpecSet
from messagegen.evolve.align import align
from messagegen.evolve.changes import Change
from messagegen.evolve.compare import pair_messages
from messagegen.evolve.differ import changes_of
from messagegen.evolve.sides import Side
from messagegen.findings import Location
from messagegen.merge.findings import Listing, Problem
from messagegen.merge.message import CannotMergeError, Source
from messagegen.merge.origins import origin_of
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.versions import ranges_of, versions_text

CANNOT_MERGE: Final = "SPECS_CAN_MERGE"
"""The rule that the spec language can express the merged spec."""

_GONE: Final = "MESSAGE_VERSIONS_NOT_REMOVED"
_RENUMBERED: Final = "MESSAGE_VERSIONS_SAME_NUMBERS"

_Found = tuple[Problem, Location]
"""A problem, and the location of the difference in the older spec."""


def refusal(error: CannotMergeError, older: MessageSpec, newer: Source, others: Iterable[Source]) -> Problem:
    """Return the problem of a spec: its versions ``error.lost`` could not be merged into the newer spec."""
    lost = sorted(error.lost)
    verb = "is" if len(lost) == 1 else "are"
    notes = [str(error), f"{versions_text(ranges_of(lost))} {verb} left out"]
    if newer.spec.kind is MessageKind.COORDINATOR_KEY:
        notes += _successors(error, older, newer, others)
    return Problem(
        rule=CANNOT_MERGE,
        start=f"cannot merge {older.name} of ",
        end=f": {'; '.join(notes)}",
        instead="",
        categories=CATEGORIES,
        versions=tuple(lost),
        location=newer.origins.message.location("name"),
    )


def _successors(error: CannotMergeError, older: MessageSpec, newer: Source, others: Iterable[Source]) -> Iterator[str]:
    """Yield a note for each coordinator key that has the bytes of a lost version.

    Only keys in the same folder count, because several modules of Kafka use the same API keys.
    """
    folder = PurePosixPath(newer.spec.file).parent
    for other in others:
        key = other.spec.api_key
        if other.spec.kind is not MessageKind.COORDINATOR_KEY or key not in error.lost:
            continue
        changes = changes_of(Side(older), other.side)
        if PurePosixPath(other.spec.file).parent == folder and not any(key in change.versions for change in changes):
            yield f"version {key} is now {other.spec.name}"


class ResultCheck:
    """Compares sets with the merged specs. A spec that several sets share is compared only once."""

    def __init__(self, merged: Collection[Source], official: Collection[str]) -> None:
        """Compare with ``merged``; ``official`` are the labels of sets that users can't change."""
        self._merged = {source.spec.name: source for source in merged}
        self._official = official
        self._sides: dict[str, Side] = {}
        self._known: dict[tuple[bytes, str, int | None], list[_Found]] = {}

    def list_problems(
        self, one: SpecSet, specs: Collection[MessageSpec], refused: Collection[str], to: Listing
    ) -> None:
        """Add the differences between the merged specs and a set to a listing.

        ``specs`` are the specs of the set. ``refused`` are the files whose lost versions have already been listed.
        """
        merged = [source.spec for source in self._merged.values()]
        for old, new in pair_messages(specs, merged):
            if old is None:
                continue
            for problem, previous in self._problems(one.texts[old.spec.file], old, new):
                if not (problem.rule == _GONE and old.spec.file in refused):
                    to.add(problem, one.label, replace(previous, file=old.spec.file))

    def _problems(self, text: bytes, old: Side, new: Side | None) -> list[_Found]:
        name = new.spec.name if new else ""
        known = text, name, old.unstable
        if known not in self._known:
            side = self._sides.setdefault(name, new) if new else None
            self._known[known] = list(self._compare(old, side))
        return self._known[known]

    def _compare(self, old: Side, new: Side | None) -> Iterator[_Found]:
        # Unstable versions are compared, too, because logs may contain their bytes.
        every = replace(old, unstable=None)
        changes = [change for change in changes_of(every, new) if change.rule]
        reused = dict(_reused_names(every, new, changes)) if new else {}
        for change in changes:
            note = reused.get((change.subject, change.name), "")
            if "WIRE" in change.finding().categories or change.rule == _RENUMBERED or note:
                yield self._problem(change, old, new, note), change.old

    def _problem(self, change: Change, old: Side, new: Side | None, note: str) -> Problem:
        finding = change.finding()
        is_unstable = old.unstable in change.versions
        where = f", where version {old.unstable} is unstable" if is_unstable else ""
        location, instead = change.new, finding.instead
        if new is not None:
            source = self._merged[new.spec.name]
            origin, name = origin_of(change.new, source.spec, source.origins)
            location = origin.location(name)
            instead = "" if origin.label in self._official else instead
        return Problem(
            rule=finding.rule,
            start=f"{finding.message} (",
            end=f"{where}){note}",
            instead=instead,
            categories=finding.categories,
            versions=finding.versions,
            location=location,
        )


def _reused_names(old: Side, new: Side, changes: Iterable[Change]) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield a note for each name that a different field or struct now has, by the change's subject and property."""
    rules = {change.rule for change in changes}
    if "STRUCT_SAME_NAME" in rules:
        structs = {struct.name for struct in new.spec.structs}
        for change in changes:
            name = (change.before or "").removeprefix("[]")
            if change.rule == "STRUCT_SAME_NAME" and name in structs:
                yield (change.subject, change.name), f"; {name} is now the name of another struct"
    if "FIELD_SAME_NAME" not in rules:
        return
    for struct in align(old, new).structs:
        attributes = {field.plan.attribute for field in struct.new.fields}
        for both in struct.fields:
            if both.old is None or both.new is None or both.old.plan.attribute == both.new.plan.attribute:
                continue
            if both.old.plan.attribute in attributes:
                subject = struct.path + both.new.spec.name
                yield (subject, "name"), f"; {both.old.spec.name} is now the name of another field"
