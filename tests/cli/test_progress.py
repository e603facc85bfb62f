"""Slow commands show progress on standard error: one changing line on a terminal, otherwise a line for each step."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from messagegen.cli import progress, run
from messagegen.cli.progress import Progress
from messagegen.fetch import specs as cached
from messagegen.fetch.specs import SpecSet, store_specs
from messagegen.progress import counted, step, told_to
from tests.support.merging import NEW, OLD

SPECS = {"4.2.2": OLD, "4.3.1": OLD, "4.4.0": NEW}


def fetched(release: str) -> SpecSet:
    return SpecSet(release, {"kafka-clients/OrderRequest.json": json.dumps(SPECS[release]).encode()})


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder. Three releases can be fetched."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def from_jars(jars: list[Path]) -> SpecSet:
        return fetched(jars[0].name)

    def published_jars(release: str, *_: Any, **__: Any) -> list[Path]:
        return [Path(release)]

    monkeypatch.setattr(cached, "published_jars", published_jars)
    monkeypatch.setattr(cached, "from_jars", from_jars)
    return tmp_path


@pytest.mark.parametrize(("command", "code"), [(["lint"], 1), (["generate", "--output", "order_messages"], 0)])
def test_commands_work_even_if_threads_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str], code: int
) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "OrderRequest.json").write_text(json.dumps(NEW), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MESSAGEGEN_PROGRESS", "1")
    monkeypatch.setattr(threading.Thread, "start", start)
    assert run([*command, "--specs", "specs"]) == code
    assert capsys.readouterr().err.splitlines()[:1] == (["10 findings"] if code else [])


STEPS = [
    "Fetching the specs of Kafka 4.2.2",
    "Fetching the specs of Kafka 4.3.1",
    "Fetching the specs of Kafka 4.4.0",
    "Reading 3 sets",
    "Merging 3 sets",
    "Comparing 3 sets with the result",
]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show progress immediately, from the first step on."""
    monkeypatch.delenv("MESSAGEGEN_PROGRESS")
    monkeypatch.setattr(progress, "Progress", partial(Progress, patience=0))


def without_summary(shown: str) -> list[str]:
    """Return the lines of progress except the last, which must contain the times of steps."""
    *lines, summary = shown.splitlines()
    assert re.fullmatch(r"Took \d+\.\d s: ([A-Z].* \d+\.\d s, ){0,3}[A-Z].* \d+\.\d s", summary)
    return lines


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_merge_reports_each_step(releases: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert run(["merge-specs", "kafka:4.2..4.4", "--output", "merged", "--format", form]) == 0
    captured = capsys.readouterr()
    assert without_summary(captured.err) == STEPS
    assert form == "text" or json.loads(captured.out)["findings"] == []


@pytest.mark.usefixtures("impatient")
def test_generating_reports_each_step_once(releases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["generate", "--specs", "kafka:4.2..4.4", "--output", "out"]
    steps = ["Reading specs", "Checking specs", "Planning messages", "Rendering files", "Writing files"]
    assert run(arguments) == 0
    assert without_summary(capsys.readouterr().err) == [*STEPS, *steps]
    # The second run reads the merged specs from the cache.
    assert run(arguments) == 0
    assert without_summary(capsys.readouterr().err) == steps


@pytest.mark.usefixtures("impatient")
def test_fetching_is_reported_as_a_step(releases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fetch-specs", "4.4", "--output", "specs"]) == 0
    assert without_summary(capsys.readouterr().err) == ["Fetching the specs of Kafka 4.4.0"]


def test_a_fast_run_shows_no_progress(
    releases: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("MESSAGEGEN_PROGRESS")
    monkeypatch.setattr(progress, "Progress", partial(Progress, patience=600))
    assert run(["fetch-specs", "4.4", "--output", "specs"]) == 0
    assert capsys.readouterr().err == ""


def test_a_slow_step_is_shown_while_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    written = ""
    with Progress(patience=0.01) as shown, told_to(shown), step("Sorting", "many numbers"):
        while not written:
            time.sleep(0.01)
            written = capsys.readouterr().err
    assert written == "Sorting\n"
    assert without_summary(capsys.readouterr().err) == []


@pytest.mark.usefixtures("impatient")
def test_a_failed_run_has_no_summary(releases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "--specs", "kafka:4.4.0", "--output", "out", "--message", "Nobody"]) == 2
    assert "Took" not in capsys.readouterr().err


IMPATIENT = """
from functools import partial
from messagegen.cli import main, progress
progress.Progress = partial(progress.Progress, patience=0)
main()
"""


def test_progress_on_a_terminal_is_one_line_that_is_erased_at_the_end(releases: Path) -> None:
    for release in SPECS:
        store_specs(fetched(release), releases / "cache" / "messagegen" / "specs" / release)
    ours, theirs = pty.openpty()
    arguments = [sys.executable, "-c", IMPATIENT, "merge-specs", "kafka:4.2..4.4", "--output", "merged"]
    environment = {name: value for name, value in os.environ.items() if name != "MESSAGEGEN_PROGRESS"}
    with subprocess.Popen(arguments, env=environment, stderr=theirs, stdout=subprocess.PIPE) as running:
        os.close(theirs)
        shown = written_to(ours)
    assert running.returncode == 0
    *lines, summary = shown.split("\r\x1b[K")
    assert "Merging 3 sets kafka:4.4.0 (1 of 3)" in lines
    assert "\n" not in "".join(lines)
    assert summary.startswith("Took ")


def written_to(terminal: int) -> str:
    """Return what a process writes to its terminal until the process exits."""
    found = b""
    while True:
        try:
            data = os.read(terminal, 4096)
        # Linux raises an error at the end, where other systems return no data.
        except OSError:
            data = b""
        if not data:
            os.close(terminal)
            return found.decode()
        found += data


def test_long_step_texts_are_cut_to_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    Progress(patience=0).begin("Fetching the specs of Kafka 4.4.0", "(1 of 20)")
    assert capsys.readouterr().err.endswith("Fetching the specs ")


def test_progress_works_if_standard_error_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with Progress(patience=0) as shown, told_to(shown), step("Fetching the specs of Kafka 4.4.0"):
        pass


def test_each_step_reports_its_item_and_its_end() -> None:
    told: list[tuple[str, str]] = []

    class Recorder:
        def begin(self, text: str, item: str) -> None:
            told.append((text, item))

        def end(self) -> None:
            told.append(("", ""))

    with told_to(Recorder()):
        for name in counted(["a", "b"]):
            with step("Reading", name):
                pass
        with pytest.raises(ValueError, match="wrong"), step("Writing"):
            raise ValueError("wrong")
    with step("Unheard"):
        pass
    assert told == [("Reading", "a (1 of 2)"), ("", ""), ("Reading", "b (2 of 2)"), ("", ""), ("Writing", ""), ("", "")]
