"""The command ``messagegen lint``: configuration, comments that ignore rules, formats and exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from messagegen import __version__
from messagegen.build import BUILD
from messagegen.cli import command as cli
from tests.conftest import Golden

FOLDER = Path(__file__).parent
SPEC = """\
{
  "type": "data",
  "name": "Made",
  "validVersions": "0-1",
  "flexibleVersions": "0+", "about": "What was made.",
  "fields": [
    { "name": "one", "type": "int32", "versions": "0+" },
    { "name": "Two", "type": "int32", "versions": "0-1", "ignorable": true }
  ]
}
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec with four findings, in a repository whose table names its folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    configure("")
    Path("specs").mkdir()
    path = tmp_path / "specs" / "Made.json"
    path.write_text(SPEC)
    return path


def configure(text: str) -> None:
    Path("pyproject.toml").write_text(f'[tool.messagegen]\nspecs = ["specs"]\n[tool.messagegen.lint]\n{text}\n')


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run(("lint", *arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def rules(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    found = json.loads(outcome(capsys, "--format", "json", *arguments)[1])["findings"]
    return sorted({finding["rule"] for finding in found})


ALL = ["FIELD_ABOUT_WRITTEN", "FIELD_NAME_CASE", "FIELD_VERSIONS_OPEN_ENDED"]


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_findings_are_printed_in_each_format(
    form: str, spec: Path, capsys: pytest.CaptureFixture[str], golden: Golden
) -> None:
    code, out, err = outcome(capsys, "--format", form)
    assert code == 1
    advice = "To ignore one, write above it: // messagegen:ignore FIELD_ABOUT_WRITTEN because REASON\n"
    assert err == (f"4 findings\n{advice}" if form == "text" else "")
    golden(FOLDER / "golden" / f"{form}.txt", out.replace(BUILD, __version__))


def test_flags_select_rules(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rules(capsys) == ALL
    assert rules(capsys, "--use", "MINIMAL") == []
    assert rules(capsys, "--use", "FIELD_NAME_CASE", "--use", "FIELD_VERSIONS_OPEN_ENDED") == [
        "FIELD_NAME_CASE",
        "FIELD_VERSIONS_OPEN_ENDED",
    ]
    assert rules(capsys, "--except", "FIELD_NAME_CASE") == [rule for rule in ALL if rule != "FIELD_NAME_CASE"]
    assert outcome(capsys, "--use", "MINIMAL")[0] == 0


def test_the_settings_table_selects_rules(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure('use = ["FIELD_NAME_CASE", "FIELD_VERSIONS_OPEN_ENDED"]')
    assert rules(capsys) == ["FIELD_NAME_CASE", "FIELD_VERSIONS_OPEN_ENDED"]
    configure('except = ["FIELD_NAME_CASE"]')
    assert rules(capsys) == [rule for rule in ALL if rule != "FIELD_NAME_CASE"]


@pytest.mark.parametrize("pattern", ["specs", "specs/", "specs/Made.json", "specs/M*"])
def test_the_settings_table_ignores_rules_in_paths(
    pattern: str, spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(f'ignore = {{ "{pattern}" = ["FIELD_NAME_CASE"], "other" = ["STANDARD"] }}')
    assert rules(capsys) == [rule for rule in ALL if rule != "FIELD_NAME_CASE"]


def test_rules_of_a_category_can_be_ignored_in_a_folder(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_text(SPEC.replace(', "about": "What was made."', ""))
    assert "MESSAGE_ABOUT_WRITTEN" in rules(capsys)
    configure('ignore = { "specs" = ["STANDARD"] }')
    assert rules(capsys) == []


def test_paths_in_the_settings_table_are_relative_to_its_file(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    configure('ignore = { "specs" = ["FIELD_NAME_CASE"] }')
    monkeypatch.chdir(spec.parent)
    assert "FIELD_NAME_CASE" not in rules(capsys)
    assert "FIELD_NAME_CASE" not in rules(capsys, "Made.json")


def test_exit_status_is_0_if_all_findings_are_warnings(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure('severity = { STANDARD = "warning" }')
    code, out, _ = outcome(capsys)
    assert code == 0
    assert out.startswith("specs/Made.json:7:5: warning: FIELD_ABOUT_WRITTEN ")


def test_comments_ignore_rules_for_the_adjacent_part(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    comment = "// messagegen:ignore FIELD_ABOUT_WRITTEN, FIELD_NAME_CASE because it is an example\n"
    spec.write_text(SPEC.replace('    { "name": "one"', f'    {comment}    {{ "name": "one"'))
    code, out, _ = outcome(capsys, "--format", "json")
    assert code == 1
    found = [(finding["line"], finding["rule"]) for finding in json.loads(out)["findings"]]
    assert found == [(9, "FIELD_ABOUT_WRITTEN"), (9, "FIELD_VERSIONS_OPEN_ENDED")]
    spec.write_text(comment + SPEC)
    assert rules(capsys) == ["FIELD_VERSIONS_OPEN_ENDED"]
    spec.write_text(comment.replace(" because it is an example", "") + SPEC)
    assert "FIELD_NAME_CASE" in rules(capsys)


def test_text_that_is_not_json_is_reported(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_text("{")
    code, out, err = outcome(capsys)
    assert (code, err) == (1, "1 finding\n")
    assert out.startswith("specs/Made.json:1:2: SPEC_TEXT_JSON expected")


def test_an_unknown_severity_is_an_error(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure('severity = { STANDARD = "bad" }')
    code, _, err = outcome(capsys)
    assert (code, 'a severity must be "error" or "warning"' in " ".join(err.split())) == (2, True)
