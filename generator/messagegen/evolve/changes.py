"""The findings of a comparison: the broken rule, and the previous and current locations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from messagegen.findings import Finding, Location
from messagegen.versions import ranges_of, versions_text

Category = Literal["WIRE", "API", "JSON"]
CATEGORIES: tuple[Category, ...] = get_args(Category)


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
