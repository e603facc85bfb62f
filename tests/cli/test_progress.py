"""Slow work shows its progress on standard error: in one line of a terminal, otherwise in a line a step."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from messagegen.cli import run
from messagegen.cli.progress import Progress
from messagegen.fetch import specs as cached
from messagegen.fetch.specs import SpecSet, store_specs
from messagegen.progress import counted, step, told_to
from tests.merge.test_merge import NEW, OLD

SPECS = {"4.2.2": OLD, "4.3.1": OLD, "4.4.0": NEW}


def fetched(release: str) -> SpecSet:
    return SpecSet(release, {"kafka-clients/OrderRequest.json": json.dumps(SPECS[release]).encode()})


@pytest.fixture
def releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with jars of three releases at a Maven client that has them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def from_jars(jars: list[Path]) -> SpecSet:
        return fetched(jars[0].name)

    def download(release: str, *_: Any) -> list[Path]:
        return [Path(release)]

    monkeypatch.setattr(cached, "download", download)
    monkeypatch.setattr(cached, "from_jars", from_jars)
    return tmp_path


STEPS = [
    "Fetching the specs of Kafka 4.2.2",
    "Fetching the specs of Kafka 4.3.1",
    "Fetching the specs of Kafka 4.4.0",
    "Reading 3 sets",
    "Merging 3 sets",
    "Comparing 3 sets with the result",
]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_merge_tells_each_step(releases: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert run(["merge-specs", "kafka:4.2..4.4", "--out", "merged", "--format", form]) == 0
    captured = capsys.readouterr()
    assert captured.err.splitlines() == STEPS
    assert form == "text" or json.loads(captured.out)["findings"] == []


def test_a_range_that_is_generated_from_tells_each_step_once(
    releases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["generate", "--specs", "kafka:4.2..4.4", "--output", "out"]
    assert run(command) == 0
    assert capsys.readouterr().err.splitlines() == STEPS
    # The merged specs are in the cache now.
    assert run(command) == 0
    assert capsys.readouterr().err == ""


def test_fetching_is_a_step(releases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fetch-specs", "4.4", "--out", "specs"]) == 0
    assert capsys.readouterr().err == "Fetching the specs of Kafka 4.4.0\n"


def test_sets_of_ones_own_are_merged_without_a_word(releases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, spec in (("old", OLD), ("new", NEW)):
        Path(name).mkdir()
        Path(name, "OrderRequest.json").write_text(json.dumps(spec))
    assert run(["merge-specs", "old", "new", "--out", "merged"]) == 0
    assert capsys.readouterr().err == ""


def test_a_terminal_has_one_line_that_is_gone_at_the_end(releases: Path) -> None:
    for release in SPECS:
        store_specs(fetched(release), releases / "cache" / "messagegen" / "specs" / release)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "messagegen.cli", "merge-specs", "kafka:4.2..4.4", "--out", "merged"]
    with subprocess.Popen(command, stderr=theirs, stdout=subprocess.PIPE) as running:
        os.close(theirs)
        shown = written_to(ours)
    assert running.returncode == 0
    assert "\n" not in shown
    assert "\r\x1b[KMerging 3 sets kafka:4.4.0 (1 of 3)" in shown
    assert shown.endswith("\r\x1b[K")


def written_to(terminal: int) -> str:
    """What a process writes to its terminal until it ends."""
    found = b""
    while True:
        try:
            data = os.read(terminal, 4096)
        # Linux reports an error where other systems report the end.
        except OSError:
            data = b""
        if not data:
            os.close(terminal)
            return found.decode()
        found += data


def test_a_long_step_fits_into_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    Progress()("Fetching the specs of Kafka 4.4.0", "(1 of 20)")
    assert capsys.readouterr().err.endswith("Fetching the specs ")


def test_a_shell_may_have_closed_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    Progress()("Fetching the specs of Kafka 4.4.0", "")


def test_steps_tell_their_item_and_their_end() -> None:
    told: list[tuple[str, str]] = []
    with told_to(lambda text, item: told.append((text, item))):
        for name in counted(["a", "b"]):
            with step("Reading", name):
                pass
        with pytest.raises(ValueError, match="wrong"), step("Writing"):
            raise ValueError("wrong")
    with step("Unheard"):
        pass
    assert told == [("Reading", "a (1 of 2)"), ("", ""), ("Reading", "b (2 of 2)"), ("", ""), ("Writing", ""), ("", "")]
