"""``kafka-log`` in Spark: batches, SQL, damage, streams with a checkpoint."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import Observation
from pyspark.sql import functions as sql

from messagegen_kafka import OffsetCommitValue
from tests.arrow.support.log_changes import damaged
from tests.arrow.support.log_data import TIME, Batch, Data, many_batches, marker, write_segment
from tests.arrow.support.log_reading import numbers
from tests.native.record_batches import CODECS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]


def values(frame: DataFrame) -> list[bytes | None]:
    return sorted((row.value for row in frame.select("value").collect()), key=lambda value: int(value or -1))


def test_spark_reads_the_values_of_all_columns(spark: SparkSession, tmp_path: Path) -> None:
    for number, codec in enumerate(CODECS):
        record = Data(b"value", b"key", [(b"h", b"x"), (b"i", None)], timestamp_delta=7)
        batch = Batch(number, [record], codec, producer_id=3, producer_epoch=1, base_sequence=number)
        write_segment(tmp_path / f"orders-{number}", number, [batch.encode(), marker(9, 3, commit=True)])
    frame = spark.read.format("kafka-log").option("includeControl", "true").load(str(tmp_path))
    rows = [row.asDict(recursive=True) for row in frame.orderBy("isControl", "partition").collect()]
    assert len(rows) == 10
    moment = datetime.fromtimestamp(TIME // 1000, UTC).replace(microsecond=7000)
    for number, row in enumerate(rows[:5]):
        assert row.pop("timestamp").astimezone(UTC) == moment
        assert row == {
            "key": b"key",
            "value": b"value",
            "topic": "orders",
            "partition": number,
            "offset": number,
            "timestampType": 0,
            "headers": [{"key": "h", "value": b"x"}, {"key": "i", "value": None}],
            "leaderEpoch": 0,
            "producerId": 3,
            "producerEpoch": 1,
            "sequence": number,
            "isTransactional": False,
            "isControl": False,
            "codec": CODECS[number],
            "path": str(tmp_path / f"orders-{number}" / f"{number:020}.log"),
            "batchOffset": number,
            "batchPosition": 0,
            "_error": None,
            "_raw": None,
        }
    assert all(row["isControl"] and row["isTransactional"] for row in rows[5:])


def test_a_table_reads_its_location_with_its_options(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "logs" / "orders-0", 0, many_batches(0, 1))
    path = tmp_path / "logs"
    spark.sql(
        f"CREATE TABLE logs USING `kafka-log` OPTIONS (startingOffset '1') LOCATION '{path}' TBLPROPERTIES (k 'v')"
    )
    try:
        assert values(spark.table("logs")) == numbers(1, 3)
        assert values(spark.sql("SELECT value FROM logs WITH (startingOffset 2)")) == numbers(2, 3)
        assert values(spark.read.option("startingOffset", "2").table("logs")) == numbers(2, 3)
    finally:
        spark.sql("DROP TABLE logs")


def test_a_table_of_messages_ignores_table_properties(spark: SparkSession, tmp_path: Path) -> None:
    commit = OffsetCommitValue(offset=7, metadata="m", commit_timestamp=1).encode(version=3)
    write_segment(tmp_path / "commits-0", 0, [Batch(0, [Data(commit)]).encode()])
    options = "message 'OffsetCommitValue', version '3'"
    spark.sql(
        f"CREATE TABLE commits USING `kafka-log` OPTIONS ({options}) LOCATION '{tmp_path}' "
        "TBLPROPERTIES (version '1', types 'x')"
    )
    try:
        assert [tuple(row) for row in spark.sql("SELECT message.offset FROM commits").collect()] == [(7,)]
    finally:
        spark.sql("DROP TABLE commits")


@pytest.mark.slow
def test_options_of_the_kafka_source_are_supported(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "logs" / "orders-0", 0, many_batches(0, 10))
    options = {"subscribe": "orders", "startingOffsets": '{"orders":{"0":7}}'}
    reader = spark.read.format("kafka-log").options(**options).option("endingOffsets", '{"orders":{"0":9}}')
    assert values(reader.load(str(tmp_path / "logs"))) == numbers(7, 9)
    expected = [("orders", number, b"%d" % number) for number in range(7, 30)]
    assert run(spark, tmp_path / "logs", tmp_path / "work", **options, maxOffsetsPerTrigger="5") == expected


def test_columns_are_chosen_by_schema_or_option(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "orders-0", 0, many_batches(0, 1))
    by_schema = spark.read.format("kafka-log").schema("value BINARY, offset BIGINT").load(str(tmp_path))
    assert by_schema.columns == ["value", "offset"]
    assert values(by_schema) == numbers(0, 3)
    by_option = spark.read.format("kafka-log").option("columns", "offset").load(str(tmp_path))
    assert [tuple(row) for row in by_option.collect()] == [(0,), (1,), (2,)]


@pytest.mark.slow
def test_a_frame_can_be_used_with_several_filters(spark: SparkSession, tmp_path: Path) -> None:
    """Each use has its own filter."""
    for partition in (0, 1):
        write_segment(tmp_path / f"orders-{partition}", 0, many_batches(0, 2))
    frame = spark.read.format("kafka-log").load(str(tmp_path))
    first, second = frame.where("partition = 0"), frame.where("partition = 1")
    assert first.join(second, "offset").count() == 6
    assert first.union(second).union(frame).count() == 24
    assert (first.count(), second.count(), frame.count()) == (6, 6, 12)


@pytest.fixture
def damaged_log(tmp_path: Path) -> str:
    """Write nine records; the three in the middle can't be read."""
    first, second, third = many_batches(0, 3)
    write_segment(tmp_path / "logs" / "orders-0", 0, [first, damaged(second), third])
    return str(tmp_path / "logs")


@pytest.mark.slow
def test_damage_ends_each_query_without_a_mode(spark: SparkSession, damaged_log: str, tmp_path: Path) -> None:
    frame = spark.read.format("kafka-log").load(damaged_log)
    queries = (frame.count, frame.select("value").collect, frame.groupBy("topic").count().collect)
    for query in queries:
        with pytest.raises(Exception, match=r"\(base offset 3\) can't be read: crc: the checksum is wrong"):
            query()
    with pytest.raises(Exception, match="the checksum is wrong"):
        run(spark, Path(damaged_log), tmp_path / "work")


def test_damaged_batches_are_counted_in_permissive_mode(spark: SparkSession, damaged_log: str) -> None:
    seen = Observation()
    frame = spark.read.format("kafka-log").option("mode", "PERMISSIVE").load(damaged_log)
    counted = frame.observe(seen, sql.count("value").alias("records"), sql.count("_error").alias("damaged"))
    assert values(counted) == [None, *numbers(0, 3), *numbers(6, 9)]
    assert seen.get == {"records": 6, "damaged": 1}
    (bad,) = frame.where("_error IS NOT NULL").collect()
    assert (bad.batchOffset, bad.offset, bad["_error"].path) == (3, None, "crc")


def test_errors_contain_advice(spark: SparkSession, tmp_path: Path) -> None:
    reader = spark.read.format("kafka-log")
    with pytest.raises(Exception, match="no option startingOfset; did you mean startingOffset"):
        reader.option("startingOfset", "1").load(str(tmp_path))
    with pytest.raises(Exception, match="holds no Kafka logs"):
        spark.read.format("kafka-log").load(str(tmp_path)).collect()


def run(spark: SparkSession, path: Path, work: Path, **options: str) -> list[tuple[str, int, bytes | None]]:
    """Run a query with a checkpoint until it has read all available records; return all rows of its output so far."""
    stream = spark.readStream.format("kafka-log").options(**options).load(str(path))
    query = (
        stream.select("topic", "partition", "offset", "value")
        .writeStream.format("parquet")
        .option("checkpointLocation", str(work / "checkpoint"))
        .option("path", str(work / "out"))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(120)
    if query.exception():
        raise AssertionError(query.exception())
    rows = spark.read.parquet(str(work / "out")).collect()
    return sorted((row.topic, row.offset, row.value) for row in rows)


@pytest.mark.slow
def test_a_stream_reads_each_record_once_over_restarts(spark: SparkSession, tmp_path: Path) -> None:
    logs, work = tmp_path / "logs", tmp_path / "work"
    first = write_segment(logs / "orders-0", 0, many_batches(0, 10))
    options = {"maxBytesPerTrigger": "500", "maxPartitionBytes": "200"}
    expected = [("orders", number, b"%d" % number) for number in range(30)]
    assert run(spark, logs, work, **options) == expected
    with first.open("ab") as file:
        file.write(many_batches(30, 1)[0] + many_batches(33, 1)[0][:40])
    assert run(spark, logs, work, **options) == [*expected, *[("orders", n, b"%d" % n) for n in range(30, 33)]]
    write_segment(logs / "orders-0", 0, many_batches(0, 12))
    write_segment(logs / "orders-0", 36, many_batches(36, 2))
    write_segment(logs / "payments-0", 0, many_batches(0, 1))
    expected = [("orders", number, b"%d" % number) for number in range(42)]
    expected += [("payments", number, b"%d" % number) for number in range(3)]
    assert run(spark, logs, work, **options) == expected
    first.unlink()
    assert run(spark, logs, work, **options) == expected
