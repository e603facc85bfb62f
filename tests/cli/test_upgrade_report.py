"""The command ``upgrade-report``: the specs that it compares, its formats and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from messagegen.cli import run
from tests.cli.readings import NEW, OLD
from tests.conftest import Golden
from tests.support.git import git
from tests.support.specs import GOLDEN


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: ``specs`` has the new spec, and ``before`` the old spec.

    On the branch ``main``, ``specs`` has the old spec.

    """
    for name, text in (("before", OLD), ("specs", OLD)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Reading.json").write_text(text)
    git(tmp_path, "init", "--initial-branch=main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--message=First")
    (tmp_path / "specs" / "Reading.json").write_text(NEW.replace('"0-1"', '"0-2"'))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_each_format_equals_its_golden_file(
    folder: Path, form: str, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    assert folder.is_dir()
    assert run(["upgrade-report", "--from", "before", "--to", "specs", "--format", form]) == 0
    golden(GOLDEN / "upgrade" / f"format.{form}", capsys.readouterr().out)


def test_the_report_is_the_same_for_every_way_to_pass_specs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pyproject.toml").write_text('[tool.messagegen]\nspecs = ["specs"]\n')
    found = []
    for flags in (
        ["--from", "before", "--to", "specs"],
        ["--from", "git:main"],
        ["--from", "git:main", "--specs", "specs"],
        ["--from", "git:HEAD:before", "--to", "specs/Reading.json"],
    ):
        assert run(["upgrade-report", "--format", "json", *flags]) == 0
        found.append(json.loads(capsys.readouterr().out)["messages"])
    assert [message["name"] for message in found[0]] == ["Reading"]
    assert found == [found[0]] * 4


def test_the_report_of_equal_specs_has_no_changes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.is_dir()
    assert run(["upgrade-report", "--from", "git:main:specs", "--to", "before"]) == 0
    assert capsys.readouterr().out == "git:main:specs -> before: no message with changes, 1 compared\n"


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ([], "Missing option '--from'"),
        (["--from", "before"], "no specs; pass --specs DIR"),
        (["--from", "git:main", "--to", "specs"], "no specs; pass --specs DIR"),
        (["--from", "nowhere", "--to", "specs"], "no such spec file or folder: nowhere"),
        (["--from", "kafka:four", "--to", "specs"], "'four' is not a Kafka release; write it as"),
    ],
)
def test_wrong_usage_is_an_error(
    folder: Path, flags: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert folder.is_dir()
    assert run(["upgrade-report", *flags]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""
