"""Pairs of specs that break one rule each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from messagegen.evolve import RULES

FIXTURES: Final = Path(__file__).parents[1] / "fixtures" / "breaking"

PAIRS: Final = sorted(path for path in FIXTURES.iterdir() if path.is_dir())


def texts(folder: Path) -> dict[str, bytes]:
    return {f"{folder.name}/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.json"))}


def rule_of(pair: Path) -> str:
    """Return the rule at the start of a pair's name, which may continue with other words."""
    return max((rule.id for rule in RULES if pair.name.upper().startswith(rule.id)), key=len)
