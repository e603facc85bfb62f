"""Findings of checks: rule id, location, message and advice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from messagegen.console.text import printable

_CLIP: Final = 60
"""The maximum number of characters of a quoted text in a message."""
_SIMILAR: Final = 0.7
"""The minimum similarity (0 to 1) of a suggested word; ``nodeId`` and ``producerId`` have a similarity of 0.63."""
_BEGINNING: Final = 3
"""The minimum length of a beginning that suggests the whole word."""

Severity = Literal["error", "warning"]


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
        """Return the location as a JSON object, with the keys that findings use."""
        return {"file": self.file, "line": self.line, "column": self.column, "path": self.json_path}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A problem in a spec. Errors prevent generation, warnings do not.

    ``line`` and ``column`` start at 1 (columns count characters); ``json_path`` looks like ``fields[2].versions``.
    ``message`` is the problem and ``instead`` the advice, both without a full stop at the end. ``previous`` is the
    location in the older spec, if the finding is about a change.
    """

    file: str
    line: int
    column: int
    rule: str
    message: str
    instead: str = ""
    json_path: str = ""
    severity: Severity = "error"
    previous: Location | None = None

    def __str__(self) -> str:
        kind = "" if self.severity == "error" else f"{self.severity}: "
        return printable(f"{self.file}:{self.line}:{self.column}: {kind}{self.rule} {self.text}")

    @property
    def text(self) -> str:
        """The message, the advice, and the previous location."""
        advice = f"; {self.instead}" if self.instead else ""
        previous = f" (was {self.previous})" if self.previous else ""
        return f"{self.message}{advice}{previous}"

    def as_json(self) -> dict[str, object]:
        """Return the finding as a JSON object with stable keys, for ``--format json``."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "path": self.json_path,
            "message": self.message,
            "instead": self.instead,
        }


def quoted(text: str) -> str:
    """Return a spec's text as it appears in a message: in double quotes, on one line, and clipped."""
    return f'"{clipped(text)}"'


def clipped(text: str) -> str:
    """Return a text as it appears in a message, on one line and clipped, without quotes, as for numbers."""
    return printable(text if len(text) <= _CLIP else text[:_CLIP] + "...")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that an unknown word probably means, or ``None``.

    The unknown word may contain a typo, differ in case, or be the beginning of the known word.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only an error needs it

    by_lower_case = {name.lower(): name for name in known}
    lower = word.lower()
    similar = get_close_matches(lower, by_lower_case, n=1, cutoff=_SIMILAR)
    begun = [each for each in by_lower_case if each.startswith(lower)] if len(lower) >= _BEGINNING else []
    found = similar or sorted(begun, key=len)
    return by_lower_case[found[0]] if found else None


class SpecError(ValueError):
    """Raised if specs have errors; ``findings`` contains all findings, sorted."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(sorted(findings))
        super().__init__(self.findings)

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings)


class UsageError(ValueError):
    """Raised for invalid requests, such as a missing folder or an unknown message name."""
