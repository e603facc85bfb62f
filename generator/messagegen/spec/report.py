"""Collects findings while a spec is parsed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Protocol, TypeVar

from messagegen.findings import Finding, Severity, nearest, quoted
from messagegen.jsonc import Position
from messagegen.spec.place import Place

T = TypeVar("T")

_CLIP: Final = 60


class RefusedError(ValueError):
    """Raised by parsers of single values, with the rule that the value breaks, the problem, and the advice."""

    def __init__(self, rule: str, message: str, instead: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.instead = instead


class Report:
    """The findings of one file.

    Each location keeps only its first error, or its first warning if it has no errors. So a mistake that breaks several
    rules is reported once.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._findings: dict[tuple[int, int, str], Finding] = {}

    def add(self, finding: Finding) -> None:
        """Add a finding if its location has none yet; an error replaces a warning."""
        location = (finding.line, finding.column, finding.json_path)
        first = self._findings.get(location)
        if first is None or (first.severity == "warning" and finding.severity == "error"):
            self._findings[location] = finding

    def tell(
        self, position: Position, path: str, rule: str, message: str, instead: str, severity: Severity = "error"
    ) -> None:
        """Add a finding about a position of the text."""
        self.add(Finding(self._file, position.line, position.column, rule, message, instead, path, severity))

    def read(self, place: Place, name: str, parse: Callable[[str], T], default: T) -> T:
        """Return the parsed property, or ``default`` if it is missing, blank or invalid. Report invalid values."""
        text = place.text(name)
        return self.attempt(place, name, lambda: parse(text), default) if text.strip() else default

    def attempt(self, place: Place, name: str, read: Callable[[], T], default: T) -> T:
        """Return the result of ``read``, or report its ``RefusedError`` about a property and return ``default``."""
        try:
            return read()
        except RefusedError as error:
            self.tell(place.of(name), place.path(name), error.rule, error.message, error.instead)
            return default

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(finding.severity == "error" for finding in self._findings.values())

    def findings(self) -> tuple[Finding, ...]:
        """Return the errors, or the warnings of a file without errors, sorted by position in the text."""
        worst = "error" if self.failed else "warning"
        return tuple(sorted(finding for finding in self._findings.values() if finding.severity == worst))


class Placed(Protocol):
    """A part of the model or of the text, with its place in the text if it was parsed from one."""

    @property
    def place(self) -> Place | None:
        """The place in the text, ``None`` for a part that was not parsed from text."""


def placed(part: Placed) -> Place:
    """Return the place of a part in the text, or a place without properties if the part was not parsed from text."""
    return part.place or Place(Position(1, 1), "", {})


def finding_at(
    part: Placed, name: str, rule: str, message: str, instead: str, *, file: str, severity: Severity = "error"
) -> Finding:
    """Return a finding about property ``name`` of a part, or about the part itself if the name is empty."""
    place = placed(part)
    at = place.of(name)
    path = place.path(name) if name else place.json_path
    return Finding(file, at.line, at.column, rule, message, instead, path, severity)


@lru_cache(maxsize=4096)
def did_you_mean(word: str, known: tuple[str, ...]) -> str:
    """Return advice for an unknown word: the most similar of the first 60 known words, or a list of these."""
    first = known[:_CLIP]
    near = nearest(word[:_CLIP], first)
    return f"did you mean {quoted(near)}?" if near else f"write one of {', '.join(first)}"
