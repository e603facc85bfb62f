"""In a new repository, a messagegen that is installed from a commit runs ``init``, the workflow and the action.

The workflow and the action install with pip from the index and from a git repository, as on GitHub.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from release.archives import unpack_files

ROOT = Path(__file__).parents[2]

pytestmark = [
    # These tests use the network.
    pytest.mark.java,
    pytest.mark.slow,
    pytest.mark.xdist_group("first hour"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is not a checkout"),
]


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    identity = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = os.environ | identity | variables
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done.stdout.strip()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of messagegen that other repositories install it from."""
    folder = tmp_path_factory.mktemp("served") / "messagegen.git"
    run("git", "clone", "--quiet", "--bare", ROOT, folder, folder=ROOT)
    return folder


@pytest.fixture(scope="module")
def commit(repository: Path) -> str:
    return run("git", "rev-parse", "HEAD", folder=repository)


@pytest.fixture(scope="module")
def shop(repository: Path, commit: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository that ``init`` has set up, pushed to its remote. Its first commit is older than ``init``."""
    tools = tmp_path_factory.mktemp("tools")
    requirement = f"git+{repository.as_uri()}@{commit}"
    venv.create(tools / "venv")
    python = tools / "venv" / "bin" / "python"
    run(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python, requirement, folder=tools)
    folder = tools / "shop"
    remote = tools / "shop.git"
    run("git", "init", "--quiet", "--bare", "--initial-branch=main", remote, folder=tools)
    run("git", "clone", "--quiet", remote, folder, folder=tools)
    run("git", "commit", "--quiet", "--allow-empty", "--message", "Begin", folder=folder)
    run("git", "push", "--quiet", "origin", "HEAD:main", folder=folder)
    run(python.with_name("messagegen"), "init", "--install", requirement, folder=folder)
    run("git", "add", ".", folder=folder)
    run("git", "commit", "--quiet", "--message", "Add messages", folder=folder)
    return folder


def fresh_path(folder: Path) -> str:
    """Return a PATH that begins with a new environment, whose Python has only pip."""
    venv.create(folder / "python", with_pip=True)
    return os.pathsep.join([str(folder / "python" / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])


def commands(steps: list[dict[str, Any]]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the commands of steps, each with its own environment variables."""
    for step in steps:
        if "run" in step:
            yield step["run"], step.get("env", {})


def test_the_generated_workflow_passes_without_edits(shop: Path, repository: Path, commit: str, tmp_path: Path) -> None:
    workflow = yaml.safe_load((shop / ".github/workflows/messages.yml").read_text(encoding="utf-8"))
    path = fresh_path(tmp_path)
    found = list(commands(workflow["jobs"]["check"]["steps"]))
    assert found[0][0] == f'python -I -m pip install "git+{repository.as_uri()}@{commit}"'
    for command, _ in found:
        run("bash", "-eo", "pipefail", "-c", command, folder=shop, PATH=path)


def test_the_action_passes_when_run_from_an_archive_of_its_commit(shop: Path, repository: Path, tmp_path: Path) -> None:
    """GitHub downloads actions as the files of a commit, without git."""
    action = tmp_path / "action"
    run("git", "archive", "--output", tmp_path / "action.tar", "HEAD", folder=repository)
    with tarfile.open(tmp_path / "action.tar") as archive:
        unpack_files(archive, action, copy_links=True)
    about = yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))
    inputs = {name: str(one["default"]) for name, one in about["inputs"].items()}
    added = tmp_path / "path"
    added.touch()
    path = fresh_path(tmp_path)
    github = {"GITHUB_ACTION_PATH": str(action), "GITHUB_PATH": str(added), "RUNNER_TEMP": str(tmp_path)}
    for command, own in commands(about["runs"]["steps"]):
        variables = {name: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")] for name, value in own.items()}
        whole_path = os.pathsep.join([*added.read_text(encoding="utf-8").split(), path])
        run("bash", "-eo", "pipefail", "-c", command, folder=shop, PATH=whole_path, **github, **variables)


def test_hooks_name_the_commit_of_the_installed_messagegen(shop: Path, repository: Path, commit: str) -> None:
    (hooks,) = yaml.safe_load((shop / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert (hooks["repo"], hooks["rev"]) == (repository.as_uri(), commit)
