"""Problems of new users: mistyped commands and folders, unset variables, and a repository set up by ``init``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from messagegen.cli import run
from messagegen.cli.command import _COMMANDS

SPEC = {"type": "data", "name": "Reading", "validVersions": "0", "flexibleVersions": "0+", "fields": []}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "message_specs").mkdir()
    (tmp_path / "message_specs" / "Reading.json").write_text(json.dumps(SPEC))
    (tmp_path / "pyproject.toml").write_text(
        '[tool.messagegen]\nspecs = ["message_specs"]\noutput = "src/my_messages"\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(("typed", "meant"), [("genrate", "generate"), ("Lint", "lint"), ("self_check", "self-check")])
def test_the_error_for_an_unknown_command_names_the_nearest_command(
    capsys: pytest.CaptureFixture[str], typed: str, meant: str
) -> None:
    code, _, err = outcome(capsys, typed)
    assert (code, f"No such command {typed}; did you mean {meant}?" in err) == (2, True)


@pytest.mark.parametrize("command", ["generate", "lint", "fmt", "docs", "breaking", "schema", "fetch-specs"])
@pytest.mark.parametrize("empty", [["--specs", ""], ["--output", ""], ["--output="], [""]])
def test_every_command_refuses_empty_arguments(
    repository: Path, capsys: pytest.CaptureFixture[str], command: str, empty: Sequence[str]
) -> None:
    assert command in _COMMANDS
    code, _, err = outcome(capsys, command, *empty)
    assert (code, "an argument is empty; is a shell variable not set?" in err) == (2, True)
    assert sorted(path.name for path in repository.iterdir()) == ["message_specs", "pyproject.toml"]


def test_an_include_without_python_is_refused_and_keeps_the_package(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert outcome(capsys, "generate")[0] == 0
    with (repository / "pyproject.toml").open("a") as config:
        config.write('include = ["strategies"]\n')
    code, _, err = outcome(capsys, "generate")
    assert (code, 'write include = ["python", "strategies"]' in err) == (2, True)
    assert (repository / "src/my_messages/reading.py").is_file()


@pytest.mark.parametrize("command", ["generate", "lint", "fmt"])
def test_the_error_for_a_mistyped_folder_names_the_configuration_file(
    repository: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    config = repository / "pyproject.toml"
    config.write_text(config.read_text().replace('"message_specs"', '"message_spec"'))
    code, _, err = outcome(capsys, command)
    assert code == 2
    assert re.search(r"pyproject\.toml: no such spec file or folder: \S*message_spec\n", err)


def test_the_next_steps_of_init_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = outcome(capsys, "init", "--output", "src/my_messages")
    assert code == 0
    step = re.search(r"^ +PYTHONPATH=src python -c '(.*)'$", out, re.MULTILINE)
    assert step is not None
    done = subprocess.run([sys.executable, "-c", step[1]], env={"PYTHONPATH": "src"}, capture_output=True, check=False)
    assert done.returncode == 0


def test_init_installs_nothing_from_an_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(capsys, "init", str(tmp_path))[0] == 0
    for path in tmp_path.rglob("*"):
        if path.is_file():
            # Skip comments, which may describe an installation.
            text = re.sub(r"^ *#.*", "", path.read_text(), flags=re.MULTILINE)
            assert not re.search(r"pip install|messagegen==|additional_dependencies", text), path
