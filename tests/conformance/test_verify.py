"""``messagegen verify-vectors`` with right, wrong, late, malformed and missing answers, and ``messagegen vectors``."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from messagegen.cli import run
from messagegen.conformance.verify import json_difference
from tests.conftest import Golden
from tests.support.specs import GOLDEN, OWN

SPEC = """\
{
  "type": "data",
  "name": "Reading",
  "validVersions": "0-1",
  "flexibleVersions": "1+",
  "fields": [
    { "name": "Sensor", "type": "string", "versions": "0+" },
    { "name": "Values", "type": "[]Value", "versions": "0+", "fields": [
      { "name": "Celsius", "type": "float64", "versions": "0+" },
      { "name": "Count", "type": "int32", "versions": "0+" }
    ]}
  ]
}
"""

Adapter = Callable[[str], list[str]]


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Adapter:
    """Make a command that answers as messagegen does, but first runs ``change``, which may replace ``answer``."""
    (tmp_path / "Reading.json").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)

    def make(change: str) -> list[str]:
        lines = [
            "import json, os, sys, time",
            "from messagegen import load",
            "from messagegen.conformance import answer as answered",
            "package = load('Reading.json')",
            "for line in sys.stdin:",
            "    question, answer = json.loads(line), answered(package, line)",
            *(f"    {line}" for line in change.splitlines()),
            "    print(json.dumps(answer), flush=True)",
        ]
        (tmp_path / "adapter.py").write_text("\n".join(lines))
        return ["--", sys.executable, "adapter.py"]

    return make


def verify(*arguments: str) -> int:
    return run(["verify-vectors", "--specs", "Reading.json", *arguments])


def test_an_implementation_that_agrees_with_all_vectors_passes(
    adapter: Adapter, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(*adapter("pass")) == 0
    assert capsys.readouterr().out == (
        "Messages: 1 passed, 0 failed, 0 not supported. Checks: 35 passed, 0 failed, 0 not supported.\n"
    )


WRONG = """\
if question["op"] == "decode" and question["version"] == 0: answer["json"]["sensor"] += "!"
if question["op"] == "decode" and question["version"] == 1: answer["json"]["values"][:1] = []
if question["op"] == "reencode" and answer["hex"]: answer["hex"] = answer["hex"][:-2] + "77"
if question["op"] == "encode" and question["version"] == 1: answer = {"error": "ValueError: no"}
"""


def test_each_wrong_answer_is_reported(adapter: Adapter, capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    assert verify(*adapter(WRONG)) == 1
    golden(GOLDEN / "vectors" / "failures.txt", capsys.readouterr().out)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("sys.exit('a\\nbroken')", "ended with exit code 1: broken"),
        ("os.kill(os.getpid(), 9)", "ended with exit code -9"),
        ("time.sleep(1000)", "did not end in 10 seconds"),
    ],
    ids=["ends", "killed", "hangs"],
)
def test_a_command_that_ends_or_hangs_is_reported_with_the_next_question(
    adapter: Adapter, stop: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify("--timeout", "10", *adapter(f"if question['op'] == 'decode': {stop}")) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"{reason}; it answered 1 questions, and the next is: decode Reading, version 0" in said


@pytest.mark.skipif(shutil.which("cat") is None, reason="cat is not installed")
def test_a_command_that_echoes_its_input_passes_no_check(adapter: Adapter, capsys: pytest.CaptureFixture[str]) -> None:
    adapter("pass")
    assert verify("--", "cat") == 1
    assert "Checks: 0 passed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["no-such-command"], "no-such-command cannot be started: No such file or directory"),
        (
            [sys.executable, "-c", "raise SystemExit('no library')"],
            "ended with exit code 1: no library; it answered 0 questions, and the next is: encode Reading, version 0",
        ),
        ([sys.executable, "-c", "print('Loading...')"], "the command answered 'Loading...'"),
        ([sys.executable, "-c", "print([1])"], "the command answered '[1]'"),
    ],
    ids=["missing", "ends", "text", "list"],
)
def test_commands_without_valid_answers_are_errors(
    adapter: Adapter, command: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter("pass")
    assert verify("--", *command) == 2
    shown = capsys.readouterr()
    assert message in " ".join(shown.err.split())
    assert shown.out == ""


@pytest.mark.slow
def test_unsupported_operations_are_not_failures(adapter: Adapter, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(*adapter("if question['version'] == 1: answer = {'unsupported': 'version 1'}")) == 0
    assert "Checks: 18 passed, 0 failed, 17 not supported." in capsys.readouterr().out
    assert verify(*adapter("answer = {'unsupported': 'all'}")) == 2
    assert "supports none of these messages" in capsys.readouterr().err


def test_vectors_are_written_as_lines_of_json(adapter: Adapter, capsys: pytest.CaptureFixture[str]) -> None:
    adapter("pass")
    assert run(["vectors", "--specs", "Reading.json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 12
    assert (lines[0]["shape"], lines[0]["json"], lines[0]["hex"]) == ("default", {"sensor": "", "values": []}, "00" * 6)


def test_wrong_usage_is_an_error(adapter: Adapter, capsys: pytest.CaptureFixture[str]) -> None:
    command = adapter("pass")
    assert run(["verify-vectors", "--specs", "Reading.json"]) == 2
    assert verify("--message", "Redding", *command) == 2
    assert "did you mean Reading?" in capsys.readouterr().err


@pytest.mark.slow
def test_messagegen_passes_its_own_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    command = shlex.split(
        f"{shlex.quote(sys.executable)} -m messagegen.cli conformance --specs {shlex.quote(str(OWN))}"
    )
    assert run(["verify-vectors", "--specs", str(OWN), "--", *command]) == 0
    assert " 0 failed, 0 not supported. Checks: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("expected", "got", "difference"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": float("nan")}, {"a": float("nan")}, None),
        ({"a": 0.0}, {"a": -0.0}, "a: -0.0, expected 0.0"),
        ({"a": True}, {"a": 1}, "a: 1, expected true"),
        ({"a": 1}, {"a": 1.0}, None),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "a.b[1]: 3, expected 2"),
        ({"a": [1]}, {"a": [1, 2]}, "the length of a: 2, expected 1"),
        ({"a": 1}, {}, "a: nothing, expected 1"),
        ({}, {"a": None}, "a: null, expected nothing"),
        ({"a": {}}, {"a": []}, "a: nothing, expected {}"),
        ({}, 3, "the message: 3, expected {}"),
    ],
)
def test_differences_name_the_place_and_both_values(expected: object, got: object, difference: str | None) -> None:
    assert json_difference(expected, got) == difference
