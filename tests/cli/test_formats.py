"""Every command with findings prints them in every format."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from messagegen.cli import run
from messagegen.cli.findings import _excerpt, show_findings
from messagegen.findings import Finding

SPEC: Final = """{
  "type": "data",
  "name": "Reading",
  "validVersions": "0",
  "flexibleVersions": "0+",
  "about": "What a sensor read.",
  "fields": [
    { "name": "Value", "type": "int32", "versions": "0+",
      "about": "What was read." }
  ]
}
"""
BAD: Final = SPEC.replace("int32", "int33")
CASES: Final = {
    "generate": (("generate",), BAD, 2, "FIELD_TYPE_KNOWN"),
    "generate --check, spec": (("generate", "--check"), BAD, 2, "FIELD_TYPE_KNOWN"),
    "generate --check": (("generate", "--check"), SPEC.replace("int32", "int64"), 1, "OUTPUT_UP_TO_DATE"),
    "lint": (("lint",), SPEC.replace("Value", "value"), 1, "FIELD_NAME_CASE"),
    "lint, spec": (("lint",), BAD, 1, "FIELD_TYPE_KNOWN"),
    "fmt --check": (("fmt", "--check"), SPEC.replace("  ", "\t"), 1, "SPEC_FORMATTED"),
    "fmt --check, spec": (("fmt", "--check"), "{", 2, "SPEC_TEXT_JSON"),
    "breaking": (("breaking", "--against", "before"), SPEC.replace("int32", "int64"), 1, "FIELD_SAME_TYPE"),
}
"""Arguments, a wrong spec, the exit code, and the rule of the only finding."""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The only spec of a repository with an output that is up to date. The folder ``before`` has a copy."""
    for folder in ("my specs", "before"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Reading.json").write_text(SPEC)
    (tmp_path / "pyproject.toml").write_text('[tool.messagegen]\nspecs = ["my specs"]\noutput = "src/readings"\n')
    monkeypatch.chdir(tmp_path)
    assert run(["generate"]) == 0
    capsys.readouterr()
    return tmp_path / "my specs" / "Reading.json"


cases = pytest.mark.parametrize("case", CASES)


@cases
def test_text_shows_the_line_and_a_caret(case: str, spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, text, code, rule = CASES[case]
    spec.write_text(text)
    assert run(arguments) == code
    captured = capsys.readouterr()
    if rule == "OUTPUT_UP_TO_DATE":
        return  # The finding is about the whole file, not a line.
    lines = (captured.out + captured.err).splitlines()
    place = next(number for number, line in enumerate(lines) if rule in line)
    line, column = re.match(r"my specs/Reading\.json:(\d+):(\d+): ", lines[place]).groups()  # type: ignore[union-attr]
    source = text.splitlines()[int(line) - 1].replace("\t", " ")
    assert lines[place + 1] == f" {line} | {source}".rstrip()
    assert lines[place + 2] == f" {' ' * len(line)} | {' ' * (int(column) - 1)}^"


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("\x1b[31m\tx", 7, [" 1 |  [31m x", "   |       ^"]),
        ("x" * 100 + "!" + "y" * 100, 101, [f" 1 | {'x' * 60}!{'y' * 59}", f"   | {' ' * 60}^"]),
        (" ", 1, []),
    ],
)
def test_excerpts_of_long_lines_are_shortened(line: str, column: int, expected: list[str]) -> None:
    assert list(_excerpt(Finding("Made.json", 1, column, "RULE", "wrong"), [line])) == expected
    assert list(_excerpt(Finding("Made.json", 2, column, "RULE", "wrong"), [line])) == []


def test_a_file_with_many_findings_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, read = tmp_path / "Made.json", list[Path]()
    file.write_text("wrong\n" * 100)

    def read_text(path: Path) -> bytes:
        read.append(path)
        return path.read_bytes()

    monkeypatch.setattr("messagegen.cli.findings.read_text", read_text)
    show_findings([Finding(str(file), line, 1, "RULE", "wrong") for line in range(1, 101)])
    assert read == [file]


@cases
def test_every_format_contains_the_finding(case: str, spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, text, code, rule = CASES[case]
    spec.write_text(text)
    assert run([*arguments, "--format", "sarif"]) == code
    document, found = sarif(capsys)
    assert [result["ruleId"] for result in found] == [rule]
    assert document["runs"][0]["tool"]["driver"]["rules"][0]["shortDescription"]["text"].startswith("Checks that ")
    assert run([*arguments, "--format", "github"]) == code
    line, *_ = capsys.readouterr().out.splitlines()
    match = re.match(r"::error file=([^,:]+)(,line=\d+,col=\d+)?,title=[^:]+::.+", line)
    assert match is not None
    assert Path(match[1]).is_file()
    assert run([*arguments, "--format", "json"]) == code
    value = json.loads(capsys.readouterr().out)
    if rule == "OUTPUT_UP_TO_DATE":
        assert (value["status"], value["findings"][0]["file"]) == ("findings", "src/readings/reading.py")
    else:
        assert value["status"] == ("error" if case.startswith("generate") else "findings")
    assert [finding["rule"] for finding in value["findings"]] == [rule]


WRONG_USAGE: Final = {
    "option": (("--nope",), SPEC, "No such option '--nope'", []),
    "rule": (("--use", "NOPE"), SPEC, "unknown rule or category NOPE", []),
    "file": (("--config", "absent.toml"), SPEC, "absent.toml", []),
    "specs": (("--against", "before"), BAD, "the specs have errors", ["FIELD_TYPE_KNOWN"]),
}
"""Options, a spec, a part of the error, and the rules of its findings."""


@pytest.mark.parametrize(
    ("command", "case"),
    [
        *(
            (command, case)
            for command in ("generate", "docs", "lint", "fmt", "breaking")
            for case in ("option", "file")
        ),
        *((command, "rule") for command in ("lint", "breaking")),
        ("breaking", "specs"),
    ],
)
@pytest.mark.parametrize("form", ["json", "github", "sarif"])
def test_errors_are_printed_in_the_selected_format(
    case: str, command: str, form: str, spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options, text, error, rules = WRONG_USAGE[case]
    needed = {"docs": ["--output", "site"], "fmt": ["--check"]}.get(command, [])
    spec.write_text(text)
    assert run([command, *needed, *options, f"--format={form}"]) == 2
    printed = capsys.readouterr()
    assert printed.err == ""
    if form == "json":
        value = json.loads(printed.out)
        assert (list(value), value["status"]) == (["status", "error", "findings"], "error")
        assert error in value["error"]
        assert [finding["rule"] for finding in value["findings"]] == rules
    elif form == "sarif":
        document = json.loads(printed.out)
        (invocation,) = document["runs"][0]["invocations"]
        assert error in invocation["toolExecutionNotifications"][0]["message"]["text"]
    else:
        *annotated, last = printed.out.splitlines()
        assert last.startswith("::error title=messagegen::")
        assert error in last
        assert len(annotated) == len(rules)


def sarif(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Read and check the SARIF document on standard output. Return it and its results."""
    document = json.loads(capsys.readouterr().out)
    assert document["version"] == "2.1.0"
    (one,) = document["runs"]
    rules = [rule["id"] for rule in one["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in one["results"])
    return document, one["results"]
