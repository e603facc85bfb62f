"""The benchmark of histories: its log has the commits of all groups, and every command reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("aiokafka", reason="aiokafka is not installed: `make test` installs it")

from benchmarks.histories import measure, write_log
from messagegen_arrow import consumer_lag_history


def test_the_benchmark_log_has_one_commit_per_partition_and_turn(tmp_path: Path) -> None:
    write_log(tmp_path, 500 * 20 * 2)
    rows = [row for batch in consumer_lag_history(tmp_path) for row in batch.to_pylist()]
    assert len(rows) == 20_000
    assert len({(row["group"], row["partition"]) for row in rows}) == 10_000
    assert {row["offset"] for row in rows} == {0, 100}


@pytest.mark.slow
@pytest.mark.java
def test_every_command_reads_the_log() -> None:
    assert [run.name.split()[0] for run in measure(1000, print)] == [
        "messagegen-data",
        "messagegen-data",
        "kafka-dump-log",
    ]
