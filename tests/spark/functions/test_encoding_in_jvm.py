"""Messages that the JVM encodes for Python's functions equal the output of workers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.sql import Observation
from pyspark.sql import functions as sql

from messagegen_spark import decode_messages, encode_messages, register
from tests.arrow.support.messages import tables
from tests.spark.support.commit_logs import write_commits
from tests.spark.support.in_jvm import MODES, NAME, SETTING, assert_same, plans_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.usefixtures("without_catalog"),
]

COUNT = 60


@pytest.fixture(scope="module")
def commits(spark: SparkSession) -> DataFrame:
    """Return commits as structs, in all versions; every seventh has no offset, every eleventh is null."""
    offset = sql.when(sql.col("id") % 7 != 0, sql.col("id")).alias("offset")
    commit = sql.struct(sql.concat(sql.lit("m"), "id").alias("metadata"), offset)
    commit = sql.when(sql.col("id") % 11 != 0, commit).alias("commit")
    version = sql.when(sql.col("id") != COUNT - 1, (sql.col("id") % 6).cast("int")).alias("version")
    return spark.range(COUNT, numPartitions=1).select("id", version, commit, sql.lit("kept").alias("a.b"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("version", [3, "version"])
def test_the_jvm_and_workers_return_equal_frames(
    spark: SparkSession, commits: DataFrame, mode: str, version: int | str
) -> None:
    intact = commits.where("id % 7 > 0 AND version < 5") if mode == "FAILFAST" else commits

    def encoded() -> DataFrame:
        return encode_messages(intact, "commit", NAME, version, mode, into="v.1", keep=["id", "a.b"])

    theirs = encoded()
    register(spark, messages=[])
    assert_same(encoded(), theirs)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["PERMISSIVE", "DROPMALFORMED"])
def test_unreadable_messages_are_not_encoded_as_null(spark: SparkSession, tmp_path: Path, mode: str) -> None:
    write_commits(tmp_path / "orders-0", 100, bad=[7, 70])
    log = spark.read.format("kafka-log").load(str(tmp_path))
    of_rows = decode_messages(log, "value", NAME, 3, keep=["offset", "_error"])
    within = decode_messages(log, "value", NAME, 3, keep=["offset"])
    frames = [of_rows, within, of_rows.where("offset = 7").withColumn("message", sql.lit(None))]

    def encoded(frame: DataFrame) -> DataFrame:
        return encode_messages(frame, "message", NAME, 3, mode, keep=["offset"])

    theirs = [encoded(frame) for frame in frames[:2]]
    register(spark, messages=[])
    for frame, expected in zip(frames[:2], theirs, strict=True):
        assert_same(encoded(frame), expected)
    # Workers take only structs.
    refused = [row["value"] for row in encoded(frames[2]).collect()]
    assert [row["_error"]["message"] for row in refused] == (
        ["the row has an _error, so it is no message"] if mode == "PERMISSIVE" else []
    )


def test_malformed_rows_are_counted(spark: SparkSession, commits: DataFrame) -> None:
    register(spark, messages=[])
    seen = Observation()
    rows = encode_messages(commits, sql.col("commit"), NAME, 3, "DROPMALFORMED", keep=["id"], observe=seen).collect()
    malformed = [number for number in range(COUNT) if number % 7 == 0 and number % 11 > 0]
    assert seen.get == {"rows": COUNT, "malformed": len(malformed)}
    assert sorted(row.id for row in rows) == [number for number in range(COUNT) if number not in malformed]


def test_strict_queries_end_at_the_first_unwritable_row(spark: SparkSession, commits: DataFrame) -> None:
    register(spark, messages=[])
    with pytest.raises(Exception, match=r"offset: null is not allowed here \(OffsetCommitValue version 3\); mode PERM"):
        encode_messages(commits, "commit", NAME, 3).collect()


def test_python_functions_use_the_jvm_only_if_the_plans_are_equal(spark: SparkSession, commits: DataFrame) -> None:
    register(spark, messages=[])
    other: Any = tables()[0]
    assert "invoke(" in plans_of(encode_messages(commits, "commit", NAME, 3))
    spark.conf.set(f"{SETTING}.plan.{NAME}", other.plan)
    assert "invoke(" not in plans_of(encode_messages(commits, "commit", NAME, 3))
