"""Which changes are reported: the rules in use, and the paths where some of them do not count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Final

from messagegen.evolve.changes import CATEGORIES, BreakingChange
from messagegen.evolve.rules import RULES

_IDS: Final = tuple(rule.id for rule in RULES)


@dataclass(frozen=True, slots=True)
class Selection:
    """The ids of the rules in use, and those that are ignored by path.

    A path is that of a spec, of a folder, or a pattern with ``*``; all with forward slashes.
    """

    rules: frozenset[str] = frozenset(_IDS)
    ignored: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def keeps(self, change: BreakingChange, paths: Iterable[str]) -> bool:
        """Whether a change is reported; ``paths`` are those of its specs."""
        if change.rule not in self.rules:
            return False
        patterns = [pattern for pattern, rules in self.ignored.items() if change.rule in rules]
        return not any(_matches(path, pattern) for path in paths for pattern in patterns)


def select(
    use: Iterable[str] = CATEGORIES,
    exclude: Iterable[str] = (),
    ignored: Mapping[str, Iterable[str]] | None = None,
) -> Selection:
    """The selection that ids of rules and names of categories describe. Raises ``ValueError`` for one that is not known."""
    by_path = {pattern.rstrip("/"): _rules(names) for pattern, names in (ignored or {}).items()}
    return Selection(_rules(use) - _rules(exclude), by_path)


def _rules(names: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        if name in CATEGORIES:
            found.update(rule.id for rule in RULES if name in rule.categories)
        elif name in _IDS:
            found.add(name)
        else:
            near = get_close_matches(name, (*CATEGORIES, *_IDS), n=1)
            advice = f"did you mean {near[0]}?" if near else f"the categories are {', '.join(CATEGORIES)}"
            raise ValueError(f"unknown rule or category {name}; {advice}")
    return frozenset(found)


def _matches(path: str, pattern: str) -> bool:
    return path == pattern or path.startswith(f"{pattern}/") or fnmatchcase(path, pattern)
