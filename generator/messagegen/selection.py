"""Selects the findings to report, by the rules in use, their severities, and the paths that ignore some rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePath

from messagegen.findings import Severity, nearest


@dataclass(frozen=True, slots=True)
class Selection:
    """The ids of the rules in use, the ids of ignored rules by path, and changed severities by rule.

    A path in ``ignored`` is a spec, a folder, or a pattern with ``*``, and has forward slashes. Relative file names are
    relative to ``folder``.
    """

    rules: frozenset[str]
    ignored: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    severities: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    folder: str | PurePath = ""

    def keeps(self, rule: str, *files: str | PurePath) -> bool:
        """Whether findings of ``rule`` about these files are reported."""
        if rule not in self.rules:
            return False
        paths = [PurePath(self.folder, file).as_posix() for file in files]
        patterns = [pattern for pattern, rules in self.ignored.items() if rule in rules]
        return not any(fnmatchcase(f"{path}/", f"{pattern}/*") for path in paths for pattern in patterns)


def nearest_rule(name: str, known: Collection[str], others: str) -> str:
    """Return the advice for an unknown rule: to use a rule with a similar name, or else ``others``."""
    near = nearest(name, known)
    return f"did you mean {near}?" if near else others


@dataclass(frozen=True, slots=True)
class RuleNames:
    """The names that select rules: the categories, each with the ids of its rules, and all ids.

    ``default`` are the names to use if the user selects no names. Rules in ``always`` are in use unless they are
    excluded.
    """

    categories: Mapping[str, Collection[str]]
    ids: Collection[str]
    default: Collection[str]
    always: frozenset[str] = frozenset()

    def select(
        self,
        use: Collection[str] = (),
        exclude: Collection[str] = (),
        *,
        ignored: Mapping[str, Collection[str]] | None = None,
        severities: Mapping[str, Severity] | None = None,
        folder: str | PurePath = "",
    ) -> Selection:
        """Return the selection for the given ids and categories. Raise ``ValueError`` for an unknown name."""
        by_path = {pattern.rstrip("/"): self._rules(names) for pattern, names in (ignored or {}).items()}
        by_rule: dict[str, Severity] = {
            rule: severity for name, severity in (severities or {}).items() for rule in self._rules([name])
        }
        used = (self._rules(use or self.default) | self.always) - self._rules(exclude)
        return Selection(used, by_path, by_rule, folder)

    def _rules(self, names: Collection[str]) -> frozenset[str]:
        found: set[str] = set()
        for name in names:
            if name in self.categories:
                found.update(self.categories[name])
            elif name in self.ids:
                found.add(name)
            else:
                known = [*self.ids, *self.categories]
                others = f"the categories are {', '.join(self.categories)}"
                raise ValueError(f"unknown rule or category {name}; {nearest_rule(name, known, others)}")
        return frozenset(found)
