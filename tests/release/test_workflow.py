"""The workflows run only commands that exist, and state that they have never run."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from release.__main__ import main
from release.targets import PYTHONS, TARGETS

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").iterdir())


def jobs(workflow: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return found


JOBS = jobs(ROOT / ".github" / "workflows" / "dist.yml")
COMMANDS = [step["run"] for path in WORKFLOWS for job in jobs(path).values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_state_that_they_have_never_run(workflow: Path) -> None:
    assert "This workflow has never run" in workflow.read_text(encoding="utf-8").splitlines()[0]


def test_the_workflow_runs_the_script_of_ci() -> None:
    assert "bash .ci/run" in COMMANDS


def test_commands_of_workflows_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    made = [words[1] for words in map(str.split, COMMANDS) if words[0] == "make"]
    assert made
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in made)
    released = [words[3:] for words in map(str.split, COMMANDS) if words[:3] == ["python", "-m", "release"]]
    assert released
    for name, *arguments in released:
        text = " ".join(arguments).replace("${{ matrix.target }}", TARGETS[-1].triple)
        main.commands[name].make_context(name, text.split())


def test_the_workflow_builds_every_target_that_linux_cannot_build() -> None:
    built = {row["target"] for row in JOBS["native"]["strategy"]["matrix"]["include"]}
    assert built == {target.triple for target in TARGETS if target.system != "linux"}
    (pythons,) = (
        step["with"]["python-version"].split() for step in JOBS["native"]["steps"] if "setup-python" in str(step)
    )
    assert sorted(pythons) == sorted(PYTHONS)


def test_actionlint_finds_nothing() -> None:
    program = shutil.which("actionlint") or shutil.which(ROOT / ".cache/actionlint/bin/actionlint")
    if not program:
        pytest.skip("actionlint is not installed; `make workflows` installs it")
    done = subprocess.run([program, *map(str, WORKFLOWS)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
