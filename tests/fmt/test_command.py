"""The command ``messagegen fmt``: its changes to files, its output and its exit status."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from messagegen.cli import command as cli
from messagegen.console.text import printable

BAD = '{ "type": "data", "name": "Ping",\n  "validVersions": "0", "flexibleVersions": "0+", "fields": [] }\n'
GOOD = (
    '{\n  "type": "data",\n  "name": "Ping",\n  "validVersions": "0",\n  "flexibleVersions": "0+",\n  "fields": []\n}\n'
)
SUMMARY = "1 file: 1 would be formatted, 0 unchanged\n"


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An unformatted spec, in a repository whose settings table names its folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.messagegen]\nspecs = ["specs"]\n')
    (tmp_path / "specs").mkdir()
    path = tmp_path / "specs" / "Ping.json"
    path.write_text(BAD)
    return path


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run(("fmt", *arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_fmt_writes_only_unformatted_files(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(capsys) == (0, "", "1 file: 1 formatted, 0 unchanged\n")
    assert spec.read_text() == GOOD
    assert outcome(capsys, "specs") == (0, "", "1 file: 0 formatted, 1 unchanged\n")


def test_check_writes_nothing_and_shows_a_diff(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, "--check")
    finding, diff = out.split("\n\n")
    assert (code, err) == (1, SUMMARY)
    assert finding.startswith("specs/Ping.json:1:1: SPEC_FORMATTED the file is not formatted; run `messagegen fmt`\n")
    assert diff.splitlines()[:5] == [
        "--- before/specs/Ping.json",
        "+++ formatted/specs/Ping.json",
        "@@ -1,2 +1,7 @@",
        '-{ "type": "data", "name": "Ping",',
        '-  "validVersions": "0", "flexibleVersions": "0+", "fields": [] }',
    ]
    assert spec.read_text() == BAD
    spec.write_text(GOOD)
    assert outcome(capsys, "--check", "specs/Ping.json")[0] == 0


def test_check_names_the_first_line_that_differs(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_text(GOOD.replace('  "fields"', '   "fields"'))
    assert ":6:1: SPEC_FORMATTED" in outcome(capsys, "--check")[1]
    spec.write_text(GOOD.rstrip())
    assert ":7:1: SPEC_FORMATTED" in outcome(capsys, "--check")[1]


def test_invalid_json_is_kept_and_the_other_files_are_formatted(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = spec.with_name("Bad.json")
    bad.write_text("{,}")
    code, out, err = outcome(capsys)
    assert (code, out) == (2, "")
    assert err.splitlines()[0].startswith("specs/Bad.json:1:2: SPEC_TEXT_JSON ")
    assert err.splitlines()[-1] == "2 files: 1 formatted, 0 unchanged, 1 not readable"
    assert (bad.read_text(), spec.read_text()) == ("{,}", GOOD)


def test_file_modes_and_links_are_kept(spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".git").mkdir()
    target = tmp_path / "Real.json"
    spec.rename(target)
    spec.symlink_to(target)
    target.chmod(0o640)
    assert outcome(capsys)[0] == 0
    assert spec.is_symlink()
    assert (target.read_text(), target.stat().st_mode & 0o777) == (GOOD, 0o640)


def test_check_names_line_endings_that_a_diff_does_not_show(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_bytes(GOOD.replace("\n", "\r\n").encode())
    code, out, _ = outcome(capsys, "--check")
    assert (code, out.splitlines()[-1]) == (
        1,
        "specs/Ping.json: only line endings or the byte order mark differ",
    )


def test_check_omits_the_diff_in_json_output(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert spec.exists()
    code, out, err = outcome(capsys, "--check", "--format", "json")
    assert (code, err) == (1, "")
    assert [finding["rule"] for finding in json.loads(out)["findings"]] == ["SPEC_FORMATTED"]


@pytest.mark.parametrize("options", [["--list"], ["-l"], ["-l", "--check"], ["-l", "--format", "text"]])
def test_list_writes_nothing_and_prints_only_paths(
    spec: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    spec.with_name("Good.json").write_text(GOOD)
    spec.with_name("A\u00a0b é.json").write_text(BAD)
    assert outcome(capsys, *options) == (1, "specs/A\u00a0b é.json\nspecs/Ping.json\n", "")
    others = Path("others")
    others.mkdir()
    (others / "Pong.json").write_text(BAD)
    expected = "others/Pong.json\nspecs/A\u00a0b é.json\nspecs/Ping.json\n"
    assert outcome(capsys, *options, "specs", "others") == (1, expected, "")
    assert outcome(capsys, *options, str(spec)) == (1, f"{spec}\n", "")
    assert outcome(capsys, *options, "specs/Good.json") == (0, "", "")
    assert spec.read_text() == BAD


def test_list_reports_invalid_json_on_standard_error(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.with_name("Bad.json").write_text("{,}")
    code, out, err = outcome(capsys, "--list")
    assert (code, out) == (2, "specs/Ping.json\n")
    assert err.startswith("specs/Bad.json:1:2: SPEC_TEXT_JSON ")
    assert err.splitlines()[1:] == [" 1 | {,}", "   |  ^"]
    assert outcome(capsys, "--list", "specs/Bad.json") == (2, "", err)


@pytest.mark.parametrize("name", ["a\nother.json", "\x1b[31mred.json", "\udcff.json"])
def test_list_refuses_paths_that_cannot_be_printed_on_one_line(
    spec: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    strange = spec.with_name(name)
    strange.write_text(BAD)
    spec.with_name("Wrong.json").write_text("{,}")
    code, out, err = outcome(capsys, "--list")
    assert (code, out) == (2, "")
    assert err.startswith("specs/Wrong.json:1:2: SPEC_TEXT_JSON ")
    spec.with_name("Wrong.json").unlink()
    _, _, err = outcome(capsys, "--list")
    assert err == (
        f"Error: --list cannot print the path specs/{printable(name)} on one line as it is; rename it, or use --check\n"
    )
    strange.write_text(GOOD)
    assert outcome(capsys, "--list") == (1, "specs/Ping.json\n", "")


@pytest.mark.parametrize("form", ["json", "github", "sarif"])
def test_list_rejects_machine_readable_formats(spec: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, "--list", "--format", form)
    assert (code, err) == (2, "")
    assert f"--list prints only paths; leave out --format, or use --check --format {form}." in out
    assert spec.read_text() == BAD


class _Input(io.TextIOWrapper):
    """Standard input that contains the given bytes."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))


@pytest.mark.parametrize("text", [BAD, GOOD, GOOD.replace("\n", "\r\n"), "\ufeff" + BAD])
def test_standard_input_is_formatted_to_standard_output(
    text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", _Input(text.encode()))
    assert outcome(capsys, "-") == (0, GOOD, "")


def test_standard_input_that_is_not_json_has_no_output(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", _Input(b"{,}"))
    code, out, err = outcome(capsys, "-", "--stdin-filename", "specs/Ping.json")
    lines = err.splitlines()
    assert (code, out) == (2, "")
    assert lines[0].startswith("specs/Ping.json:1:2: SPEC_TEXT_JSON ")
    assert lines[1] == " 1 | {,}"
    assert spec.read_text() == BAD


@pytest.mark.parametrize(("text", "code"), [(BAD, 1), (GOOD, 0), ("{,}", 2)])
def test_check_reports_unformatted_and_invalid_standard_input(
    text: str, code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", _Input(text.encode()))
    found, out, err = outcome(capsys, "-", "--check")
    assert found == code
    assert out.startswith("-:1:") == (code > 0)
    assert err.startswith("1 file: ")


@pytest.mark.parametrize(("text", "code"), [(BAD, 1), (GOOD, 0), ("{,}", 2)])
@pytest.mark.parametrize(("options", "name"), [([], "-"), (["--stdin-filename", "specs/Ping.json"], "specs/Ping.json")])
def test_list_prints_the_name_of_unformatted_standard_input(
    text: str,
    code: int,
    options: list[str],
    name: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", _Input(text.encode()))
    found, out, err = outcome(capsys, "-", "--list", *options)
    assert (found, out) == (code, f"{name}\n" if code == 1 else "")
    assert err.startswith(f"{name}:1:2: SPEC_TEXT_JSON ") if code == 2 else err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-", "specs"], "- is standard input; leave out the other PATHS."),
        (["specs", "--stdin-filename", "Ping.json"], "--stdin-filename requires - in place of PATHS."),
    ],
)
def test_wrong_usage_of_standard_input_is_an_error(
    spec: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert spec.read_text() == BAD
