"""`messagegen advise` as users meet it: errors, pipes, and installations that lack something."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from messagegen.cli import command as cli
from messagegen_arrow.log.rows import DataLossError, RowReader
from tests.arrow.support.history_data import write_broker

VALUES = ["--message", "OffsetCommitValue", "--topic", "__consumer_offsets"]

# The commands that need messagegen_arrow, where it is not installed.
WITHOUT_ARROW = """
import sys
sys.modules["messagegen_arrow"] = None
from messagegen.cli import run
for arguments in (["--help"], *([command, "--help"] for command in sys.argv[1:])):
    assert run(arguments) == 0
assert [run([command, "path", "--message", "A"]) for command in ("dump", "advise")] == [2, 2]
"""


@pytest.fixture
def broker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_broker(tmp_path / "kafka-logs")


def outcome(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = cli.run(["advise", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_help_needs_the_generator_only() -> None:
    commands = ["advise", "dump", "consumer-lag-history", "metadata-history", "transaction-history"]
    done = subprocess.run([sys.executable, "-c", WITHOUT_ARROW, *commands], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [
        f"Error: {command} needs messagegen_arrow; install it with: pip install 'messagegen[arrow]'"
        for command in ("dump", "advise")
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("kafka-logs", "--message", "Nope"), "unknown message 'Nope'; pass its spec with --specs DIR"),
        (("kafka-logs", "--message", "OffsetCommitValu"), "did you mean OffsetCommitValue"),
        (("", "--message", "OffsetCommitValue"), "must not be empty"),
    ],
)
@pytest.mark.usefixtures("broker")
def test_wrong_usage(arguments: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert reason in err


def test_files_that_disappear_meanwhile_are_an_error(
    broker: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> NoReturn:
        raise DataLossError("the segment is gone")

    monkeypatch.setattr(RowReader, "read", gone)
    assert outcome(capsys, broker, *VALUES) == (2, "", "Error: the segment is gone\n")


def test_a_report_without_charts_fails_before_anything_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [
        name for name in sys.modules if name.startswith(("messagegen_spark.advisor", "messagegen_spark.pages"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = outcome(capsys, "nowhere", *VALUES, "--report", "page.html")
    assert (code, err) == (
        2,
        "Error: --report needs matplotlib; install it with: pip install 'messagegen[spark]'\n",
    )


def test_a_reader_that_closes_the_pipe_ends_it(broker: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "messagegen.cli", "advise", broker, *VALUES],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (cli.EXIT_BROKEN_PIPE, "")
