"""Messages that the JVM decodes for Python's functions equal the output of workers."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.sql import Observation
from pyspark.sql import functions as sql

import messagegen_kafka as kafka
from messagegen_arrow import Catalog
from messagegen_arrow.catalog import message_table
from messagegen_kafka import Limits, OffsetCommitValue
from messagegen_spark import (
    decode_messages,
    encode_messages,
    register,
    spark_schema,
)
from messagegen_spark.jvm.catalog import plan_in_jar
from tests.arrow.support.messages import random_bytes, tables
from tests.spark.support.commit_logs import write_commits
from tests.spark.support.in_jvm import MODES, NAME, SETTING, assert_same, plans_of, without_nulls
from tests.support.profiles import seed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.usefixtures("without_catalog"),
]


@pytest.fixture(scope="module")
def commits(spark: SparkSession) -> DataFrame:
    """Return commits in all versions, with null values and null versions; every seventh is damaged."""
    rows: list[Any] = []
    for number in range(70):
        value = OffsetCommitValue(offset=number, metadata="m" * number).encode(version=number % 5)
        rows.append((number, bytearray(value[:-1] if number % 7 == 0 else value), number % 5, "kept"))
    rows += [
        (70, None, 1, "kept"),
        (71, bytearray(b""), None, None),
        (72, bytearray(b""), 9, None),
        (73, None, None, None),
    ]
    return spark.createDataFrame(rows, "number int, value binary, version int, `a.b` string")


@pytest.mark.slow
@pytest.mark.parametrize("into", ["message", "m.x", None])
@pytest.mark.parametrize("mode", MODES)
def test_the_jvm_and_workers_return_equal_frames(
    spark: SparkSession, commits: DataFrame, mode: str, into: str | None
) -> None:
    intact = commits.where("number % 7 > 0 AND number < 70 OR number = 70") if mode == "FAILFAST" else commits

    def decoded() -> DataFrame:
        return decode_messages(intact, "value", NAME, "version", mode, into=into, keep=["number", "a.b"])

    theirs = decoded()
    register(spark, messages=[])
    ours = decoded()
    assert_same(ours, theirs)
    assert without_nulls(ours.schema) == without_nulls(theirs.schema)


@pytest.mark.slow
def test_errors_of_rows_equal_the_errors_of_workers(spark: SparkSession, tmp_path: Path) -> None:
    write_commits(tmp_path / "orders-0", 300, bad=[7, 205])
    (segment,) = (tmp_path / "orders-0").glob("*.log")
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1  # in the second of three batches
    segment.write_bytes(data)
    log = spark.read.format("kafka-log").option("mode", "PERMISSIVE").load(str(tmp_path))
    questions: list[dict[str, Any]] = [
        {"keep": ["offset", "_error", "_raw"]},
        {"keep": ["offset", "_raw"]},
        {"keep": ["partition", "_error"], "into": None},
        {"keep": ["offset"]},
    ]
    theirs = [decode_messages(log, "value", NAME, 3, **question) for question in questions]
    register(spark, messages=[])
    for question, expected in zip(questions, theirs, strict=True):
        assert_same(decode_messages(log, "value", NAME, 3, **question), expected)


@pytest.mark.parametrize("mode", ["PERMISSIVE", "DROPMALFORMED"])
def test_malformed_rows_are_counted(spark: SparkSession, commits: DataFrame, mode: str) -> None:
    register(spark, messages=[])
    seen = Observation()
    decode_messages(commits, "value", NAME, "version", mode, observe=seen).collect()
    assert seen.get == {"rows": 74, "malformed": 12}


@pytest.mark.slow
def test_the_jvm_and_workers_return_equal_frames_with_each_option(spark: SparkSession) -> None:
    options: list[Any] = [
        {},
        {"names": "snake", "uuid": "binary", "unknown_tagged_fields": True},
        {"limits": Limits(array_length=1)},
        {"include_secrets": True},
    ]
    for table in tables():
        random = Random(seed())
        rows = [(bytearray(random_bytes(random, table, each)), each) for each in table.versions for _ in range(3)]
        frame = spark.createDataFrame(rows, "value binary, version int").coalesce(1)

        for each in options:
            theirs = decode_messages(frame, "value", table, "version", **each)
            register(spark, messages=[table])
            ours = decode_messages(frame, "value", table, "version", **each)
            assert ours.schema.simpleString() == theirs.schema.simpleString()
            # PySpark's `toArrow` refuses null structs from workers if their fields are not nullable.
            assert repr(ours.collect()) == repr(theirs.collect()), table.name
            spark.conf.unset(SETTING)


def test_secrets_are_hidden_by_default(spark: SparkSession) -> None:
    name = "UserScramCredentialRecord"
    values = [
        kafka.UserScramCredentialRecord(name="ann", salt=b"secret").encode(version=0),
        b"secret",
    ]
    frame = spark.createDataFrame([(bytearray(value),) for value in values], "value binary").coalesce(1)
    for decodes_in_jvm in (False, True):
        if decodes_in_jvm:
            register(spark, messages=[name])
        hidden = decode_messages(frame, "value", name, 0)
        assert ("invoke(" in plans_of(hidden)) == decodes_in_jvm
        good, bad = (row["message"].asDict() for row in hidden.collect())
        assert good["name"] == "ann"
        assert "salt" not in good
        assert bytes(bad["_raw"]) == b"<redacted>"
        shown = decode_messages(frame, "value", name, 0, include_secrets=True)
        good, bad = (row["message"].asDict() for row in shown.collect())
        assert (bytes(good["salt"]), bytes(bad["_raw"])) == (b"secret", b"secret")


def test_python_functions_use_the_jvm_only_if_the_plans_are_equal(spark: SparkSession, commits: DataFrame) -> None:
    register(spark, messages=[NAME, OffsetCommitValue])
    assert plan_in_jar(NAME) == message_table(NAME).plan
    assert spark.conf.get(f"{SETTING}.plan.{NAME}", None) is None
    assert "invoke(" in plans_of(decode_messages(commits, "value", NAME, 3))
    one, *_ = tables()
    assert "invoke(" not in plans_of(decode_messages(commits, "value", one, "version"))
    spark.conf.set(f"{SETTING}.plan.{NAME}", one.plan)
    assert "invoke(" not in plans_of(decode_messages(commits, "value", NAME, 3))
    register(spark, messages=[NAME])
    assert "invoke(" in plans_of(decode_messages(commits, "value", NAME, 3))


def test_plan_files_are_not_used_by_python_functions(spark: SparkSession, commits: DataFrame, tmp_path: Path) -> None:
    """Python cannot read plan files, so it calls only functions whose plans are settings."""
    other = message_table("OffsetCommitKey").plan
    (tmp_path / "other.plan").write_text(other.replace("message OffsetCommitKey", f"message {NAME}", 1))
    spark.conf.set(f"{SETTING}.plans", str(tmp_path))
    register(spark, messages=[])
    one = commits.where("number = 1")
    (theirs,) = decode_messages(one, "value", NAME, "version").collect()
    assert theirs.message.offset == 1
    register(spark, messages=[NAME])
    ours = decode_messages(one, "value", NAME, "version")
    assert "invoke(" in plans_of(ours)
    assert ours.collect() == [theirs]


@pytest.mark.slow
def test_catalog_settings_have_no_effect_on_python_functions(spark: SparkSession, commits: DataFrame) -> None:
    register(spark, messages=[])
    intact = commits.where("number % 7 > 0 AND number < 70")
    expected = decode_messages(intact, "value", NAME, "version").collect()
    settings = {"fields": "offset", "version": "3", "versions": "3", "limits": "0,0,0,0", "mode": "DROPMALFORMED"}
    for name, setting in settings.items():
        spark.conf.set(f"{SETTING}.{name}", setting)
    found = decode_messages(intact, "value", NAME, "version")
    assert "invoke(" in plans_of(found)
    assert found.collect() == expected
    encoded = encode_messages(found, "message", NAME, "version", keep=["number"])
    assert "invoke(" in plans_of(encoded)
    values = {row.number: row.value for row in intact.collect()}
    assert {row.number: row.value for row in encoded.collect()} == values


@pytest.mark.slow
def test_schemas_of_user_messages_include_comments(spark: SparkSession, commits: DataFrame) -> None:
    for table in tables():
        register(spark, messages=Catalog([table]))
        ours: Any = decode_messages(commits, "value", table, "version", "FAILFAST").schema["message"].dataType
        assert without_nulls(ours) == without_nulls(spark_schema(table)), table.name


def test_decoding_without_fields_still_reports_errors(spark: SparkSession, commits: DataFrame) -> None:
    register(spark, messages=[])
    empty = decode_messages(commits, "value", NAME, "version", fields=[])
    assert empty.where(sql.col("message._error").isNull()).count() == 62


def test_a_catalog_of_the_user_is_kept(spark: SparkSession) -> None:
    spark.conf.set(SETTING, "org.example.Catalog")
    with pytest.raises(
        ValueError, match=r"the session has a different catalog named kafka: spark.sql.catalog.kafka is org.example"
    ):
        register(spark, messages=[])
    spark.conf.unset(SETTING)
    with pytest.raises(LookupError, match="did you mean OffsetCommitValue"):
        register(spark, messages=["OffsetComitValue"])
    assert spark.conf.get(SETTING, None) is None
