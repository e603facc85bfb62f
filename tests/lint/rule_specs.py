"""Specs that each break one style rule, and the text of findings."""

from __future__ import annotations

from pathlib import Path

from messagegen.findings import Finding
from messagegen.lint import RULES

FOLDER = Path(__file__).parent.parent / "fixtures" / "lint"

IDS = [rule.id for rule in RULES]


def texts_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.json"))}


def shown(findings: tuple[Finding, ...]) -> str:
    return "".join(f"{one}\n" for one in findings)
