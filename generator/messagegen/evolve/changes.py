"""The findings of a comparison: the broken rule, and the previous and current locations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from messagegen.findings import Finding
from messagegen.spec.model import Place
from messagegen.spec.report import below

Category = Literal["WIRE", "API", "JSON"]
CATEGORIES: tuple[Category, ...] = get_args(Category)


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A location in a spec: line and column start at 1; ``json_path`` looks like ``fields[2].versions``."""

    file: str
    line: int
    column: int
    json_path: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def as_json(self) -> dict[str, object]:
        """The location as a JSON object, with the keys that findings use."""
        return {"file": self.file, "line": self.line, "column": self.column, "path": self.json_path}


@dataclass(frozen=True, slots=True, order=True)
class BreakingChange(Finding):
    """A finding about a change: the location in the new spec, or in the old one if the new specs have none.

    ``previous`` is the location in the old spec. ``versions`` are the released versions that the change breaks, in ascending
    order; a change that only breaks Python code may have none.
    """

    previous: Location | None = None
    categories: tuple[Category, ...] = ()
    versions: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """What changed, what to write instead, and where it was."""
        advice = f"; {self.instead}" if self.instead else ""
        return f"{self.message}{advice}{f' (was {self.previous})' if self.previous else ''}"

    def as_json(self) -> dict[str, object]:
        """The finding as a JSON object with stable keys."""
        # Not super(): slots=True replaces the class, so super() would refer to the original one.
        return {
            **Finding.as_json(self),
            "categories": list(self.categories),
            "versions": list(self.versions),
            "previous": self.previous.as_json() if self.previous else None,
        }


def location(file: str, place: Place | None, name: str = "") -> Location:
    """The location of property ``name`` of a part of a spec, or of the part itself if it has no such property."""
    if place is None:
        return Location(file, 1, 1)
    position = place.of(name)
    written = name in place.properties
    return Location(file, position.line, position.column, below(place.json_path, name) if written else place.json_path)


def version_text(versions: Iterable[int]) -> str:
    """Versions as text: ``version 3``, ``versions 0-2 and 5``."""
    ranges: list[list[int]] = []
    for version in sorted(versions):
        if ranges and ranges[-1][1] == version - 1:
            ranges[-1][1] = version
        else:
            ranges.append([version, version])
    texts = [str(low) if low == high else f"{low}-{high}" for low, high in ranges]
    plural = "" if len(ranges) == 1 and ranges[0][0] == ranges[0][1] else "s"
    return f"version{plural} {' and '.join([', '.join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)}"
