"""Every command that finds something reports it in every format."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest

from messagegen.cli import run

SPEC: Final = """{
  "type": "data",
  "name": "Reading",
  "validVersions": "0",
  "flexibleVersions": "0+",
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
    "breaking": (("breaking", "--against", "before"), SPEC.replace("int32", "int64"), 1, "FIELD_SAME_WIRE_TYPE"),
}
"""Arguments, a spec that something is wrong with, the exit code, and the rule of the one finding."""

LOCATION: Final = {
    "type": "object",
    "required": ["physicalLocation"],
    "additionalProperties": False,
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "additionalProperties": False,
                    "properties": {"uri": {"type": "string", "pattern": r"^([\w./~-]|%[0-9A-F]{2})+$"}},
                },
                "region": {
                    "type": "object",
                    "required": ["startLine", "startColumn"],
                    "additionalProperties": False,
                    "properties": {
                        "startLine": {"type": "integer", "minimum": 1},
                        "startColumn": {"type": "integer", "minimum": 1},
                    },
                },
            },
        }
    },
}
MESSAGE: Final = {
    "type": "object",
    "required": ["text"],
    "additionalProperties": False,
    "properties": {"text": {"type": "string", "minLength": 1}},
}
LEVEL: Final = {"enum": ["none", "note", "warning", "error"]}
SARIF: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": "https://json.schemastore.org/sarif-2.1.0.json"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "additionalProperties": False,
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "additionalProperties": False,
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"const": "messagegen"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {"id": {"type": "string"}, "shortDescription": MESSAGE},
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message", "ruleId", "ruleIndex"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": LEVEL,
                                "message": MESSAGE,
                                "locations": {"type": "array", "items": LOCATION},
                                "relatedLocations": {"type": "array", "items": LOCATION},
                            },
                        },
                    },
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "additionalProperties": False,
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["message"],
                                        "additionalProperties": False,
                                        "properties": {"level": LEVEL, "message": MESSAGE},
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}
"""The parts of SARIF 2.1.0 that are written, as its schema has them."""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The one spec of a repository whose output is up to date; ``before`` has it too."""
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
    if rule in ("OUTPUT_UP_TO_DATE", "SPEC_FORMATTED"):
        return  # No place in a file is wrong: the whole file is.
    lines = (captured.out + captured.err).splitlines()
    place = next(number for number, line in enumerate(lines) if rule in line)
    line, column = re.match(r"my specs/Reading\.json:(\d+):(\d+): ", lines[place]).groups()  # type: ignore[union-attr]
    assert lines[place + 1] == f" {line} | {text.splitlines()[int(line) - 1]}"
    assert lines[place + 2] == f" {' ' * len(line)} | {' ' * (int(column) - 1)}^"


@cases
def test_sarif_is_valid(case: str, spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, text, code, rule = CASES[case]
    spec.write_text(text)
    assert run([*arguments, "--format", "sarif"]) == code
    document, found = sarif(capsys)
    assert [result["ruleId"] for result in found] == [rule]
    assert document["runs"][0]["tool"]["driver"]["rules"][0]["shortDescription"]["text"].startswith("Checks that ")


@cases
def test_github_annotates_the_file(case: str, spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, text, code, _ = CASES[case]
    spec.write_text(text)
    assert run([*arguments, "--format", "github"]) == code
    (line,) = capsys.readouterr().out.splitlines()
    match = re.match(r"::error file=([^,:]+)(,line=\d+,col=\d+)?,title=[^:]+::.+", line)
    assert match is not None
    assert Path(match[1]).is_file()


@cases
def test_json_can_be_read(case: str, spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, text, code, rule = CASES[case]
    spec.write_text(text)
    assert run([*arguments, "--format", "json"]) == code
    value = json.loads(capsys.readouterr().out)
    if rule == "OUTPUT_UP_TO_DATE":
        assert (value["status"], value["changes"]["changed"]) == ("drift", ["reading.py"])
    else:
        assert value["status"] == "findings"
        assert [finding["rule"] for finding in value["findings"]] == [rule]


@pytest.mark.parametrize("arguments", sorted({arguments for arguments, *_ in CASES.values()}))
def test_sarif_without_findings_is_valid(
    arguments: tuple[str, ...], spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--format", "sarif"]) == 0
    assert sarif(capsys)[1] == []


def test_an_error_is_a_notification_in_sarif(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "--specs", "absent", "--format", "sarif"]) == 2
    document, found = sarif(capsys)
    (invocation,) = document["runs"][0]["invocations"]
    assert found == []
    assert not invocation["executionSuccessful"]
    assert "absent" in invocation["toolExecutionNotifications"][0]["message"]["text"]


WRONG_USAGE: Final = {
    "option": (("--nope",), SPEC, "No such option '--nope'", []),
    "rule": (("--use", "NOPE"), SPEC, "unknown rule or category NOPE", []),
    "file": (("--config", "absent.toml"), SPEC, "absent.toml", []),
    "specs": (("--against", "before"), BAD, "the specs have errors", ["FIELD_TYPE_KNOWN"]),
}
"""Options, a spec, the start of the error or a word in it, and the rules of its findings."""


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
def test_an_error_has_the_format_that_programs_read(
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
        jsonschema.validate(document, SARIF)
        (invocation,) = document["runs"][0]["invocations"]
        assert error in invocation["toolExecutionNotifications"][0]["message"]["text"]
    else:
        *annotated, last = printed.out.splitlines()
        assert last.startswith("::error title=messagegen::")
        assert error in last
        assert len(annotated) == len(rules)


def sarif(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The one document on standard output, checked, and its results."""
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SARIF)
    (one,) = document["runs"]
    rules = [rule["id"] for rule in one["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in one["results"])
    return document, one["results"]
