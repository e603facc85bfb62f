"""Commands in our files never import modules of a user's checkout in place of ``venv`` and ``pip``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[2]
_MODULE: Final = re.compile(r"""(?:python[\d.]*|PYTHON\)?\}?)["'}]*(?P<flags>(?: +-(?!m)\S+)*) +-m""", re.IGNORECASE)
FILES: Final = sorted(
    [
        ROOT / "action.yml",
        ROOT / ".pre-commit-hooks.yaml",
        ROOT / "README.md",
        *(ROOT / "templates" / "init").iterdir(),
        *(ROOT / "docs").rglob("*.md"),
    ]
)


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("python -m pip install x", ""),
        ('"$PYTHON" -m venv x', ""),
        ('"$installed/python" -m pip', ""),
        (".venv/bin/python3.12 -B -m pip", " -B"),
        ("python -I -m pip", " -I"),
    ],
)
def test_the_pattern_finds_commands_that_run_modules(line: str, flags: str) -> None:
    assert [found["flags"] for found in _MODULE.finditer(line)] == [flags]


def test_commands_run_modules_in_isolated_mode() -> None:
    found = [
        (str(path.relative_to(ROOT)), match["flags"])
        for path in FILES
        for match in _MODULE.finditer(path.read_text(encoding="utf-8"))
    ]
    assert {"action.yml", "README.md", "templates/init/messages.yml.j2"} <= {path for path, _ in found}
    assert [each for each in found if "-I" not in each[1].split()] == []


@pytest.mark.slow
def test_the_action_runs_no_module_of_the_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    for name in ("venv", "pip", "sitecustomize", "ensurepip"):
        (checkout / name).mkdir(parents=True)
        for file in ("__init__.py", "__main__.py"):
            (checkout / name / file).write_text("open('planted', 'w').close()\n")
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    # The action's folder does not exist, so pip starts but finds no requirements file.
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHON": sys.executable,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_ACTION_PATH": str(tmp_path / "nothing"),
        "GITHUB_PATH": os.devnull,
    }
    ran = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", steps[0]["run"]],
        check=False,
        capture_output=True,
        text=True,
        cwd=checkout,
        env=environment,
    )
    assert "Could not open requirements file" in ran.stderr
    assert not (checkout / "planted").exists()
