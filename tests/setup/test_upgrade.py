"""The command ``init --upgrade`` changes only the pins of a set-up: they then name the running messagegen."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from messagegen import config
from messagegen.build import REQUIRED
from messagegen.cli import run
from messagegen.config import ConfigError
from messagegen.origin import Origin
from messagegen.setup import SCHEMA_FILE, Step, upgrade, upgrade_steps
from messagegen.spec import schema_text

URL = "https://git.example.org/team/messagegen"
OLD = "git+https://old.example.org/messagegen@1111111"
NEW = Origin(f"git+{URL}@2222222", URL, "2222222")
WORKFLOW = Path(".github/workflows/messages.yml")
HOOKS = Path(".pre-commit-config.yaml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that an older messagegen set up. Some files were edited since then."""
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    assert run(["init", "--install", OLD]) == 0
    configuration = tmp_path / "pyproject.toml"
    text = configuration.read_text().replace(f'required-version = "{REQUIRED}"', "required-version = '0.0.1' # ours")
    configuration.write_text(f'[tool.ruff]\nrequired-version = "0.5.0"\n\n{text}')
    (tmp_path / SCHEMA_FILE).write_text("{}\n")
    (tmp_path / HOOKS).write_text(
        (tmp_path / HOOKS).read_text() + "  - repo: https://example.org/other\n    rev: v1\n    hooks:\n      - id: a\n"
    )
    with (tmp_path / WORKFLOW).open("a") as workflow:
        workflow.write('      - run: python -m pip install "ruff==0.5"\n')
    return tmp_path


def upgrade_with(folder: Path, origin: Origin | None) -> dict[str, Step]:
    steps = {step.path: step for step in upgrade_steps(folder, origin)}
    for step in steps.values():
        if step.content is not None:
            (folder / step.path).write_bytes(step.content)
    return steps


def test_upgrade_changes_all_pins_and_nothing_else(folder: Path) -> None:
    before = {path: (folder / path).read_text() for path in ("pyproject.toml", HOOKS, WORKFLOW)}
    assert {step.action for step in upgrade_with(folder, NEW).values()} == {"upgraded"}

    expected = before["pyproject.toml"].replace("'0.0.1'", f'"{REQUIRED}"')
    assert (folder / "pyproject.toml").read_text() == expected
    assert (folder / SCHEMA_FILE).read_text() == schema_text()
    assert (folder / WORKFLOW).read_text() == before[WORKFLOW].replace(OLD, NEW.requirement)
    first, second = yaml.safe_load((folder / HOOKS).read_text())["repos"]
    assert (first["repo"], first["rev"]) == (URL, "2222222")
    assert (second["repo"], second["rev"]) == ("https://example.org/other", "v1")

    assert {step.action for step in upgrade_with(folder, NEW).values()} == {"unchanged"}
    for check in ("generate --check", "lint", "fmt --check"):
        assert run(check.split()) == 0


def test_missing_files_are_not_written(folder: Path) -> None:
    for path in (HOOKS, WORKFLOW):
        (folder / path).unlink()
    assert list(upgrade_with(folder, NEW)) == ["pyproject.toml", SCHEMA_FILE]


def test_hooks_and_workflow_of_a_subfolder_are_upgraded(folder: Path) -> None:
    assert run(["init", "team/shop", "--install", OLD]) == 0
    steps = upgrade_with(folder / "team/shop", NEW)
    path = "../../.github/workflows/messages-team-shop.yml"
    assert steps[path].action == "upgraded"
    assert NEW.requirement in (folder / "team/shop" / path).read_text()


@pytest.mark.parametrize(("wanted", "after"), [(">=0.0.1,<99", ">=0.0.1,<99"), ("<0.0.5", REQUIRED)])
def test_a_version_range_is_kept_if_it_includes_the_running_version(folder: Path, wanted: str, after: str) -> None:
    configuration = folder / "pyproject.toml"
    configuration.write_text(configuration.read_text().replace("'0.0.1'", f'"{wanted}"'))
    upgrade_with(folder, NEW)
    assert tomllib.loads(configuration.read_text())["tool"]["messagegen"]["required-version"] == after


def test_files_that_cannot_be_upgraded_are_reported(folder: Path) -> None:
    configuration = folder / "pyproject.toml"
    text = configuration.read_text().replace("required-version = '0.0.1' # ours", "").replace("[tool.messagegen]", "")
    configuration.write_text("[tool]\nmessagegen.required-version = '0.0.1'\n")
    step = upgrade_with(folder, None)["pyproject.toml"]
    assert (step.action, step.note) == ("left alone", f'write required-version = "{REQUIRED}" into it')
    assert text

    steps = upgrade_with(folder, None)
    assert "write the repository and the commit" in steps[str(HOOKS)].note
    assert 'run init --upgrade --install "git+URL@COMMIT"' in steps[str(WORKFLOW)].note

    (folder / WORKFLOW).write_text("jobs: {}\n")
    assert NEW.requirement in upgrade_with(folder, NEW)[str(WORKFLOW)].note


def test_an_older_messagegen_refuses_to_upgrade(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older = "0.0.0"
    monkeypatch.setattr(upgrade, "BUILD", older)
    monkeypatch.setattr(config, "BUILD", older)
    with pytest.raises(ConfigError, match=r"newer than this messagegen 0\.0\.0; to go back, revert the commit"):
        upgrade_with(folder, NEW)


def test_a_folder_without_a_set_up_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"has no \[tool\.messagegen\]"):
        upgrade_with(tmp_path, NEW)


def test_commands_of_a_different_version_suggest_the_upgrade(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate"]) == 2
    assert "or run `messagegen init --upgrade` to change the pins to this one" in capsys.readouterr().err
    assert run(["init", "--upgrade", "--install", NEW.requirement]) == 0
    out = capsys.readouterr().out
    assert out.startswith("upgraded    pyproject.toml\n")
    assert "make messages" in out
    assert run(["init", "--upgrade", "--editor", "vscode"]) == 2


def test_an_outdated_schema_is_reported_with_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Run the workflow's step in a shell, with a fake messagegen."""
    steps = yaml.safe_load((folder / WORKFLOW).read_text())["jobs"]["check"]["steps"]
    (command,) = (step["run"] for step in steps if "diff" in step.get("run", ""))
    (folder / "messagegen").write_text("#!/bin/sh\necho another schema\n")
    (folder / "messagegen").chmod(0o755)
    shell = ["bash", "-eo", "pipefail", "-c", f"PATH=$PWD:$PATH\n{command}"]
    done = subprocess.run(shell, cwd=folder, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"::error file={SCHEMA_FILE}::" in done.stdout
    assert "run 'make messages' and commit it" in done.stdout
