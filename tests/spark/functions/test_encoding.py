from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.errors import PythonException
from pyspark.sql import Observation
from pyspark.sql import functions as sql

from messagegen_kafka import OffsetCommitValue
from messagegen_spark import decode_messages, encode_messages
from tests.spark.support.commit_logs import commit, write_commits

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

NAME = "OffsetCommitValue"
COUNT = 200


@pytest.fixture(scope="module")
def commits(spark: SparkSession) -> DataFrame:
    """Return commits as structs, with versions.

    Every tenth one lacks its offset, which is an error in every version.
    """
    offset = sql.when(sql.col("id") % 10 != 0, sql.col("id")).alias("offset")
    commit = sql.struct(offset, sql.concat(sql.lit("m"), "id").alias("metadata")).alias("commit")
    return spark.range(COUNT, numPartitions=2).select("id", (sql.col("id") % 5).cast("int").alias("version"), commit)


def test_rows_that_cannot_be_written_are_dropped_and_counted(commits: DataFrame) -> None:
    seen = Observation()
    encoded = encode_messages(commits, sql.col("commit"), NAME, 3, "dropmalformed", keep=["id"], observe=seen)
    rows = encoded.collect()
    assert encoded.columns == ["id", "value"]
    assert seen.get == {"rows": COUNT, "malformed": COUNT // 10}
    assert {row.id: bytes(row.value) for row in rows} == {
        at: OffsetCommitValue(offset=at, metadata=f"m{at}").encode(version=3) for at in range(COUNT) if at % 10
    }


def test_encode_messages_reverses_decode_messages(commits: DataFrame) -> None:
    encoded = encode_messages(commits.where("id % 10 != 0"), "commit", NAME, "version")
    decoded = decode_messages(encoded, "value", NAME, "version")
    again = encode_messages(decoded, "message", NAME, "version")
    assert again.exceptAll(encoded).count() == 0
    assert again.count() == encoded.count()


@pytest.mark.slow
def test_an_unreadable_message_is_not_encoded_as_null(spark: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "orders-0", 100, bad=[7])
    log = spark.read.format("kafka-log").load(str(tmp_path))
    decoded = decode_messages(log, "value", NAME, 3, keep=["offset", "_error"])
    with pytest.raises(PythonException, match=r"the row has an _error, so it is no message \(OffsetCommitValue"):
        encode_messages(decoded, "message", NAME, 3).collect()
    again = encode_messages(decoded, "message", NAME, 3, "DROPMALFORMED", keep=["offset"])
    assert [bytes(row.value) for row in again.collect()] == [commit(number) for number in range(100) if number != 7]


def test_strict_queries_end_at_the_first_unwritable_row(commits: DataFrame) -> None:
    with pytest.raises(PythonException, match=r"offset: null is not allowed here \(OffsetCommitValue version 3, row"):
        encode_messages(commits, "commit", NAME, 3).collect()
