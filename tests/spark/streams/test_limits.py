"""The limit of a stream's micro-batches in Spark, and what its progress shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.arrow.support.log_data import many_batches, write_segment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

BACKLOG = 100_000
TRICKLING = 49
LIMIT = 10_000
Start = Callable[..., "StreamingQuery"]


@pytest.fixture
def start(spark: SparkSession, tmp_path: Path) -> Start:
    """Return a function that starts a stream with a checkpoint; a second call continues it."""

    def start(trigger: dict[str, Any], **options: Any) -> StreamingQuery:
        stream = spark.readStream.format("kafka-log").options(**options).load(str(tmp_path / "logs"))
        writer = stream.select("offset").writeStream.format("noop").trigger(**trigger)
        return writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start()

    return start


def append_to_all(folder: Path, trigger: int) -> None:
    """Append a batch of ten records to each trickling partition."""
    for number in range(1, TRICKLING + 1):
        partition = folder / f"orders-{number}"
        partition.mkdir(parents=True, exist_ok=True)
        with (partition / f"{0:020}.log").open("ab") as file:
            file.write(many_batches(10 * trigger, 1, size=10)[0])


def sources(query: StreamingQuery) -> list[Any]:
    """Return the progress of all micro-batches that read something."""
    found = [progress["sources"][0] for progress in query.recentProgress]
    return [source for source in found if source["numInputRows"]]


def offset(places: str | dict[str, Any], folder: Path) -> int:
    parsed: dict[str, Any] = json.loads(places) if isinstance(places, str) else places
    return int(parsed.get(str(folder), {"offset": 0})["offset"])


@pytest.mark.slow
def test_a_partition_with_a_backlog_gets_most_of_the_limit(start: Start, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write_segment(logs / "orders-0", 0, many_batches(0, BACKLOG // 100, size=100))
    append_to_all(logs, 0)
    query = start({"processingTime": "0 seconds"}, maxOffsetsPerTrigger=LIMIT)
    while query.isActive and len(sources(query)) < 3:
        query.awaitTermination(1)
    query.stop()
    seen = sources(query)
    append_to_all(logs, 1)
    query = start({"availableNow": True}, maxOffsetsPerTrigger=LIMIT)
    assert query.awaitTermination(120)
    seen += sources(query)
    rows = [source["numInputRows"] for source in seen]
    assert max(rows) <= LIMIT
    assert sum(rows) == BACKLOG + TRICKLING * 20
    assert len(rows) <= 12
    backlog = logs / "orders-0"
    assert offset(seen[0]["endOffset"], backlog) >= 0.95 * LIMIT
    assert {offset(seen[-1]["endOffset"], logs / f"orders-{number}") for number in range(1, TRICKLING + 1)} == {20}


@pytest.mark.slow
def test_progress_shows_the_read_offsets_and_the_end_offsets(start: Start, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    for number in range(2):
        write_segment(logs / f"orders-{number}", 0, many_batches(0, 4))
    query = start({"availableNow": True}, topics="orders", maxOffsetsPerTrigger=6)
    assert query.awaitTermination(120)
    seen = sources(query)
    assert len(seen) == 4
    expected = f"kafka-log, path: {logs}, topics: orders, mode: FAILFAST, PushedFilters: []"
    assert {source["description"] for source in seen} == {expected}
    for number in range(2):
        folder = logs / f"orders-{number}"
        assert [offset(source["latestOffset"], folder) for source in seen] == [12] * 4
        assert [offset(source["endOffset"], folder) for source in seen] == [3, 6, 9, 12]
