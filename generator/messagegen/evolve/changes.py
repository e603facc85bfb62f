"""What changed between two specs: one list, from which reports are made and breaking changes are picked."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from messagegen.evolve.rules import RULES, Category
from messagegen.findings import Finding, Location
from messagegen.versions import ranges_of, versions_text

Action = Literal["added", "removed", "renamed", "changed"]

_CATEGORIES: Final = {rule.id: rule.categories for rule in RULES}


@dataclass(frozen=True, slots=True)
class Break:
    """The rule that a change breaks, what to do instead, and where it was and is; ``new`` is ``None`` if nothing is left of it.

    ``text`` is what changed, for those who don't see the path of the field. ``versions`` are the released versions that it breaks.
    """

    rule: str
    text: str
    instead: str
    old: Location
    new: Location | None
    versions: Iterable[int] = ()

    def finding(self) -> BreakingChange:
        """The break as a finding."""
        place = self.new or self.old
        return BreakingChange(
            file=place.file,
            line=place.line,
            column=place.column,
            rule=self.rule,
            message=self.text,
            instead=self.instead,
            json_path=place.json_path,
            previous=self.old,
            categories=_CATEGORIES[self.rule],
            versions=tuple(sorted(self.versions)),
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a spec: ``field`` is Kafka's path of the field (``Topics.Partitions.Leader``), ``None`` for the message.

    ``topic`` is what changed, such as ``versions`` or ``default``, and ``text`` says what is so now. ``before`` and ``after`` are the
    values that it compares, where there are two. ``versions`` are those that it concerns, empty where it concerns all. ``breaks`` says
    whom it breaks, if it does.
    """

    topic: str
    action: Action
    text: str
    field: str | None = None
    before: str | None = None
    after: str | None = None
    versions: tuple[int, ...] = ()
    breaks: Break | None = dataclasses.field(default=None, compare=False)


@dataclass(frozen=True, slots=True, order=True)
class BreakingChange(Finding):
    """A finding about a change: the location in the new spec, or in the old one if the new specs have none.

    ``previous`` is the location in the old spec. ``versions`` are the released versions that the change breaks, in ascending
    order; a change that only breaks Python code may have none.
    """

    categories: tuple[Category, ...] = ()
    versions: tuple[int, ...] = ()

    @property
    def places(self) -> tuple[Location, ...]:
        """Where it is, and where it was."""
        now = Location(self.file, self.line, self.column, self.json_path)
        return (now, self.previous) if self.previous else (now,)

    def as_json(self) -> dict[str, object]:
        """The finding as a JSON object with stable keys."""
        # Not super(): slots=True replaces the class, so super() would refer to the original one.
        return {
            **Finding.as_json(self),
            "categories": list(self.categories),
            "versions": list(self.versions),
            "previous": self.previous.as_json() if self.previous else None,
        }


def version_text(versions: Iterable[int]) -> str:
    """Versions as text: ``version 3``, ``versions 0-2 and 5``."""
    return versions_text(ranges_of(versions))
