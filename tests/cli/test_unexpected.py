"""An unexpected error is shown as one sentence, with an exit code that has no other meaning."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from tests.cli.programs import CASES, FAILED, GROUPS, exit_code, inner_command
from tests.support.commands import SCRIPTS


def test_every_program_is_tested() -> None:
    assert set(SCRIPTS) == set(GROUPS) == set(FAILED)


def fails(*_: object) -> NoReturn:
    raise RuntimeError("made up\x1b[31m")


def break_command(name: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a command raise an unexpected error before it reads its arguments."""
    monkeypatch.setattr(inner_command(name, words), "parse_args", fails)


@pytest.mark.parametrize(("name", "words"), CASES)
def test_unexpected_errors_are_shown_as_a_sentence(
    name: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    break_command(name, words, monkeypatch)
    assert exit_code(name, [*words, "--some-option"]) == FAILED[name]
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("Error: RuntimeError: made up")
    assert "a bug in" in err
    assert "MESSAGEGEN_TRACEBACK=1" in err
    assert "Traceback" not in err
    assert "\x1b" not in err


@pytest.mark.parametrize("name", GROUPS)
def test_tracebacks_are_shown_on_request(
    name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    break_command(name, (), monkeypatch)
    monkeypatch.setenv("MESSAGEGEN_TRACEBACK", "1")
    assert exit_code(name, []) == FAILED[name]
    err = capfd.readouterr().err
    assert err.startswith("Traceback (most recent call last):")
    assert "in fails" in err


def test_machine_formats_contain_unexpected_errors(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    break_command("messagegen", ("lint",), monkeypatch)
    assert exit_code("messagegen", ["lint", "--format", "json"]) == 2
    document = json.loads(capfd.readouterr().out)
    assert document["status"] == "error"
    assert document["error"].startswith("RuntimeError: made up")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("name", GROUPS)
def test_errors_while_writing_standard_output_are_reported(name: str) -> None:
    module = SCRIPTS[name].partition(":")[0]
    program = [sys.executable, "-c", f"from {module} import main; main()", "--help"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == FAILED[name]
    assert "standard output" in done.stderr
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", GROUPS)
def test_a_closed_standard_output_is_not_an_error(name: str) -> None:
    module = SCRIPTS[name].partition(":")[0]
    program = [sys.executable, "-c", f"from {module} import main; main()", "--help"]
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *program], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
