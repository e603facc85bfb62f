"""The changes between two specs, for both reports and findings about breaking changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from messagegen.evolve.rules import RULES, Category
from messagegen.findings import Finding, Location, clipped, quoted
from messagegen.versions import ranges_of, versions_text

_RULES: Final = {rule.id: rule for rule in RULES}


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a spec; ``subject`` is the field's path in the spec (``Topics.Partitions.Leader``), or the message.

    ``name`` is the property that changed. It is empty for a field or message that was added (``before`` is ``None``) or
    removed (``after`` is ``None``). ``rule`` is the rule that the change breaks, or empty, and ``versions`` are the
    released versions that it breaks.
    """

    subject: str
    name: str
    before: str | None
    after: str | None
    old: Location
    new: Location
    rule: str = ""
    versions: Collection[int] = ()

    @property
    def text(self) -> str:
        """A description of the change, such as ``was added``."""
        if self.before is None:
            return "was added"
        if self.after is None:
            return "was removed"
        return f"{self.name} was {clipped(self.before)}, now {clipped(self.after)}"

    def finding(self) -> BreakingChange:
        """Return the change as a finding about the rule that it breaks."""
        rule = _RULES[self.rule]
        what = "message" if rule.id.startswith("MESSAGE") else "field"
        colon = ":" if self.name else ""
        versions = f", which changes {version_text(self.versions)}" if self.versions else ""
        return BreakingChange(
            file=self.new.file,
            line=self.new.line,
            column=self.new.column,
            rule=self.rule,
            message=f"{what} {quoted(self.subject)}{colon} {self.text}{versions}",
            instead=rule.instead,
            json_path=self.new.json_path,
            previous=self.old,
            categories=rule.categories,
            versions=tuple(sorted(self.versions)),
        )


@dataclass(frozen=True, slots=True, order=True)
class BreakingChange(Finding):
    """A finding about a change. Its location is in the new spec, or in the old spec if the message was removed.

    ``previous`` is the location in the old spec. ``versions`` are the released versions that the change breaks, in
    ascending order; for a change that breaks only Python code, they may be empty.
    """

    categories: tuple[Category, ...] = ()
    versions: tuple[int, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the finding as a JSON object with stable keys."""
        # Not super(): slots=True replaces the class, so super() would refer to the original class.
        return {
            **Finding.as_json(self),
            "categories": [category.value for category in self.categories],
            "versions": list(self.versions),
            "previous": self.previous.as_json() if self.previous else None,
        }


def version_text(versions: Iterable[int]) -> str:
    """Return versions as text: ``version 3``, ``versions 0-2 and 5``."""
    return versions_text(ranges_of(versions))
