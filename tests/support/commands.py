"""The commands that the distributions of this repository install."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROJECTS = [
    tomllib.loads(path.read_text(encoding="utf-8"))
    for path in [ROOT / "pyproject.toml", *ROOT.glob("*/pyproject.toml")]
]

SCRIPTS: dict[str, str] = {
    name: place for project in PROJECTS for name, place in project["project"].get("scripts", {}).items()
}
"""The function of each command, as ``module:name``."""
