"""Wrong usage has one exit code, but for the command whose 2 says something else."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECTS = [
    tomllib.loads(path.read_text(encoding="utf-8"))
    for path in [ROOT / "pyproject.toml", *ROOT.glob("*/pyproject.toml")]
]
SCRIPTS: dict[str, str] = {
    name: place
    for project in PROJECTS
    for name, place in project["project"].get("scripts", {}).items()
    if not place.startswith("messagegen_spark.moved:")
}
"""The commands; those that only say where they went are none."""
# Its 2 says that a plan has changes.
OTHERS = {"kafka-client-quotas": 64}


@pytest.mark.parametrize("name", SCRIPTS)
def test_wrong_usage_has_one_exit_code(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module, function = SCRIPTS[name].split(":")
    with pytest.raises(SystemExit) as left:
        getattr(importlib.import_module(module), function)(["--no-such-option"])
    assert left.value.code == OTHERS.get(name, 2)
    assert "--no-such-option" in capsys.readouterr().err


@pytest.mark.parametrize("name", SCRIPTS)
def test_help_says_which(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module, function = SCRIPTS[name].split(":")
    with pytest.raises(SystemExit) as left:
        getattr(importlib.import_module(module), function)(["--help"])
    assert left.value.code == 0
    told = " ".join(capsys.readouterr().out.split()).rpartition("Exit codes: ")[2]
    assert re.search(rf"(^|\s){OTHERS.get(name, 2)} [^0-9]*wrong usage", told)
