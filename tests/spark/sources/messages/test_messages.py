"""``kafka-messages`` in Spark: the rows of ``decode_messages`` over the same Parquet files."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as sql
from pyspark.sql.datasource import EqualTo, GreaterThan, In
from pyspark.sql.types import LongType, StructField, StructType

from messagegen_arrow.message_files.files import find_files
from messagegen_spark import decode_internal_topics, decode_messages, register
from messagegen_spark.sources.messages.source import KafkaMessagesDataSource
from tests.arrow.message_files.test_rows import committed
from tests.arrow.support.internal_records import commit, group_record

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MESSAGE = {"message": "OffsetCommitValue", "version": "3"}


def table(values: list[bytes | None]) -> pa.Table:
    count = len(values)
    return pa.table(
        {
            "value": pa.array(values, pa.binary()),
            "version": pa.array([3] * count, pa.int16()),
            "id": pa.array(range(count), pa.uint32()),
            "at": pa.array([datetime(2026, 3, 1, tzinfo=UTC)] * count, pa.timestamp("ms", tz="UTC")),
            "tags": [["a", None]] * count,
        }
    )


def by_id(frame: DataFrame) -> list[dict[str, Any]]:
    return sorted((row.asDict(recursive=True) for row in frame.collect()), key=lambda row: row["id"])


def read_first(frame: DataFrame, version: int | str, mode: str) -> DataFrame:
    """The rows of ``decode_messages``, which tells errors within the message."""
    decoded = decode_messages(frame, "value", "OffsetCommitValue", version, mode)
    if mode != "PERMISSIVE":
        return decoded
    error = sql.col("message._error")
    whole = sql.when(error.isNull(), sql.col("message").dropFields("_error", "_raw"))
    return decoded.select(*decoded.columns[:-1], whole.alias("message"), error, "message._raw")


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_rows_are_those_of_decode_messages(spark: SparkSession, tmp_path: Path) -> None:
    register(spark)
    good: list[bytes | None] = [committed(at) for at in range(40)]
    folder, bad = tmp_path / "good", tmp_path / "bad"
    for each, values in ((folder, good), (bad, [*good[:9], None, b"\0", committed(1)[:-1], *good[9:]])):
        each.mkdir()
        pq.write_table(table(values), each / "a.parquet", row_group_size=7)

    def read(path: Path, **options: str) -> DataFrame:
        return spark.read.format("kafka-messages").options(**options).load(str(path))

    permissive = read(bad, **MESSAGE, maxPartitionBytes="300")
    there = spark.read.parquet(str(bad))
    assert permissive.rdd.getNumPartitions() > 2
    assert by_id(permissive) == by_id(read_first(there, 3, "PERMISSIVE"))
    assert permissive.drop("message").dtypes == read_first(there, 3, "PERMISSIVE").drop("message").dtypes
    own = read(bad, message="OffsetCommitValue", versionColumn="version", mode="DROPMALFORMED")
    assert by_id(own) == by_id(read_first(there, "version", "DROPMALFORMED"))

    strict = {**MESSAGE, "mode": "FAILFAST"}
    expected = read_first(spark.read.parquet(str(folder)), 3, "FAILFAST")
    found = read(folder, **strict)
    assert found.columns == expected.columns
    assert by_id(found) == by_id(expected)
    with pytest.raises(Exception, match="the message in row 10 can't be decoded"):
        read(bad, **strict).collect()

    narrow_schema = "id BIGINT, message STRUCT<offset: BIGINT>"
    narrow = spark.read.format("kafka-messages").schema(narrow_schema).options(**strict).load(str(folder))
    assert [row["message"] for row in by_id(narrow)] == [{"offset": at} for at in range(40)]
    pushed = read(folder, **strict, pushFilters="true").where("id > 30 AND tags IS NOT NULL")
    assert [row["id"] for row in by_id(pushed)] == list(range(31, 40))

    records = [commit(5), group_record(), commit(6, 3)]
    columns = {"key": [record.key for record in records], "value": [record.value for record in records]}
    file = str(tmp_path / "records.parquet")
    pq.write_table(pa.table({**columns, "topic": ["__consumer_offsets"] * 3}), file)
    typed = read(Path(file), types="OffsetCommit")
    decoded = decode_internal_topics(spark.read.parquet(file), ["OffsetCommit"])
    expected = decoded.where("recordType = 'OffsetCommit'").select(typed.columns)
    assert typed.collect() == expected.collect()


def test_filters_spare_row_groups(tmp_path: Path) -> None:
    pq.write_table(table([committed(at) for at in range(40)]), tmp_path / "a.parquet", row_group_size=10)
    options = {**MESSAGE, "pushFilters": "true", "path": str(tmp_path), "keep": "id,at"}
    source = KafkaMessagesDataSource(options)

    def ids(*filters: Any) -> list[int]:
        reader: Any = source.reader(StructType([StructField("id", LongType())]))
        assert list(reader.pushFilters(list(filters))) == list(filters)
        return [at for part in reader.partitions() for batch in reader.read(part) for at in batch.column(0).to_pylist()]

    assert ids() == list(range(40))
    assert ids(GreaterThan(("id",), 25)) == list(range(20, 40))
    assert ids(In(("id",), (3, 31, None))) == [*range(10), *range(30, 40)]
    assert ids(GreaterThan(("id",), 25), EqualTo(("message", "offset"), 1)) == list(range(20, 40))
    assert ids(EqualTo(("at",), datetime(2026, 3, 2, tzinfo=UTC))) == []


def test_a_query_lists_files_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = []

    def counted(paths: Any) -> Any:
        listed.append(paths)
        return find_files(paths)

    monkeypatch.setattr("messagegen_spark.sources.messages.source.find_files", counted)
    for name in ("first", "second"):
        pq.write_table(table([committed(1)]), tmp_path / f"{name}.parquet")
    source = KafkaMessagesDataSource({**MESSAGE, "path": str(tmp_path), "keep": "id"})
    reader = source.reader(StructType([StructField("id", LongType())]))
    assert len(reader.partitions()) == 1
    assert len(listed) == 1
    assert b"second.parquet" not in pickle.dumps(reader), "each task gets only its own files"


def test_filters_and_nanoseconds(tmp_path: Path) -> None:
    """A row has microseconds, the statistics of its file nanoseconds: 1.5 us is 1 us to Spark."""
    rows = table([committed(1)]).drop_columns("at").append_column("at", pa.array([1500], pa.timestamp("ns", tz="UTC")))
    pq.write_table(rows, tmp_path / "a.parquet")
    source = KafkaMessagesDataSource({**MESSAGE, "pushFilters": "true", "path": str(tmp_path), "keep": "id,at"})
    reader: Any = source.reader(StructType([StructField("id", LongType())]))
    reader.pushFilters([EqualTo(("at",), datetime(1970, 1, 1, 0, 0, 0, 1, tzinfo=UTC))])
    assert [batch.num_rows for part in reader.partitions() for batch in reader.read(part)] == [1]


def test_columns_that_spark_does_not_have(tmp_path: Path) -> None:
    rows = table([committed(1)]).append_column("took", pa.array([5], pa.time32("ms")))
    pq.write_table(rows, tmp_path / "a.parquet")
    options = {**MESSAGE, "path": str(tmp_path)}
    with pytest.raises(ValueError, match=r"Spark has no type for the column took, .*: leave it out with keep="):
        KafkaMessagesDataSource(options).schema()
    assert KafkaMessagesDataSource({**options, "keep": "id", "mode": "FAILFAST"}).schema().names == ["id", "message"]
