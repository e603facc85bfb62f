"""Commands that read for more than a second print the number of rows so far."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from messagegen_arrow.cli.progress import RowProgress

BATCH = pa.RecordBatch.from_pydict({"offset": [1, 2, 3]})


@pytest.fixture(autouse=True)
def _shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MESSAGEGEN_PROGRESS")


def read(progress: RowProgress) -> list[int]:
    with progress:
        return [batch.num_rows for batch in progress.counted([BATCH, BATCH.slice(1)])]


def without_time(text: str) -> str:
    return re.sub(r"\d+(\.\d)? s\b", "N s", text)


def test_a_file_gets_progress_lines_during_and_after_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert read(RowProgress(patience=0)) == [3, 2]
    captured = capsys.readouterr()
    assert captured.out == ""
    assert without_time(captured.err) == "Rows read so far: 3 in N s\nRows read: 5 in N s\n"


def test_a_terminal_gets_one_line_that_is_overwritten(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    read(RowProgress(patience=0))
    assert without_time(capsys.readouterr().err) == ("\r\x1b[KRows read so far: 3 in N s\r\x1b[KRows read: 5 in N s\n")


@pytest.mark.parametrize("to_file", [True, False])
def test_progress_is_hidden_if_rows_go_to_a_terminal_or_pager(
    to_file: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    (tmp_path / "rows").touch()
    ours, theirs = os.pipe()
    with (tmp_path / "rows").open("w") as file, os.fdopen(ours, "rb"), os.fdopen(theirs, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", file if to_file else pipe)
        read(RowProgress(prints_rows=True, patience=0))
    assert ("Rows read: 5" in capsys.readouterr().err) == to_file


@pytest.mark.parametrize("why", ["fast", "off", "closed"])
def test_progress_needs_a_slow_run_and_an_open_stderr_and_can_be_disabled(
    why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if why == "off":
        monkeypatch.setenv("MESSAGEGEN_PROGRESS", "0")
    if why == "closed":
        monkeypatch.setattr(sys, "stderr", None)
    assert read(RowProgress(patience=600 if why == "fast" else 0)) == [3, 2]
    assert capsys.readouterr().err == ""


def test_a_failed_run_prints_no_final_count(capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> Iterator[pa.RecordBatch]:
        yield BATCH
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"), RowProgress(patience=0) as progress:
        list(progress.counted(broken()))
    assert "Rows read: " not in capsys.readouterr().err
