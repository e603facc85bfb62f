"""Which findings are reported: the rules in use, how severe they are, and the paths where some of them do not count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Final

from messagegen.findings import Severity
from messagegen.lint.ignores import IGNORE_RULES
from messagegen.lint.rules import CATEGORIES, RULES
from messagegen.spec import Rule

DEFAULT_USE: Final = ("STANDARD",)
KNOWN_RULES: Final = (*(rule.id for rule in RULES), *IGNORE_RULES, *(rule.name for rule in Rule))
"""Ids that may be named: those of style, those about comments that ignore rules, and those of the reader of specs."""

_ALWAYS: Final = frozenset(KNOWN_RULES) - {rule.id for rule in RULES}


@dataclass(frozen=True, slots=True)
class Selection:
    """The ids of the rules in use, those that are ignored by path, and severities other than error.

    A path is that of a spec, of a folder, or a pattern with ``*``; all with forward slashes. Names of files count from the
    folder ``base``.
    """

    rules: frozenset[str]
    ignored: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    severities: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    base: PurePath | None = None

    def keeps(self, rule: str, file: str) -> bool:
        """Whether findings of ``rule`` in a file are reported."""
        if rule not in self.rules:
            return False
        path = PurePath(self.base or "", file).as_posix()
        return not any(_matches(path, pattern) for pattern, rules in self.ignored.items() if rule in rules)


def select(
    use: Iterable[str] = DEFAULT_USE,
    exclude: Iterable[str] = (),
    ignored: Mapping[str, Iterable[str]] | None = None,
    severities: Mapping[str, Severity] | None = None,
    base: PurePath | None = None,
) -> Selection:
    """The selection that ids of rules and names of categories describe.

    The reader's own rules and those about comments that ignore rules are in use unless they are excluded. Raises
    ``ValueError`` for a name that is not known.
    """
    by_path = {pattern.rstrip("/"): _rules(names) for pattern, names in (ignored or {}).items()}
    by_rule: dict[str, Severity] = {
        rule: severity for name, severity in (severities or {}).items() for rule in _rules([name])
    }
    return Selection((_rules(use) | _ALWAYS) - _rules(exclude), by_path, by_rule, base)


def _rules(names: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        if name in CATEGORIES:
            found.update(rule.id for rule in RULES if name in rule.categories)
        elif name in KNOWN_RULES:
            found.add(name)
        else:
            near = get_close_matches(name, (*CATEGORIES, *KNOWN_RULES), n=1)
            advice = f"did you mean {near[0]}?" if near else f"the categories are {', '.join(CATEGORIES)}"
            raise ValueError(f"unknown rule or category {name}; {advice}")
    return frozenset(found)


def _matches(path: str, pattern: str) -> bool:
    return path == pattern or path.startswith(f"{pattern}/") or fnmatchcase(path, pattern)
