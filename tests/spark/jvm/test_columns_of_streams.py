"""A stream builds the columns that its options name, because Spark does not pass the columns of a stream's query."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyspark
import pytest

from messagegen_kafka import MetadataResponse
from tests.arrow.support.log_data import Batch, Data, write_segment
from tests.spark.support.log_lines import log_lines
from tests.spark.support.messages import RESPONSE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

_MESSAGE = {"message": "MetadataResponse", "version": "12"}
_ALL = "key value topic partition offset timestamp timestampType headers leaderEpoch producerId producerEpoch sequence"
_ALL += " isTransactional isControl codec path batchOffset batchPosition _error _raw"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Write a message to each of two partitions."""
    value = MetadataResponse.from_json(RESPONSE, version=12).encode(version=12)
    for partition in range(2):
        batch = Batch(0, [Data(value, headers=[(b"h", b"x")])])
        write_segment(tmp_path / "logs" / f"orders-{partition}", 0, [batch.encode()])
    return tmp_path / "logs"


def finished(frame: DataFrame, checkpoint: Path) -> Any:
    """Run a stream until it has read all records, and return its query."""
    writer = frame.writeStream.format("memory").queryName("found").trigger(availableNow=True)
    query = writer.option("checkpointLocation", str(checkpoint)).start()
    assert query.awaitTermination(120)
    if query.exception():
        raise AssertionError(query.exception())
    return query


def columns_of_scan(query: Any) -> list[str]:
    """Return the columns that Spark requests for a stream."""
    plan = query._jsq.explainInternal(False)  # noqa: SLF001 - `explain` only prints it
    (columns,) = re.findall(r"MicroBatchScan\w*\[([^]]*)\]", plan)
    return [re.sub(r"#\d+L?$", "", column) for column in columns.split(", ")]


def test_spark_does_not_pass_columns_and_filters_to_a_stream(spark: SparkSession, logs: Path, tmp_path: Path) -> None:
    frame = spark.readStream.format("kafka-log").load(str(logs))
    with log_lines(spark, "messagegen.spark.LogScan", "WARN") as lines:
        query = finished(frame.where("partition = 0").select("offset"), tmp_path / "checkpoint")
        (line,) = lines()
    assert "this stream builds all columns" in line
    assert [tuple(row) for row in spark.table("found").collect()] == [(0,)]
    plan = query._jsq.explainInternal(False)  # noqa: SLF001 - likewise
    advice = f"PySpark {pyspark.__version__} passes them: mention it in docs/spark.md and LogScan.ALL_COLUMNS"
    assert (columns_of_scan(query), "Filter (" in plan) == (_ALL.split(), True), advice


@pytest.mark.parametrize("read", ["readStream", "read"])
def test_the_option_columns_selects_nested_fields(spark: SparkSession, logs: Path, tmp_path: Path, read: str) -> None:
    columns = "offset, message.topics.partitions.leaderId, headers.key, message.clusterId, message.topics.name"
    reader = getattr(spark, read).format("kafka-log").options(**_MESSAGE, columns=columns, partitions="1")
    frame = reader.load(str(logs))
    assert frame.schema.simpleString() == (
        "struct<offset:bigint,message:struct<topics:array<struct<partitions:array<struct<leaderId:int>>,name:string>>,"
        "clusterId:string>,headers:array<struct<key:string>>>"
    )
    if read == "readStream":
        with log_lines(spark, "messagegen.spark.LogScan", "WARN") as lines:
            query = finished(frame, tmp_path / "checkpoint")
            assert lines() == []
        assert columns_of_scan(query) == ["offset", "message", "headers"]
        frame = spark.table("found")
    (row,) = frame.collect()
    topics = [{"partitions": [{"leaderId": 1}, {"leaderId": 2}], "name": "a"}]
    message = {"topics": topics, "clusterId": "c"}
    assert row.asDict(recursive=True) == {"offset": 0, "message": message, "headers": [{"key": "h"}]}


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ("message.topics.nam", "option columns: message.topics has no field nam; did you mean name?"),
        ("offset,headers.k", "option columns: headers has no field k; its fields are key, value"),
        ("offset.value", "option columns: offset has no fields"),
        ("message,message.clusterId", "option columns: message is given twice"),
        ("message.clusterId,value.clusterId", "option columns: message.clusterId is given twice"),
        ("mesage.clusterId", "kafka-log has no column mesage"),
    ],
)
def test_wrong_nested_names_are_refused_with_advice(
    spark: SparkSession, logs: Path, columns: str, problem: str
) -> None:
    reader = spark.read.format("kafka-log").options(**_MESSAGE, columns=columns)
    with pytest.raises(Exception, match=re.escape(problem)):
        reader.load(str(logs))
