"""The findings of a merge, which are differences between the result and the sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from messagegen.evolve import BreakingChange, Category, SpecSet
from messagegen.findings import Location


@dataclass(frozen=True, slots=True, order=True)
class MergeFinding(BreakingChange):
    """A difference between the result and some of the sets.

    ``sets`` are the labels of these sets, from oldest to newest. The location is in the newest spec of the message.
    ``previous`` is in the message's spec from the newest of ``sets``.
    """

    sets: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the finding as a JSON object with stable keys."""
        return {**BreakingChange.as_json(self), "sets": list(self.sets)}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a set. Its text consists of ``start``, the labels of all sets with this problem, and ``end``."""

    rule: str
    start: str
    end: str
    instead: str
    categories: tuple[Category, ...]
    versions: tuple[int, ...]
    location: Location


class Listing:
    """The problems of sets, added from the newest to the oldest set. A problem of several sets is one finding."""

    def __init__(self, sets: Sequence[SpecSet]) -> None:
        self._labels = [one.label for one in sets]
        self._sets: dict[Problem, set[str]] = {}
        self._previous: dict[Problem, Location] = {}

    def add(self, problem: Problem, label: str, previous: Location | None) -> None:
        """Add a problem of the set with this label; ``previous`` is the location of the problem in the set's spec."""
        self._sets.setdefault(problem, set()).add(label)
        if previous is not None:
            self._previous.setdefault(problem, previous)

    def findings(self) -> tuple[MergeFinding, ...]:
        """Return all problems as findings, sorted by location."""
        return tuple(sorted(self._finding(problem, labels) for problem, labels in self._sets.items()))

    def _finding(self, problem: Problem, labels: set[str]) -> MergeFinding:
        place = problem.location
        return MergeFinding(
            file=place.file,
            line=place.line,
            column=place.column,
            rule=problem.rule,
            message=f"{problem.start}{self._text(labels)}{problem.end}",
            instead=problem.instead,
            json_path=place.json_path,
            previous=self._previous.get(problem),
            categories=problem.categories,
            versions=problem.versions,
            sets=tuple(label for label in self._labels if label in labels),
        )

    def _text(self, labels: set[str]) -> str:
        """Return the labels as text, with consecutive sets as a range: ``v1 to v3, v5``."""
        runs: list[list[str]] = []
        before = False
        for label in self._labels:
            here = label in labels
            if here and before:
                runs[-1].append(label)
            elif here:
                runs.append([label])
            before = here
        return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
