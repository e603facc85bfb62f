"""The command ``breaking``: the specs that it compares, ignored changes, formats and exit codes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from messagegen import __version__
from messagegen.build import BUILD
from messagegen.cli import run
from tests.cli.readings import NEW, OLD
from tests.conftest import Golden
from tests.support.git import git
from tests.support.specs import GOLDEN

ALL = ["FIELD_SAME_NAME", "FIELD_SAME_ANNOTATION", "FIELD_SAME_TYPE"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: ``specs`` has the new spec, and ``before`` the old spec.

    On the branch ``main``, ``specs`` has the old spec.


    """
    (tmp_path / "specs").mkdir()
    (tmp_path / "before").mkdir()
    (tmp_path / "before" / "Reading.json").write_text(OLD)
    (tmp_path / "specs" / "Reading.json").write_text(OLD)
    (tmp_path / "pyproject.toml").write_text('[tool.messagegen]\nspecs = ["specs"]\n')
    git(tmp_path, "init", "--initial-branch=main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--message=First")
    (tmp_path / "specs" / "Reading.json").write_text(NEW)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def rules(capsys: pytest.CaptureFixture[str]) -> list[str]:
    found: list[Mapping[str, str]] = json.loads(capsys.readouterr().out)["findings"]
    return [finding["rule"] for finding in found]


def configure(folder: Path, text: str) -> None:
    with (folder / "pyproject.toml").open("a") as file:
        file.write(f"[tool.messagegen.breaking]\n{text}\n")


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_every_format_shows_the_changes(
    folder: Path, form: str, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    assert run(["breaking", "--against", "git:main", "--format", form]) == 1
    golden(GOLDEN / "breaking" / f"format.{form}", capsys.readouterr().out.replace(BUILD, __version__))


def test_compatible_specs_have_no_findings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "specs" / "Reading.json").write_text(OLD.replace("0-1", "0-2"))
    assert run(["breaking", "--against", "git:main"]) == 0
    assert capsys.readouterr() == ("", "No breaking changes; 1 message compared\n")


@pytest.mark.parametrize("command", [["breaking", "--against"], ["upgrade-report", "--from"]])
@pytest.mark.parametrize("place", ["git:main", "before"])
def test_unchanged_specs_with_errors_are_still_refused(
    folder: Path, command: list[str], place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Specs that `generate` refuses are not compatible with other specs."""
    for name in ("specs", "before"):
        (folder / name / "Reading.json").write_text(OLD.replace("int32", "int33"))
    git(folder, "commit", "--all", "--message=Wrong")
    assert run(["generate", "--specs", "specs", "--output", "readings"]) == 2
    assert "FIELD_TYPE" in capsys.readouterr().err
    assert run([*command, place]) == 2
    told = capsys.readouterr()
    assert "specs/Reading.json:8:" in told.err
    assert told.out == ""


def test_syntax_of_old_releases_is_an_error_in_own_specs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = OLD.replace('  "flexibleVersions": "none",\n', "")
    (folder / "specs" / "Reading.json").write_text(text)
    (folder / "before" / "Reading.json").write_text(text)
    assert run(["generate", "--specs", "specs", "--output", "readings"]) == 2
    assert run(["breaking", "--against", "before"]) == 2
    (folder / "specs" / "Reading.json").write_text(OLD)
    assert run(["breaking", "--against", "before"]) == 0


def test_sets_without_a_common_message_are_not_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "drafts").mkdir()
    (folder / "drafts" / "Draft.json").write_text(OLD.replace("Reading", "Draft"))
    assert run(["breaking", "--specs", "drafts", "--against", "git:main"]) == 0
    told = capsys.readouterr().err
    assert told.splitlines()[-1] == "Nothing was compared: no message is in both sets of specs"
    assert run(["breaking", "--specs", "drafts", "--against", "git:main", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["compared"] == 0
    assert run(["upgrade-report", "--from", "before", "--to", "drafts"]) == 0
    assert "before -> drafts: 2 messages with changes, none is in both sets" in capsys.readouterr().out


def test_nothing_is_compared_before_the_first_push(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """This is the state in which users run `make breaking-messages` right after `init`."""
    configure(folder, 'against = "git:origin/main"')
    assert run(["breaking"]) == 0
    told = capsys.readouterr().err
    assert told == (
        "This repository has no remote yet, so there is no origin/main to compare with\n"
        "Nothing was compared: no message is in both sets of specs\n"
    )
    assert run(["breaking", "--against", "git:other/main"]) == 2
    capsys.readouterr()
    git(folder, "remote", "add", "origin", "nowhere")
    assert run(["breaking"]) == 2
    assert "no branch of origin was fetched: run `git fetch origin main`, or push main first" in capsys.readouterr().err


def test_the_error_about_a_missing_branch_names_the_existing_branches(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The main branch of the repository may have a different name, or the clone may be shallow."""
    configure(folder, 'against = "git:origin/main"')
    git(folder, "remote", "add", "origin", "nowhere")
    git(folder, "update-ref", "refs/remotes/origin/master", "HEAD")
    git(folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/master")
    assert run(["breaking"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "run `git fetch origin main`, or name one of the fetched branches: master" in told
    assert told.endswith("(against in [tool.messagegen.breaking])")
    assert run(["breaking", "--against", "git:origin/main"]) == 2
    assert "[tool.messagegen.breaking]" not in capsys.readouterr().err
    assert run(["breaking", "--against", "git:v1.0"]) == 2
    assert "has no commit v1.0; a shallow clone may lack it: fetch it first" in capsys.readouterr().err


def test_branches_of_a_removed_remote_count_as_pushed(folder: Path) -> None:
    configure(folder, 'against = "git:origin/main"')
    git(folder, "update-ref", "refs/remotes/origin/other", "HEAD")
    assert run(["breaking"]) == 2


@pytest.mark.parametrize("command", [["breaking", "--against"], ["upgrade-report", "--from"]])
def test_an_unknown_message_is_an_error(folder: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, "before", "--message", "Readng"]) == 2
    assert "unknown message Readng; did you mean Reading?" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["breaking", "--against"], ["upgrade-report", "--from"]])
def test_a_pattern_selects_messages(folder: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    def report(pattern: str) -> str:
        run([*command, "before", "--message", pattern, "--format", "json"])
        return capsys.readouterr().out

    assert report("Read*") == report("Reading")
    assert run([*command, "before", "--message", "*read"]) == 2
    assert 'no message matches "*read"' in capsys.readouterr().err


def test_a_folder_and_a_commit_with_the_same_specs_have_the_same_findings(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = []
    for against in ("git:main", "before", "before/Reading.json", "git:HEAD:before"):
        assert run(["breaking", "--against", against, "--format", "json"]) == 1
        both.append(rules(capsys))
    assert both == [ALL] * 4


def test_renamed_files_are_compared_from_any_subfolder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "specs" / "Reading.json").rename(folder / "specs" / "Other.json")
    monkeypatch.chdir(folder / "specs")
    assert run(["breaking", "--against", "git:main", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {Path(finding["file"]).name for finding in found} == {"Other.json"}
    assert {finding["previous"]["file"] for finding in found} == {"main:specs/Reading.json"}


def test_a_removed_message_is_reported_in_the_old_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "specs" / "Reading.json").write_text(OLD.replace('"Reading"', '"Other"'))
    assert run(["breaking", "--against", "git:main"]) == 1
    told = capsys.readouterr()
    assert told.out.startswith('main:specs/Reading.json:3:11: MESSAGE_NOT_REMOVED message "Reading" was removed')
    assert told.err == "1 breaking change, 1 on the wire; 0 messages compared\n"


@pytest.mark.parametrize(
    ("table", "flags", "expected"),
    [
        ('use = ["WIRE"]', [], ["FIELD_SAME_TYPE"]),
        ('use = ["WIRE"]', ["--use", "FIELD_SAME_NAME"], ["FIELD_SAME_NAME"]),
        ('except = ["WIRE"]', [], ["FIELD_SAME_NAME", "FIELD_SAME_ANNOTATION"]),
        ('except = ["WIRE"]', ["--except", "API"], []),
        ('ignore = { "specs" = ["WIRE"] }', [], ["FIELD_SAME_NAME", "FIELD_SAME_ANNOTATION"]),
        ('ignore = { "specs/*.json" = ["API"] }', [], ["FIELD_SAME_TYPE"]),
        ('ignore = { "specs/Read.json" = ["API", "WIRE"] }', [], ALL),
        ('ignore = { "spec" = ["API"] }', ["--message", "Reading"], ALL),
    ],
)
def test_flags_and_configuration_select_and_ignore_rules(
    folder: Path, table: str, flags: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    configure(folder, f'against = "git:main"\n{table}')
    assert run(["breaking", "--format", "json", *flags]) == (1 if expected else 0)
    assert rules(capsys) == expected


@pytest.mark.parametrize(
    ("table", "flags", "message"),
    [
        ("", [], "nothing to compare with; pass --against git:REF"),
        ("against = 1", [], 'invalid value of against; write a value such as against = "git:main"'),
        ('uses = ["WIRE"]', [], "unknown key uses in [tool.messagegen.breaking]; did you mean use?"),
        ("", ["--against", "before", "--use", "WIER"], "unknown rule or category WIER; did you mean WIRE?"),
        ("", ["--against", "before", "--use", "FIELD_SAME_NAMES"], "did you mean FIELD_SAME_NAME?"),
        ("", ["--against", "nowhere"], "no such spec file or folder: nowhere; write git:nowhere for a commit, branch"),
        ("", ["--against", "4.3"], "write git:4.3 for a commit, branch or tag, or kafka:4.3 for a release of Kafka"),
        ("", ["--against", "git:nothing"], "has no commit nothing"),
        ("", ["--against", "kafka:four"], "'four' is not a Kafka release; write it as"),
        ("ignore = 1", ["--against", "before"], "invalid value of ignore; write a value such as ignore = {"),
    ],
)
def test_wrong_usage_is_an_error(
    folder: Path, table: str, flags: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(folder, table)
    assert run(["breaking", *flags]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.out == ""
