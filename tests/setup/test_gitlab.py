"""The command ``init --ci gitlab`` writes a GitLab job, and ``init --upgrade`` updates the pin in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from messagegen.cli import run
from messagegen.origin import Origin
from messagegen.setup import setup_steps, upgrade_steps
from tests.setup.support import write
from tests.support.git import git

JOB = ".gitlab/messages.yml"
INCLUDE = ".gitlab-ci.yml"
URL = "https://git.example.org/messagegen"
OLD, NEW = (Origin(f"git+{URL}@{commit}", URL, commit) for commit in ("1" * 40, "2" * 40))


def set_up(folder: Path, origin: Origin | None = OLD) -> dict[str, Any]:
    """Set up a folder for GitLab, and return the parsed files that GitLab reads, by their path from the top."""
    steps = list(setup_steps(folder, origin=origin, ci="gitlab"))
    write(folder, steps)
    paths = [step.path for step in steps if step.path.endswith(".yml")]
    return {os.path.normpath(path): yaml.safe_load((folder / path).read_text()) for path in paths}


def test_the_job_of_gitlab_runs_the_checks(tmp_path: Path) -> None:
    files = set_up(tmp_path)
    assert files[INCLUDE] == {"include": [{"local": JOB}]}
    job = files[JOB]["messages"]
    assert f'python -I -m pip install "{OLD.requirement}"' in job["script"]
    assert job["script"][-1] == "make --keep-going check-messages breaking-messages"
    assert not (tmp_path / ".github").exists()
    assert {step.action for step in setup_steps(tmp_path, origin=OLD, ci="gitlab")} == {"unchanged"}


@pytest.mark.slow
def test_the_script_of_the_job_fails_after_a_breaking_change(tmp_path: Path) -> None:
    remote = tmp_path / "remote.git"
    shop = tmp_path / "top" / "shop"
    shop.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", remote], check=True)
    git(shop.parent, "init", "--quiet", "--initial-branch=main")
    git(shop.parent, "remote", "add", "origin", str(remote))
    assert run(["init", str(shop), "--ci", "gitlab"]) == 0
    git(shop.parent, "add", ".")
    git(shop.parent, "commit", "--quiet", "-m", "set up")
    git(shop.parent, "push", "--quiet", "origin", "main")

    (job,) = yaml.safe_load((shop.parent / ".gitlab" / "messages-shop.yml").read_text()).values()
    # Skip the installation, which other tests check.
    script = "\n".join(line for line in job["script"] if "install" not in line)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    def exit_code() -> int:
        command = ["bash", "-e", "-c", script]
        return subprocess.run(command, cwd=shop.parent, env=os.environ | {"PATH": path}, check=False).returncode

    assert exit_code() == 0
    spec = shop / "message_specs" / "SensorReading.json"
    spec.write_text(spec.read_text().replace('"0+"', '"0-1"', 1))
    assert exit_code() != 0


def test_an_existing_file_of_gitlab_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / INCLUDE).write_text("test:\n  script: [make]\n")
    (step,) = (step for step in setup_steps(tmp_path, ci="gitlab") if step.path == INCLUDE)
    assert (step.action, step.content) == ("left alone", None)
    assert f"include:\n  - local: {JOB}" in step.note
    (tmp_path / INCLUDE).write_text(f"include:\n  - local: /{JOB}\n")
    (step,) = (step for step in setup_steps(tmp_path, ci="gitlab") if step.path == INCLUDE)
    assert step.action == "unchanged"


def test_the_job_fails_if_the_origin_is_unknown(tmp_path: Path) -> None:
    job = set_up(tmp_path, None)[JOB]["messages"]
    (line,) = (line for line in job["script"] if "the command that installs messagegen" in line)
    assert subprocess.run(["sh", "-c", line], check=False).returncode == 1


@pytest.mark.parametrize("ci", ["github", "gitlab"])
def test_an_upgrade_changes_the_pin_of_the_job(tmp_path: Path, ci: Any) -> None:
    write(tmp_path, list(setup_steps(tmp_path, origin=OLD, ci=ci)))
    upgraded = {step.path: step.content or b"" for step in upgrade_steps(tmp_path, NEW) if step.action == "upgraded"}
    (path,) = (path for path in upgraded if path.endswith("messages.yml"))
    assert NEW.requirement.encode() in upgraded[path]
    assert OLD.requirement.encode() not in upgraded[path]
