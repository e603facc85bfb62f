"""Every command that reads specs takes them as arguments or with --specs, and otherwise reads ``[tool.messagegen]``."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from messagegen.cli import command as cli
from tests.cli.spec_arguments import COMMANDS, MESSAGE, SPEC

Told = Callable[..., tuple[int, str, str]]
QUESTION = '{"op": "encode", "message": "Reading", "version": 0, "json": {}}\n'
TAKE_A_COMMAND = {"verify-vectors"}
"""Commands whose arguments are a command to run, so they take specs only with --specs."""
WITHOUT_SPECS = {"init", "self-check", "rules", "schema", "fetch-specs", "merge-specs"}
"""Commands that do not read specs this way; ``merge-specs`` takes sets of specs, in order."""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two folders of specs. The configuration names one of them."""
    for folder, name in (("specs", "Reading"), ("more", "Other")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.json").write_text(SPEC.format(name=name))
    (tmp_path / "bytes.hex").write_text("00")
    (tmp_path / "message.json").write_text("{}")
    (tmp_path / "pyproject.toml").write_text('[tool.messagegen]\nspecs = ["specs"]\noutput = "configured"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Input(io.TextIOWrapper):
    """Standard input with one question."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(QUESTION.encode()))


@pytest.fixture
def told(work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", Input())
        shutil.rmtree(work / "out", ignore_errors=True)
        code = cli.run(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_every_command_is_tested() -> None:
    listed = set(cli.messagegen.list_commands(click.Context(cli.messagegen)))
    assert listed == set(COMMANDS) | TAKE_A_COMMAND | WITHOUT_SPECS


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_all_ways_to_pass_specs_have_the_same_result(name: str, told: Told) -> None:
    before, after = COMMANDS[name]
    arguments = told(name, *before, "specs", *after)
    assert arguments[0] in (0, 1), arguments[2]
    assert told(name, *before, "--specs", "specs", *after) == arguments
    assert told(name, *before, *after) == arguments
    both = told(name, *before, "--specs", "more", *after, "specs")
    assert both[0] == arguments[0]
    assert told(name, *before, *after, "specs", "more") == both


@pytest.mark.parametrize("name", [*COMMANDS, *TAKE_A_COMMAND])
def test_help_names_the_ways_to_pass_specs(name: str, told: Told) -> None:
    _, out, _ = told(name, "--help")
    assert "--specs" in out
    assert "--config" in out
    assert name in TAKE_A_COMMAND or "[PATHS]..." in out
    assert "[tool.messagegen]" in out


@pytest.mark.parametrize("name", ["explain", "decode", "encode"])
def test_a_folder_of_specs_in_place_of_the_file_is_an_error(name: str, told: Told) -> None:
    code, _, err = told(name, *MESSAGE, "specs")
    assert code == 2
    assert "specs is a folder; name FILE, or - for standard input, before PATHS" in err


@pytest.mark.parametrize("text", [SPEC.format(name="Manifest"), "{}", ""])
def test_a_file_that_is_only_named_like_a_manifest_is_read_as_a_spec(work: Path, told: Told, text: str) -> None:
    (work / "specs" / "MANIFEST.json").write_text(text)
    code, out, err = told("generate", "--output", "out")
    assert code == (0 if text.startswith('{ "type"') else 2)
    assert "2 messages" in out if code == 0 else "specs/MANIFEST.json:1:" in err


@pytest.mark.parametrize("merged", [False, True])
def test_a_manifest_among_specs_is_ignored(work: Path, told: Told, merged: bool) -> None:
    assert told("generate", "--output", "specs/generated")[0] == 0
    manifest = work / "specs" / "generated" / "MANIFEST.json"
    if merged:
        lines = manifest.read_text().splitlines()
        manifest.write_text("\n".join([*lines[:2], "<<<<<<< ours", lines[2], "=======", *lines[2:]]))
    assert "1 message," in told("generate", "--output", "out")[1]


def test_conformance_reads_the_configuration(work: Path, told: Told) -> None:
    assert told("conformance") == (0, '{"hex": "00"}\n', "")
    config = (work / "pyproject.toml").read_text()
    (work / "pyproject.toml").write_text(f'{config}messages = ["Reading"]\nversions = {{ Reading = "0" }}\n')
    assert told("conformance")[0] == 0
    (work / "pyproject.toml").unlink()
    code, _, err = told("conformance")
    assert code == 2
    assert "no specs; pass --specs DIR" in err
    code, _, err = told("conformance", "specs", "--package", "messagegen_kafka")
    assert code == 2
    assert "--package" in err
