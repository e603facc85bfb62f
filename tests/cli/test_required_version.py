"""Every command obeys ``required-version``, whatever its arguments."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from messagegen.cli import run
from messagegen.cli.command import _COMMANDS
from tests.cli.spec_arguments import COMMANDS, MESSAGE, SPEC

ARGUMENTS: Final = {
    **{name: [*before, "specs", *after] for name, (before, after) in COMMANDS.items()},
    "fmt": ["specs/Reading.json"],
    "verify-vectors": ["--specs", "specs", "--", "cat"],
    "merge-specs": ["specs", "--output", "merged"],
    "fetch-specs": ["--check", "--output", "fetched"],
    "rules": [],
    "schema": [],
}
"""Arguments with which each command needs no configuration."""
ANY_VERSION: Final = ("init", "self-check")
"""Commands that help users with a wrong version, so they run in every version."""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, below a configuration that requires a different version."""
    folder = tmp_path / "repository" / "work"
    (folder / "specs").mkdir(parents=True)
    (folder / "specs" / "Reading.json").write_text(SPEC.format(name="Reading"))
    (folder / "bytes.hex").write_text("00")
    (folder / "message.json").write_text("{}")
    require(folder.parent, '"99"')
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    return folder


def require(folder: Path, version: str, more: str = "") -> None:
    (folder / "pyproject.toml").write_text(f"[tool.messagegen]\nrequired-version = {version}\n{more}")


def files(folder: Path) -> dict[Path, Any]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_command_is_tested() -> None:
    assert {*ARGUMENTS, *ANY_VERSION} == set(_COMMANDS)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_commands_refuse_to_run_in_a_different_version(
    repository: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before = files(repository)
    assert run([name, *ARGUMENTS[name]]) == 2
    captured = capfd.readouterr()
    assert "required-version is 99, but this is messagegen" in captured.err
    assert captured.out == ""
    assert files(repository) == before


@pytest.mark.parametrize("name", [*ARGUMENTS, *ANY_VERSION])
def test_help_is_printed_in_every_version(repository: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    assert capfd.readouterr().err == ""


def test_the_version_is_checked_before_unknown_keys(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    require(repository.parent, '"99"', "a-later-key = true\n")
    assert run(["generate"]) == 2
    assert "required-version is 99" in capfd.readouterr().err


def test_the_version_is_read_from_the_file_named_by_config(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (repository / "other").mkdir()
    require(repository / "other", '"98"')
    assert run(["decode", *MESSAGE, "bytes.hex", "specs", "--config", "other/pyproject.toml"]) == 2
    assert "other/pyproject.toml: required-version is 98" in capfd.readouterr().err
    require(repository / "other", '">=0.1"')
    assert run(["decode", *MESSAGE, "bytes.hex", "specs", "--config", "other/pyproject.toml"]) == 0


@pytest.mark.parametrize("version", ["1", '"newest"', '["0.1"]'])
def test_an_invalid_version_is_refused(repository: Path, version: str, capfd: pytest.CaptureFixture[str]) -> None:
    require(repository.parent, version)
    assert run(["lint", "specs"]) == 2
    assert "required" in capfd.readouterr().err
