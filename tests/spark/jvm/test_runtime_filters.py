"""A join with a few topics or partitions reads only their logs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as sf

from tests.arrow.support.log_data import many_batches, marker, write_segment
from tests.native.record_batches import Batch, Record
from tests.spark.support.log_lines import log_lines

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

Load = Callable[..., "DataFrame"]

_TOPICS = 5
_PRUNING = "spark.sql.optimizer.dynamicPartitionPruning"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Write several topics of two partitions."""
    for topic in range(_TOPICS):
        for partition in range(2):
            write_segment(tmp_path / "logs" / f"topic{topic}-{partition}", 0, many_batches(0, 1 + topic))
    return tmp_path / "logs"


@pytest.fixture
def owners(spark: SparkSession, tmp_path: Path) -> DataFrame:
    """A table with an owner for each partition."""
    rows = [(f"topic{topic}", partition, f"owner{topic}") for topic in range(_TOPICS) for partition in range(2)]
    spark.createDataFrame(rows, "topic string, partition int, owner string").write.parquet(str(tmp_path / "owners"))
    return spark.read.parquet(str(tmp_path / "owners"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "condition", "read"),
    [
        (["topic"], "owner = 'owner1'", ["topic1-0", "topic1-1"]),
        (["topic", "partition"], "owner = 'owner3' and partition = 1", ["topic3-1"]),
        (["topic"], "owner in ('owner0', 'owner4')", ["topic0-0", "topic0-1", "topic4-0", "topic4-1"]),
    ],
)
def test_a_join_reads_only_the_logs_of_its_keys(
    spark: SparkSession, load: Load, logs: Path, owners: DataFrame, keys: list[str], condition: str, read: list[str]
) -> None:
    log = load(logs)
    # Without the hint, Spark may broadcast this small log, which then has no filter.
    wanted = sf.broadcast(owners.where(condition).select(*keys).distinct())
    joined = log.join(wanted, keys).select("topic", log["partition"], "value")
    with log_lines(spark, "messagegen.spark.LogScan", "INFO") as lines:
        found = joined.collect()
    skipped = 2 * _TOPICS - len(read)
    plans = [line for line in lines() if "skipped by filters" in line]
    assert plans[-1] == f"kafka-log: {len(read)} segments; skipped by filters: 0 segments, {skipped} partitions"
    places = {tuple(name.split("-")) for name in read}
    rows = [(row.topic, row.partition, row.value) for row in log.collect()]
    assert sorted(map(tuple, found)) == sorted(row for row in rows if (row[0], str(row[1])) in places)


@pytest.mark.parametrize(("only_broadcasts", "read"), [("true", 2 * _TOPICS), ("false", 2)])
def test_a_sort_merge_join_reads_only_the_logs_of_its_keys_if_the_setting_on_the_page_allows_it(
    spark: SparkSession, load: Load, logs: Path, owners: DataFrame, only_broadcasts: str, read: int
) -> None:
    wanted = owners.where("owner = 'owner1'").select("topic").distinct().hint("merge")
    # The ratio is for a log as small as this one, which Spark would rather read than find the keys first.
    settings = {f"{_PRUNING}.reuseBroadcastOnly": only_broadcasts, f"{_PRUNING}.fallbackFilterRatio": "100"}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        with log_lines(spark, "messagegen.spark.LogScan", "INFO") as lines:
            found = load(logs).join(wanted, "topic").select("topic", "value").collect()
    finally:
        for name in settings:
            spark.conf.unset(name)
    assert {row.topic for row in found} == {"topic1"}
    plans = [line for line in lines() if "skipped by filters" in line]
    assert plans[-1] == f"kafka-log: {read} segments; skipped by filters: 0 segments, {2 * _TOPICS - read} partitions"


def test_one_query_can_read_a_log_with_and_without_join_filters(load: Load, logs: Path, owners: DataFrame) -> None:
    log = load(logs).select("topic")
    joined = log.join(owners.where("owner = 'owner1' and partition = 0"), "topic").select("topic")
    counted = joined.groupBy("topic").count()
    found = log.groupBy("topic").count().union(counted).union(log.groupBy("topic").count()).collect()
    whole = [(f"topic{topic}", 6 * (1 + topic)) for topic in range(_TOPICS)]
    assert sorted(map(tuple, found)) == sorted([*whole, *whole, ("topic1", 12)])


def test_aggregates_ignore_gaps_left_by_compaction(load: Load, tmp_path: Path) -> None:
    """The header of a cleaned batch keeps the last offset that it once had, and markers have offsets, too."""
    cleaned = Batch((Record(0), Record(2)), 3, change={"last_offset_delta": 9})
    write_segment(tmp_path / "orders-0", 0, [*many_batches(0, 1), cleaned.encoded, marker(13, 7, commit=True)])
    found = load(tmp_path).groupBy("topic", "partition").agg({"offset": "max", "*": "count"}).collect()
    assert [tuple(row) for row in found] == [("orders", 0, 5, 5)]
