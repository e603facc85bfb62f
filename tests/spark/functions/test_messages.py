from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.errors import PythonException
from pyspark.sql import functions as sql

from messagegen_arrow import default_catalog
from messagegen_kafka import OffsetCommitValue
from messagegen_spark import decode_messages, encode_messages, spark_schema
from tests.arrow.support.messages import java_messages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

COMMIT = OffsetCommitValue(offset=4, metadata="x")


@pytest.fixture(scope="module")
def commits(spark: SparkSession) -> DataFrame:
    """Return a commit in all versions, and rows that are not commits."""
    rows: list[Any] = [(version, bytearray(COMMIT.encode(version=version)), version) for version in range(5)]
    rows += [(5, None, 1), (6, b"short", 3), (7, b"", None), (8, b"", 11)]
    return spark.createDataFrame(rows, "id int, value binary, version int").coalesce(1)


def collected(frame: DataFrame) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in frame.orderBy("id").collect()]


def test_each_row_can_be_decoded_in_its_own_version(commits: DataFrame) -> None:
    decoded = decode_messages(commits, "value", "OffsetCommitValue", "version", into="commit")
    rows = [row["commit"] for row in collected(decoded)]
    assert [row["leaderEpoch"] for row in rows[:5]] == [None, None, None, -1, -1]
    assert [row["expireTimestamp"] for row in rows[:5]] == [None, -1, None, None, None]
    assert {row["offset"] for row in rows[:5]} == {4}
    assert rows[4]["topicId"] == "A" * 22
    assert rows[5] is None
    assert [row["_error"]["message"] for row in rows[6:]] == [
        "the bytes end early: 8 needed, 5 left",
        "the version is null",
        "unexpected version 11; expected 0 to 4",
    ]
    assert bytes(rows[6]["_raw"]) == b"short"
    assert {row["_raw"] for row in rows[:5]} == {None}


def test_failfast_names_the_message_and_row_and_field_and_byte(commits: DataFrame) -> None:
    decoded = decode_messages(commits, "value", "OffsetCommitValue", "version", mode="failfast")
    with pytest.raises(PythonException) as caught:
        decoded.collect()
    assert (
        "offset: the bytes end early: 8 needed, 5 left (OffsetCommitValue version 3, byte 0, row 6 of its batch); "
        "mode PERMISSIVE keeps such rows, with the reason in _error"
    ) in str(caught.value)


def test_failfast_adds_no_error_columns(commits: DataFrame) -> None:
    good = decode_messages(commits.where("id < 6"), "value", "OffsetCommitValue", "version", "FAILFAST", into="c")
    assert good.schema["c"].dataType.simpleString() == spark_schema("OffsetCommitValue").simpleString()
    assert good.where("c.offset = 4").count() == 5


def test_unknown_modes_are_refused(commits: DataFrame) -> None:
    expected = "expected mode PERMISSIVE or FAILFAST or DROPMALFORMED, not 'LENIENT'"
    with pytest.raises(ValueError, match=expected):
        decode_messages(commits, "value", "OffsetCommitValue", 1, "LENIENT")
    with pytest.raises(ValueError, match=expected):
        encode_messages(commits, "value", "OffsetCommitValue", 1, "LENIENT")


@pytest.mark.slow
def test_a_round_trip_keeps_unknown_tagged_fields(spark: SparkSession) -> None:
    some = [messages for messages in java_messages() if messages.name in ("MetadataResponse", "OffsetCommitValue")]
    for messages in some:
        pairs = [(bytearray(data), version) for data, version in zip(messages.data, messages.versions, strict=True)]
        frame = spark.createDataFrame(pairs, "value binary, version short")
        keep = ["value", "version"]
        there = decode_messages(frame, "value", messages.name, "version", keep=keep, unknown_tagged_fields=True)
        again = encode_messages(there, "message", messages.name, "version", into="again")
        assert again.where("value = again").count() == len(pairs)


def test_unwritable_values_get_an_error_or_end_the_query(spark: SparkSession) -> None:
    frame = spark.range(3).select(
        "id", sql.struct(sql.when(sql.col("id") != 1, sql.col("id")).alias("offset")).alias("commit")
    )
    encoded = encode_messages(frame, "commit", "OffsetCommitValue", 3, "PERMISSIVE", into="encoded")
    rows = [row["encoded"] for row in collected(encoded)]
    assert bytes(rows[2]["value"]) == OffsetCommitValue(offset=2).encode(version=3)
    assert rows[1] == {"value": None, "_error": {"message": "null is not allowed here", "path": "offset"}}
    assert rows[0]["_error"] is None
    with pytest.raises(PythonException, match=r"offset: null is not allowed here \(OffsetCommitValue version 3, row"):
        encode_messages(frame.coalesce(1), "commit", "OffsetCommitValue", 3).collect()


def test_each_row_can_be_encoded_in_its_own_version(spark: SparkSession) -> None:
    frame = spark.createDataFrame([(0, 0), (1, 4)], "id int, version int")
    commit = sql.struct(sql.lit(4).alias("offset"), sql.lit("x").alias("metadata"))
    encoded = encode_messages(frame, commit, "OffsetCommitValue", "version", into="data")
    assert [bytes(row["data"]) for row in collected(encoded)] == [COMMIT.encode(version=0), COMMIT.encode(version=4)]


def test_wrong_arguments_are_refused_before_the_query_runs(commits: DataFrame) -> None:
    with pytest.raises(LookupError, match="did you mean OffsetCommitValue"):
        decode_messages(commits, "value", "OffsetComitValue", 1)
    with pytest.raises(LookupError, match="has versions 0 to 4, not 5"):
        decode_messages(commits, "value", "OffsetCommitValue", 5)
    with pytest.raises(LookupError, match="has versions 0 to 4, not 5"):
        encode_messages(commits, "value", "OffsetCommitValue", 5)
    with pytest.raises(ValueError, match="unknown field 'ofset'"):
        decode_messages(commits, "value", default_catalog().message("OffsetCommitValue"), 1, fields=["ofset"])
