"""Measures, goals and reports of Spark runs, tested without Spark."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console

from benchmarks.measures import Measure, Measures, ratio, read, save
from benchmarks.spark import resources
from benchmarks.spark.data import ALL_ROWS
from benchmarks.spark.logs import AIOKAFKA, CODECS, FIVE_COLUMNS, LOGS
from benchmarks.spark.report import goals, show
from benchmarks.spark.workloads import (
    DECODE,
    DECODE_MESSAGES,
    FROM_AVRO,
    PARTS,
    REFERENCES,
    WORKLOADS,
    promises,
)

_ROOT: Final = Path(__file__).resolve().parents[2]


def measure(part: str, data: str, contestant: str, rate: float) -> Measure:
    return Measure(part, data, contestant, 1000, 1000 / rate, 2000 / rate)


def text_of(found: Measures) -> str:
    console = Console(file=io.StringIO(), width=200)
    show(found, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_measure_keeps_its_best_and_median_round() -> None:
    found = Measure.of(("part", "data", "who"), 100, [4.0, 1.0, 2.0], [3.0, 5.0])
    assert (found.best, found.median, found.cpu) == (1.0, 2.0, 3.0)
    assert (found.rate, found.median_rate) == (100, 50)


def test_saved_measures_can_be_read_back_unchanged(tmp_path: Path) -> None:
    found = Measures({"cores": "2"}, {"Kafka": "4"}, 3, (measure("a", "b", "c", 8),))
    save(found, tmp_path / "new" / "found.json")
    assert read(tmp_path / "new" / "found.json") == found


def test_newly_measured_parts_replace_older_parts() -> None:
    old = Measures(measures=(measure("a", "x", "c", 1), measure("b", "x", "c", 2)))
    new = Measures(measures=(measure("b", "y", "c", 3),)).with_older(old)
    assert new.measures == (measure("a", "x", "c", 1), measure("b", "y", "c", 3))


def test_ratios_compare_rates_even_if_row_counts_differ() -> None:
    ours = Measure("decode", "small", "ours", 1000, 1.0, 1.0)
    theirs = Measure("decode", "small", "theirs", 10, 0.5, 0.5)
    assert ratio(ours, theirs) == 50
    assert ratio(ours, None) is None


def test_goals_compare_each_workload_with_the_reference_of_the_same_part() -> None:
    found = Measures(
        measures=(
            measure(DECODE, "small", DECODE_MESSAGES, 900),
            measure(DECODE, "small", FROM_AVRO, 1000),
            measure("functions", "small", FROM_AVRO, 10),
            measure(LOGS, "lz4", FIVE_COLUMNS, 2e6),
            measure(LOGS, "lz4", AIOKAFKA, 5e5),
        ),
    )
    verdicts = {goal.text: (goal.measured, goal.verdict) for goal in goals(found)}
    assert verdicts[f"small, {DECODE_MESSAGES}: at least 1 times {FROM_AVRO}"] == ("0.90 times", "not met")
    assert verdicts["log segments, lz4: a million records/s a core"] == ("2.00 million/s, 4.0 times aiokafka", "met")


def test_each_part_has_one_reference_and_each_size_has_goals() -> None:
    assert set(REFERENCES) == set(PARTS)
    assert [workload.part for workload in WORKLOADS if not workload.least] == list(PARTS)
    sizes = {rows.size for rows in ALL_ROWS}
    assert {size for _, size, _ in promises()} == sizes


def test_the_committed_results_have_exactly_the_workloads_of_the_table() -> None:
    found = read(_ROOT / "benchmarks" / "results" / "spark.json")
    measured = {(each.part, each.data, each.contestant) for each in found.measures}
    asked = {(each.part, size, each.contestant) for each in WORKLOADS for size in each.sizes()}
    of_logs = {(LOGS, codec, who) for codec in CODECS for who in (FIVE_COLUMNS, AIOKAFKA)}
    assert measured == asked | of_logs


def test_unmeasured_goals_are_marked() -> None:
    assert {goal.verdict for goal in goals(Measures())} == {"not measured"}


def test_reports_show_measures_next_to_the_reference() -> None:
    found = Measures(
        measures=tuple(measure(LOGS, codec, who, 5) for codec in CODECS for who in (AIOKAFKA, FIVE_COLUMNS))
    )
    text = text_of(found)
    assert f"times {AIOKAFKA}" in text
    assert all(codec in text for codec in CODECS)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_processor_time_includes_child_processes() -> None:
    script = "import sys; sum(range(3_000_000)); print('ready', flush=True); sys.stdin.read()"
    before = resources.cpu_times(os.getpid())
    child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    after = resources.cpu_times(os.getpid())
    child.communicate()
    assert child.pid in after
    assert resources.cpu_between(before, after) > 0
