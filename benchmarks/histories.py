"""Time and memory of ``lag-history`` and ``state`` over a log of commits, beside Kafka's own tool for such logs."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from rich.console import Console

from benchmarks.console import Progress
from benchmarks.processes import WorkerError
from benchmarks.report import new_table, show_table
from benchmarks.spark.logs import new_batch
from messagegen_kafka import OffsetCommitValue
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record
from tests.broker.java import tool_command

_GROUPS: Final = 500
_PARTITIONS: Final = 20
"""The partitions that each group consumes. A group commits their offsets in one request, which becomes one batch."""
_SEGMENT_BYTES: Final = 100 << 20
"""The size at which a broker begins a new segment of ``__consumer_offsets`` (``offsets.topic.segment.bytes``)."""
_START: Final = 1_700_000_000_000
_INTERVAL: Final = 5_000
"""The milliseconds between two commits of a consumer (``auto.commit.interval.ms``)."""
_RECORDS_A_COMMIT: Final = 100
"""The records that a group consumes from each partition between two commits."""
_VERSION: Final = 3
"""The version of ``OffsetCommitValue``."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command: the wall time in seconds, and the largest resident set in bytes."""

    name: str
    seconds: float
    memory: int


def write_log(folder: Path, commits: int) -> Path:
    """Write at least ``commits`` commits to a partition of ``__consumer_offsets``, and return its folder."""
    partition = folder / "__consumer_offsets-0"
    partition.mkdir(parents=True)
    offset = 0
    batches = _batches(commits)
    for first in batches:
        with (partition / f"{offset:020}.log").open("wb") as segment:
            for batch in (first, *islice(batches, _SEGMENT_BYTES // len(first))):
                segment.write(offset.to_bytes(8, "big") + batch[8:])
                offset += _PARTITIONS
    return partition


def _batches(commits: int) -> Iterator[bytes]:
    """Yield batches, whose base offset is 0, in the order of time."""
    keys = [[_commit(group, partition).key for partition in range(_PARTITIONS)] for group in range(_GROUPS)]
    for number in range(-(-commits // _PARTITIONS)):
        turn, group = divmod(number, _GROUPS)
        at = _START + turn * _INTERVAL + group
        value = _commit(group, 0, turn * _RECORDS_A_COMMIT, at).value
        builder = new_batch()
        for partition, key in enumerate(keys[group]):
            builder.append(partition, at, key, value, [])
        yield bytes(builder.build())


def _commit(group: int, partition: int, offset: int = 0, at: int = 0) -> Record:
    key = {"group": f"consumer-group-{group:05}", "topic": f"orders-of-shop-{group % 40:02}", "partition": partition}
    value = OffsetCommitValue(offset=offset, leader_epoch=0, commit_timestamp=at)
    return coordinator_record(OFFSETS, "OffsetCommit", key, value, _VERSION)


def measure(commits: int, progress: Progress) -> list[Run]:
    """Run each command once over a log of ``commits`` commits. Raises ``WorkerError`` if a command fails."""
    with tempfile.TemporaryDirectory(prefix="messagegen-histories-") as scratch:
        folder = Path(scratch)
        progress(f"writing {commits:,} commits")
        partition = write_log(folder, commits)
        runs = []
        for name, command in _commands(folder, partition).items():
            progress(name)
            runs.append(_run(name, command))
        return runs


def _commands(folder: Path, partition: Path) -> dict[str, list[str]]:
    ours = [sys.executable, "-m", "messagegen_arrow.cli"]
    segments = ",".join(map(str, sorted(partition.glob("*.log"))))
    return {
        "messagegen-data lag-history --format parquet": [
            *ours,
            "lag-history",
            str(folder),
            "--format=parquet",
            f"--output={folder / 'commits.parquet'}",
        ],
        "messagegen-data state --only groups": [*ours, "state", str(folder), "--only", "groups"],
        "kafka-dump-log --offsets-decoder": tool_command("kafka-dump-log", "--offsets-decoder", "--files", segments),
    }


def _run(name: str, command: Sequence[str]) -> Run:
    """Run a command, and discard its standard output."""
    start = time.perf_counter()
    nothing = os.open(os.devnull, os.O_WRONLY)
    actions = [(os.POSIX_SPAWN_DUP2, nothing, 1)]
    pid = os.posix_spawnp(command[0], list(command), os.environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    os.close(nothing)
    if status:
        raise WorkerError(f"{name} failed with exit code {os.waitstatus_to_exitcode(status)}")
    return Run(name, time.perf_counter() - start, usage.ru_maxrss << 10)


def show(commits: int, runs: Sequence[Run], console: Console) -> None:
    """Print the runs as a table."""
    table = new_table(["command"], ["seconds", "commits/s", "memory MB"])
    for run in runs:
        table.add_row(run.name, f"{run.seconds:.1f}", f"{commits / run.seconds:,.0f}", f"{run.memory >> 20:,}")
    show_table(f"{commits:,} commits of {_GROUPS} groups", table, console)
