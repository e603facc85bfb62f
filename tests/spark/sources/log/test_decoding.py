"""``kafka-log`` with messages: batch queries, schemas in SQL, and streams, in Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql.types import IntegerType, LongType, StringType, StructField, StructType

import messagegen_kafka as kafka
from messagegen_spark import decode_internal_topics, register
from messagegen_spark.sources.log.source import KafkaLogReader
from tests.arrow.support.internal_records import commit, group_record
from tests.arrow.support.log_data import Batch, Data, write_segment
from tests.spark.support.log_reading import source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

OPTIONS = {"message": "OffsetCommitValue", "version": "3"}


def values(first: int, last: int) -> list[Data]:
    return [
        Data(value=kafka.OffsetCommitValue(offset=at, metadata="m", commit_timestamp=at).encode(version=3))
        for at in range(first, last)
    ]


def write(folder: Path, first: int, last: int) -> None:
    write_segment(folder, first, [Batch(first, values(first, last), codec="zstd").encode()])


def offsets(frame: DataFrame) -> list[Any]:
    return sorted(row[0] for row in frame.collect())


def test_messages_and_types_in_batches_and_streams(spark: SparkSession, tmp_path: Path) -> None:
    register(spark)
    folder = tmp_path / "commits-0"
    write(folder, 0, 40)
    write(folder, 40, 100)
    read = spark.read.format("kafka-log").options(**OPTIONS)
    frame = read.option("columns", "offset,message,_error").load(str(folder))
    assert offsets(frame.where("_error IS NULL").select("message.offset")) == list(range(100))

    narrow = read.schema("Offset BIGINT, message STRUCT<commitTimestamp: BIGINT>").load(str(folder))
    assert narrow.columns == ["Offset", "message"]
    assert offsets(narrow.select(narrow.message.commitTimestamp)) == list(range(100))

    stream = spark.readStream.format("kafka-log").options(**OPTIONS, columns="message", mode="FAILFAST")
    out, state = str(tmp_path / "out"), str(tmp_path / "state")
    for end in (100, 130):
        write(folder, 100, end) if end > 100 else None
        query = (
            stream.load(str(folder))
            .select("message.*")
            .writeStream.format("parquet")
            .option("path", out)
            .option("checkpointLocation", state)
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        assert offsets(spark.read.parquet(out).select("offset")) == list(range(end))

    records = [Data(value=record.value, key=record.key) for record in (commit(5), group_record(), commit(6, 3))]
    topic = tmp_path / "__consumer_offsets-0"
    write_segment(topic, 0, [Batch(0, records).encode()])
    typed = spark.read.format("kafka-log").option("types", "OffsetCommit").load(str(tmp_path))
    there = spark.read.format("kafka-log").load(str(topic))
    expected = decode_internal_topics(there, ["OffsetCommit"]).where("recordType = 'OffsetCommit'")
    assert typed.schema == expected.select(typed.columns).schema
    assert typed.collect() == expected.select(typed.columns).collect()
    with pytest.raises(Exception, match="did you mean OffsetCommit"):
        spark.read.format("kafka-log").option("types", "OffsetCommits").load(str(topic))


def test_schemas_choose_fields_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path / "commits-0", 0, 1)
    there = source(tmp_path, **OPTIONS)
    columns = {field.name: field for field in there.schema().fields}
    assert isinstance(columns["message"].dataType, StructType)

    def asked(type_: Any) -> StructType:
        return StructType([StructField("message", type_)])

    one = StructType([StructField("offset", LongType())])
    assert isinstance(there.reader(asked(one)), KafkaLogReader)
    with pytest.raises(ValueError, match="column message has the type struct<offset:bigint>, not struct<offset:int>"):
        there.reader(asked(StructType([StructField("offset", IntegerType())])))
    with pytest.raises(ValueError, match="unknown field 'offsets'"):
        there.reader(asked(StructType([StructField("offsets", LongType())])))
    with pytest.raises(ValueError, match="not string"):
        there.reader(asked(StringType()))
