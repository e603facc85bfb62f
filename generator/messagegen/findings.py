"""What a check has to say: a rule id, a place, what is wrong and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One problem in one spec.

    ``line`` and ``column`` count from 1 (columns in characters); ``json_path`` reads like ``fields[2].versions``;
    ``message`` says what is wrong, ``instead`` what to write instead (both plain sentences, without a final full stop).
    """

    file: str
    line: int
    column: int
    rule: str
    message: str
    instead: str = ""
    json_path: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        advice = f"; {self.instead}" if self.instead else ""
        return f"{self.file}:{self.line}:{self.column}: {self.rule} {self.message}{advice}"

    def as_json(self) -> dict[str, object]:
        """The finding as a JSON object with stable keys, for ``--format json``."""
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


class SpecError(ValueError):
    """Raised where a caller asked for a spec and only findings can be given; ``findings`` holds them, sorted."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(sorted(findings))
        super().__init__(self.findings)

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings)
