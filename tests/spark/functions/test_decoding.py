from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyarrow as pa
from pyarrow import parquet
from pyspark.errors import PythonException
from pyspark.sql import Observation, types
from pyspark.sql import functions as sql

import messagegen_kafka as kafka
from messagegen_arrow.malformed import ERROR_ARROW_TYPE
from messagegen_kafka import OffsetCommitValue
from messagegen_spark import decode_messages, spark_schema
from messagegen_spark.schemas import spark_struct
from tests.spark.support.commit_logs import commit as commit_bytes
from tests.spark.support.commit_logs import write_commits

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

NAME = "OffsetCommitValue"


def commit(number: int) -> OffsetCommitValue:
    return OffsetCommitValue(offset=number, metadata=f"m{number % 7}", commit_timestamp=number * 1000)


def written(path: Path, rows: int, *, damage_each: int = 0, files: int = 2) -> str:
    """Write Parquet files of numbered commits in versions 0 to 4. Every ``damage_each``-th commit is cut short."""
    path.mkdir()
    for file in range(files):
        numbers = range(file, rows, files)
        data = [commit(number).encode(version=number % 5) for number in numbers]
        if damage_each:
            data = [one[:-1] if number % damage_each == 0 else one for number, one in zip(numbers, data, strict=True)]
        table = pa.table({"number": pa.array(numbers), "value": pa.array(data), "version": [n % 5 for n in numbers]})
        parquet.write_table(table, path / f"{file}.parquet")
    return str(path)


@pytest.fixture(scope="module")
def commits(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    """Return a thousand commits; every tenth one is damaged."""
    path = tmp_path_factory.mktemp("commits") / "parquet"
    return spark.read.parquet(written(path, 1000, damage_each=10))


@pytest.mark.slow
def test_null_structs_can_be_converted_to_arrow(spark: SparkSession) -> None:
    data = kafka.ConsumerGroupHeartbeatResponse(member_id="a")
    rows = [(bytearray(data.encode(version=version)), version) for version in (0, 1)]
    frame = spark.createDataFrame(rows, "value binary, version int")
    decoded = decode_messages(frame, "value", "ConsumerGroupHeartbeatResponse", "version", "FAILFAST")
    messages = decoded.toArrow().column("message").to_pylist()
    assert [(message["memberId"], message["assignment"]) for message in messages] == [("a", None)] * 2


def test_other_columns_are_kept_and_the_message_becomes_a_struct(commits: DataFrame) -> None:
    decoded = decode_messages(commits, "value", NAME, "version")
    assert decoded.columns == ["number", "version", "message"]
    errors = spark_struct([pa.field("_error", ERROR_ARROW_TYPE), pa.field("_raw", pa.binary())])
    assert decoded.schema["message"].dataType == types.StructType([*spark_schema(NAME), *errors])
    assert decoded.where("message._error is null and message.offset = number").count() == 900
    raw = decoded.where("message._error is not null").join(commits, "number")
    assert raw.where("message._raw = value and message.offset is null").count() == 100


def test_messages_and_their_log_share_one_error_column(spark: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "orders-0", 300, bad=[7, 205])
    (segment,) = (tmp_path / "orders-0").glob("*.log")
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1  # in the second of three batches
    segment.write_bytes(data)
    log = spark.read.format("kafka-log").option("mode", "PERMISSIVE").load(str(tmp_path))
    seen = Observation()
    decoded = decode_messages(log, "value", NAME, 3, keep=["timestamp", "_error", "_raw"], observe=seen)
    assert decoded.columns == ["timestamp", "message", "_error", "_raw"]
    rows = decoded.select("timestamp", "message.*", "_error", "_raw").where("_error IS NOT NULL").collect()
    assert [(row.offset, row["_error"].path) for row in rows] == [
        (None, "message.commitTimestamp"),
        (None, "crc"),
        (None, "message.commitTimestamp"),
    ]
    assert [len(row["_raw"]) for row in rows if row["_error"].path != "crc"] == [
        len(commit_bytes(n)) - 3 for n in (7, 205)
    ]
    assert seen.get == {"rows": 201, "malformed": 3}
    flat = decode_messages(log, "value", NAME, 3, into=None, keep=["partition", "_error"], fields=["metadata"])
    assert flat.columns == ["partition", "metadata", "_error", "_raw"]
    assert flat.where("_error IS NOT NULL").count() == 3


def test_fields_can_be_top_level_columns(commits: DataFrame) -> None:
    decoded = decode_messages(commits, "value", NAME, "version", into=None, keep=["number"], fields=["offset"])
    assert decoded.columns == ["number", "offset", "_error", "_raw"]
    assert decoded.where("offset = number").count() == 900


def test_columns_with_the_same_name_are_refused(commits: DataFrame) -> None:
    named = commits.withColumnRenamed("number", "offset")
    with pytest.raises(
        ValueError,
        match="two columns named offset; leave them out of keep=, or choose a different name in into=",
    ):
        decode_messages(named, "value", NAME, "version", into=None)
    with pytest.raises(ValueError, match="keep names nothing, but the columns are number, value, version"):
        decode_messages(commits, "value", NAME, "version", keep=["nothing"])


def test_column_names_can_contain_dots_and_quotes(commits: DataFrame) -> None:
    odd = commits.withColumnRenamed("number", "a.b`c").withColumnRenamed("value", "v.1")
    decoded = decode_messages(odd, sql.col("`v.1`"), NAME, "version", keep=["a.b`c"], into="m.x", observe=Observation())
    assert decoded.columns == ["a.b`c", "m.x"]
    assert decoded.count() == 1000


@pytest.mark.parametrize("mode", ["PERMISSIVE", "DROPMALFORMED"])
def test_malformed_rows_are_counted_and_dropped_on_request(commits: DataFrame, mode: str) -> None:
    seen = Observation()
    decoded = decode_messages(commits, "value", NAME, "version", mode, observe=seen)
    assert decoded.where("message.offset = number").count() == 900
    assert seen.get == {"rows": 1000, "malformed": 100}
    if mode == "DROPMALFORMED":
        assert decoded.count() == 900
        assert decoded.columns == ["number", "version", "message"]
        assert decoded.schema["message"].dataType == spark_schema(NAME)


@pytest.mark.slow
def test_dropmalformed_keeps_null_values(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(None,), (bytearray(b"x"),)], "value binary")
    rows = decode_messages(frame, "value", NAME, 1, "DROPMALFORMED").collect()
    assert [row["message"] for row in rows] == [None]


@pytest.mark.slow
def test_failfast_ends_the_query(commits: DataFrame) -> None:
    with pytest.raises(PythonException, match=r"the bytes end early: .* needed, .* left \(OffsetCommitValue version 0"):
        decode_messages(commits.where("number = 0"), "value", NAME, "version", "FAILFAST").collect()
    good = decode_messages(
        commits.where("number % 10 > 0"), "value", NAME, "version", "FAILFAST", observe=Observation()
    )
    assert good.where("message.offset = number").count() == 900


@pytest.mark.slow
def test_streams_are_decoded(spark: SparkSession, commits: DataFrame, tmp_path: Path) -> None:
    folder = written(tmp_path / "input", 100, damage_each=10)
    stream = spark.readStream.schema(commits.schema).option("maxFilesPerTrigger", 1).parquet(folder)
    frame = decode_messages(stream, "value", NAME, "version", "DROPMALFORMED", observe="counts")
    writer = frame.writeStream.format("memory").queryName("decoded").trigger(availableNow=True)
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start()
    query.awaitTermination()
    assert spark.table("decoded").where("message.offset = number").count() == 90
    counted = [progress.observedMetrics["counts"].asDict() for progress in query.recentProgress]
    assert sum(count["rows"] for count in counted) == 100
    assert sum(count["malformed"] for count in counted) == 10
