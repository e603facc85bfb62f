"""Measures, goals and reports of the runs on Spark, without Spark."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.measures import Measure, Measures, Memory, ratio, read, save
from benchmarks.spark import resources
from benchmarks.spark.goals import goals
from benchmarks.spark.names import (
    AIOKAFKA,
    CODECS,
    DECODE,
    FIVE_COLUMNS,
    FROM_AVRO,
    KAFKA_PYTHON,
    LOGS,
    ONE_CORE,
    OURS,
    SCALING,
    TWO_CORES,
)
from benchmarks.spark.report import show


def measure(part: str, data: str, contestant: str, rate: float) -> Measure:
    return Measure(part, data, contestant, 1000, 1000 / rate, 2000 / rate)


def text_of(found: Measures) -> str:
    console = Console(file=io.StringIO(), width=200)
    show(found, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_measure_is_of_its_best_and_its_median_round() -> None:
    found = Measure.of(("part", "data", "who"), 100, [4.0, 1.0, 2.0], [3.0, 5.0])
    assert (found.best, found.median, found.cpu) == (1.0, 2.0, 3.0)
    assert (found.rate, found.median_rate) == (100, 50)


def test_measures_survive_the_disk(tmp_path: Path) -> None:
    found = Measures({"cores": "2"}, {"Kafka": "4"}, 3, (measure("a", "b", "c", 8),), (Memory("small", 20, 5, 6),))
    save(found, tmp_path / "new" / "found.json")
    assert read(tmp_path / "new" / "found.json") == found


def test_a_part_measured_now_replaces_an_older_one() -> None:
    old = Measures(measures=(measure("a", "x", "c", 1), measure("b", "x", "c", 2)), memory=(Memory("x", 1, 1, 1),))
    new = Measures(measures=(measure("b", "y", "c", 3),)).with_older(old)
    assert new.measures == (measure("a", "x", "c", 1), measure("b", "y", "c", 3))
    assert new.memory == old.memory


def test_ratios_are_of_rates_whatever_the_amounts() -> None:
    ours = Measure("decode", "small", "ours", 1000, 1.0, 1.0)
    theirs = Measure("decode", "small", "theirs", 10, 0.5, 0.5)
    assert ratio(ours, theirs) == 50
    assert ratio(ours, None) is None


def test_goals_are_held_against_the_right_rival() -> None:
    found = Measures(
        measures=(
            measure(DECODE, "small", OURS, 900),
            measure(DECODE, "small", FROM_AVRO, 1000),
            measure(DECODE, "small", KAFKA_PYTHON, 30),
            measure(LOGS, "lz4", FIVE_COLUMNS, 2e6),
            measure(LOGS, "lz4", AIOKAFKA, 5e5),
            measure(SCALING, "decode small rows", ONE_CORE, 100),
            measure(SCALING, "decode small rows", TWO_CORES, 150),
        ),
        memory=(Memory("small", 1, 100, 100), Memory("small", 20, 110, 130)),
    )
    verdicts = {goal.text: (goal.measured, goal.verdict) for goal in goals(found)}
    assert verdicts[f"decode, small rows: at least 1 times {FROM_AVRO}"] == ("0.90 times", "not met")
    assert verdicts[f"decode, small rows: at least 25 times {KAFKA_PYTHON}"] == ("30.00 times", "met")
    assert verdicts["log segments, lz4: a million records/s a core"] == ("2.00 million/s, 4.0 times aiokafka", "met")
    assert verdicts["decode small rows: two cores at least 1.7 times one"] == ("1.50 times", "not met")
    flat = "small: peak memory of 20 times the data at most 1.25 times"
    assert verdicts[flat] == ("workers 1.10, JVM 1.30", "not met")


def test_goals_that_were_not_measured_say_so() -> None:
    assert {goal.verdict for goal in goals(Measures())} == {"not measured"}


def test_reports_show_what_was_measured_beside_the_reference() -> None:
    found = Measures(measures=tuple(measure(LOGS, codec, who, 5) for codec in CODECS for who in (AIOKAFKA, OURS)))
    text = text_of(found)
    assert f"times {AIOKAFKA}" in text
    assert all(codec in text for codec in CODECS)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_resources_of_a_process_and_what_it_started() -> None:
    script = (
        "import sys; data = bytearray(50_000_000); sum(range(3_000_000)); print('ready', flush=True); sys.stdin.read()"
    )
    before = resources.cpu_times(os.getpid())
    child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    after = resources.cpu_times(os.getpid())
    peak = resources.peak_bytes(os.getpid(), lambda command: "bytearray" in command)
    nobody = resources.peak_bytes(os.getpid(), lambda command: "no such command" in command)
    child.communicate()
    assert child.pid in after
    assert resources.cpu_between(before, after) > 0
    assert 50_000_000 < peak < 500_000_000
    assert nobody == 0
