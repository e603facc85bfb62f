"""A stream from a live broker's log folder to Parquet is killed repeatedly, and loses and repeats no record."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any, Final

import pyarrow.parquet as pq
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from tests.broker.cluster import Cluster
from tests.broker.records import consume, create_topics, produce
from tests.broker.waiting import eventually
from tests.spark.support.processes import SparkProcess, spark_environment
from tests.support import profiles

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.xdist_group("broker")]

KILLS: Final = max(3, profiles.scaled(4))
"""The number of kills. Only `make test-thorough` has many, because each restart of Spark takes 20 seconds."""
PARTITIONS: Final = 2
SEGMENT_BYTES: Final = 1 << 20
"""The smallest segment size that brokers allow."""
_RECORD: Final = b"x" * 5000
_SECONDS: Final = 300


def last(folder: Path) -> int:
    """Return the number of the last micro-batch in a part of a checkpoint, or -1 before the first."""
    names = [path.name for path in folder.iterdir()] if folder.exists() else []
    return max((int(name) for name in names if name.isdigit()), default=-1)


class Stream:
    """Runs of the program ``log_to_parquet`` with the same output."""

    def __init__(self, logs: str, folder: Path) -> None:
        self._command = [sys.executable, "-m", "tests.spark.streams.log_to_parquet", logs, str(folder)]
        self._folder = folder

    @property
    def planned(self) -> int:
        return last(self._folder / "checkpoint" / "offsets")

    @property
    def committed(self) -> int:
        return last(self._folder / "checkpoint" / "commits")

    @property
    def is_within_a_batch(self) -> bool:
        return self.planned > self.committed

    def run(self, how: str) -> SparkProcess:
        environment = spark_environment(PYTHONPATH=str(Path(__file__).parents[3]))
        return SparkProcess("stream", [*self._command, how], self._folder / "stream.log", environment)

    def rows(self) -> list[tuple[Any, ...]]:
        table = pq.read_table(self._folder / "rows.parquet")
        return sorted(zip(*(table.column(name).to_pylist() for name in table.column_names), strict=True))


def kill_within_a_batch(stream: Stream, random: Random) -> bool:
    """Start the stream, and kill the driver and the JVM at a random time. Return whether a batch was running then."""
    driver = stream.run("follow")
    try:
        batches = stream.committed + random.randrange(3)
        eventually(
            lambda: (stream.committed >= batches and stream.is_within_a_batch) or not driver.running, timeout=_SECONDS
        )
        time.sleep(random.uniform(0, 0.5))
        assert driver.running, driver.problem("the stream ended before it was killed")
        os.killpg(driver.pid, signal.SIGKILL)
        eventually(lambda: "java" not in session(driver.pid), timeout=_SECONDS)
        return stream.is_within_a_batch
    finally:
        driver.close()


def session(leader: int) -> str:
    """Return the commands in a process's session that are still running."""
    listed = ["ps", "-o", "stat=,comm=", "--sid", str(leader)]
    lines = subprocess.run(listed, capture_output=True, text=True, check=False).stdout.splitlines()
    return "\n".join(line for line in lines if not line.startswith("Z"))


@contextmanager
def appending(broker: Cluster, topic: str) -> Iterator[None]:
    """Append records to both partitions until the end of the ``with`` block, some of them in one batch."""
    stopped, failures = Event(), list[BaseException]()

    def append() -> None:
        number = 0
        while not stopped.wait(0.1):
            keys = range(number, number + 1 + number % 7)
            try:
                produce(
                    broker.bootstrap(),
                    [{"topic": topic, "partition": k % PARTITIONS, "key": b"%d" % k, "value": _RECORD} for k in keys],
                )
            except BaseException as problem:  # noqa: BLE001 - told to the test
                failures.append(problem)
                return
            number += len(keys)

    thread = Thread(target=append)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
    assert not failures, failures


def test_killing_the_stream_loses_and_repeats_no_records(broker: Cluster, tmp_path: Path) -> None:
    seed = profiles.seed() or Random().randrange(1, 1 << 32)
    print(f"seed {seed}")  # noqa: T201 - it repeats the moments of a run that failed
    topic = f"killed-{uuid.uuid4().hex[:8]}"
    create_topics(broker.bootstrap(), {topic: PARTITIONS}, segment_bytes=str(SEGMENT_BYTES))
    stream, random, kills = Stream(f"{broker.log_dir()}/{topic}-*", tmp_path), Random(seed), 0

    def has_added_segments() -> bool:
        return len(list(broker.log_dir().glob(f"{topic}-*/*.log"))) > PARTITIONS

    with appending(broker, topic):
        for _ in range(3 * KILLS):
            kills += kill_within_a_batch(stream, random)
            if kills == KILLS:
                break
        # On a busy machine, the first segments may still have space.
        eventually(has_added_segments, timeout=_SECONDS)
    assert kills == KILLS, f"seed {seed}: only {kills} kills came in the middle of a batch"
    finished = stream.run("finish")
    try:
        eventually(lambda: not finished.running, timeout=_SECONDS)
    finally:
        finished.close()
    assert (tmp_path / "rows.parquet").exists(), finished.problem("the stream failed")
    expected = sorted(
        (each.partition, each.offset, each.key, each.value) for each in consume(broker.bootstrap(), topic, PARTITIONS)
    )
    assert [row[:2] for row in stream.rows()] == [row[:2] for row in expected], f"seed {seed}"
    assert stream.rows() == expected
