"""Options and plans for the functions in the JVM: accepted values, and errors before a query runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from messagegen_arrow.catalog import message_table
from messagegen_kafka import OffsetCommitValue
from tests.support.specs import field, made

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.usefixtures("kafka_catalog"),
]

CATALOG = "spark.sql.catalog.kafka"
COMMIT = OffsetCommitValue(offset=4, metadata="x").encode(version=3)
CALL = f"OffsetCommitValue(X'{COMMIT.hex()}', 3)"
ENCODE = "encode_OffsetCommitValue(struct(4 AS offset), 3)"


def fields_of(spark: SparkSession, call: str) -> list[str]:
    """Return the fields of the struct that a call returns."""
    return spark.sql(f"SELECT {call} AS message").select("message.*").columns


def assert_refused(spark: SparkSession, call: str, text: str) -> None:
    """Check that the call is refused as the query author's error, before the query runs."""
    with pytest.raises(Exception, match=text) as refused:
        spark.sql(f"SELECT {call}")
    assert type(refused.value).__name__ in {"IllegalArgumentException", "AnalysisException"}


@pytest.mark.parametrize("option", ["plan", "message", "PLAN"])
@pytest.mark.parametrize(("call", "owner"), [(CALL, "functions"), (ENCODE, "functions that encode")])
def test_the_name_of_the_function_selects_the_message(spark: SparkSession, call: str, owner: str, option: str) -> None:
    text = f"{owner} have no option {option}; "
    assert_refused(spark, f"kafka.`{option}=OffsetCommitKey`.{call}", text)
    spark.conf.set(f"{CATALOG}.{option}", "OffsetCommitKey")
    assert_refused(spark, f"kafka.{call}", text)


def test_the_list_of_known_options_omits_options_of_the_source(spark: SparkSession) -> None:
    known = "known options: fields, includeSecrets, limits, mode, names, unknownTaggedFields, uuid, version, versions"
    assert_refused(spark, f"kafka.`nonsense=1`.{CALL}", f"functions have no option nonsense; {known}$")


@pytest.mark.parametrize("option", ["provider", "subscribe", "kafka.bootstrap.servers", "option.mode"])
def test_functions_refuse_options_of_sources_and_tables(spark: SparkSession, option: str) -> None:
    assert_refused(spark, f"kafka.`mode=PERMISSIVE`.`{option}=x`.{CALL}", f"functions have no option {option}; ")


def test_blanks_around_options_are_ignored(spark: SparkSession) -> None:
    assert fields_of(spark, f"kafka.` fields = offset , metadata `.{CALL}") == ["offset", "metadata"]
    assert fields_of(spark, f"kafka.`mode = PERMISSIVE`.{CALL}")[-2:] == ["_error", "_raw"]


def test_the_option_version_must_be_among_the_option_versions(spark: SparkSession) -> None:
    call = f"OffsetCommitValue(X'{COMMIT.hex()}')"
    assert_refused(spark, f"kafka.`versions=0,1`.`version=3`.{call}", "option version: 3 is not among versions 0,1")
    assert "leaderEpoch" in fields_of(spark, f"kafka.`versions=3,4`.`version=3`.{call}")


def test_limits_can_be_set_by_name(spark: SparkSession) -> None:
    """Limits that are not named keep their defaults."""
    values = made(field("Values", "[]int32"))
    spark.conf.set(f"{CATALOG}.plan.{values.__name__}", values.CODEC.plan)
    data = values(values=[1, 2, 3]).encode(version=0)

    def error(limits: str) -> str | None:
        call = f"kafka.`mode=PERMISSIVE`.`limits={limits}`.{values.__name__}(X'{data.hex()}', 0)"
        (row,) = spark.sql(f"SELECT {call}._error.message AS text").collect()
        text: str | None = row.text
        return text

    assert error("array_length=3") is None
    assert error("array_length=3, memory_factor=40") is None
    assert str(error("array_length=2")).startswith("3 elements are more than 2")
    assert str(error("2,10000,32,1000000")).startswith("3 elements are more than 2")
    assert str(error("memory_factor=0,memory_constant=1")).startswith("decoding takes more memory than 0 times")


@pytest.mark.parametrize(
    "limits", ["1", "1,", "-1,1,1,1", "array_length", "array_length=-1", "array_size=1", "array_length=1,2"]
)
def test_wrong_limits_are_refused(spark: SparkSession, limits: str) -> None:
    text = "option limits: expected four numbers, or names such as array_length=2000000, not "
    assert_refused(spark, f"kafka.`limits={limits}`.{CALL}", text)


def test_a_plan_of_a_different_message_is_refused(spark: SparkSession) -> None:
    spark.conf.set(f"{CATALOG}.plan.OffsetCommitValue", message_table("OffsetCommitKey").plan)
    text = f"{CATALOG}.plan.OffsetCommitValue has the plan of OffsetCommitKey"
    assert_refused(spark, f"kafka.{CALL}", text)
    assert_refused(spark, f"kafka.{ENCODE}", text)


@pytest.mark.parametrize("plan", ["", "garbage", "messagegen-plan 3"])
def test_the_error_for_an_invalid_plan_names_the_setting(spark: SparkSession, plan: str) -> None:
    spark.conf.set(f"{CATALOG}.plan.OffsetCommitValue", plan)
    assert_refused(spark, f"kafka.{CALL}", f"{CATALOG}.plan.OffsetCommitValue is not the plan of a message")


def test_the_error_for_an_unsupported_plan_names_its_format(spark: SparkSession) -> None:
    spark.conf.set(f"{CATALOG}.plan.OffsetCommitValue", "messagegen-plan 2\nmessage OffsetCommitValue data 0-4\n")
    text = 'plan of OffsetCommitValue: this engine knows plans of format 3, not "messagegen-plan 2"'
    assert_refused(spark, f"kafka.{CALL}", text)
    assert_refused(spark, f"kafka.{ENCODE}", text)


@pytest.mark.parametrize("path", ["s3a://bucket/plans", "unknown://host/plans"])
def test_the_error_for_unreadable_plans_names_their_path(spark: SparkSession, path: str) -> None:
    """The error text contains the cause, because Spark Connect shows only the text."""
    spark.conf.set(f"{CATALOG}.plans", path)
    assert_refused(spark, f"kafka.{CALL}", rf"plans: {path} cannot be read: .*(S3AFileSystem|unknown)")


def test_an_option_without_a_value_resets_the_setting(spark: SparkSession) -> None:
    spark.conf.set(f"{CATALOG}.fields", "offset")
    spark.conf.set(f"{CATALOG}.Mode", "PERMISSIVE")
    assert fields_of(spark, f"kafka.{CALL}") == ["offset", "_error", "_raw"]
    assert fields_of(spark, f"kafka.`mode=`.{CALL}") == ["offset"]
    assert len(fields_of(spark, f"kafka.`fields=`.{CALL}")) > len(["offset", "_error", "_raw"])


@pytest.mark.parametrize(("wrong", "right"), [("PLANS", "plans"), ("Plan.OffsetCommitValue", "plan.OffsetCommitValue")])
def test_plan_settings_in_the_wrong_case_are_refused_with_advice(spark: SparkSession, wrong: str, right: str) -> None:
    spark.conf.set(f"{CATALOG}.{wrong}", "/plans")
    text = rf"unknown setting {CATALOG}\.{wrong}; did you mean {CATALOG}\.{right}\?"
    assert_refused(spark, f"kafka.{CALL}", text)


def test_changed_plan_files_are_read_again(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "own.plan"
    one = made(field("Number", "int32"))
    spark.conf.set(f"{CATALOG}.plans", str(tmp_path))
    for number, other in enumerate([one, made(field("Text", "string"), field("Also", "int8"))]):
        file.write_text(other.CODEC.plan)
        os.utime(file, (number, number))
        expected = ["number"] if other is one else ["text", "also"]
        assert fields_of(spark, f"kafka.{other.__name__}(NULL, 0)") == expected
    file.unlink()
    with pytest.raises(Exception, match=f"unknown message {one.__name__}"):
        fields_of(spark, f"kafka.{one.__name__}(NULL, 0)")


def test_names_of_columns_to_encode_are_case_insensitive(spark: SparkSession) -> None:
    """Spark's own names are not case-sensitive; Hive has only lower case."""
    columns = "1 AS OFFSET, 'x' AS Metadata, 2 AS leaderepoch, 3 AS COMMIT_TIMESTAMP"
    (row,) = spark.sql(f"SELECT kafka.encode_OffsetCommitValue(struct({columns}), 3) AS value").collect()
    expected = OffsetCommitValue(offset=1, metadata="x", leader_epoch=2, commit_timestamp=3)
    assert bytes(row.value) == expected.encode(version=3)
    tags = "struct(1 AS offset, map(7, X'01') AS _unknowntaggedfields)"
    (row,) = spark.sql(f"SELECT kafka.encode_OffsetCommitValue({tags}, 4) AS value").collect()
    assert bytes(row.value).endswith(b"\1\7\1\1")
    both = "struct(1 AS offset, 2 AS OFFSET)"
    assert_refused(spark, f"kafka.encode_OffsetCommitValue({both}, 3)", "two columns are named OFFSET")


def test_the_error_column_is_recognized_in_any_case(spark: SparkSession) -> None:
    row = "struct(1 AS offset, struct('x' AS message) AS _ERROR)"
    call = f"kafka.`mode=PERMISSIVE`.encode_OffsetCommitValue({row}, 3)"
    (found,) = spark.sql(f"SELECT {call}._error.message AS text").collect()
    assert found.text == "the row has an _error, so it is no message"


def test_fields_that_differ_only_in_case_keep_their_columns(spark: SparkSession) -> None:
    both = made(field("Size", "int8"), field("SIZE", "int8"))
    spark.conf.set(f"{CATALOG}.plan.{both.__name__}", both.CODEC.plan)
    names = fields_of(spark, f"kafka.{both.__name__}(X'0102', 0)")
    columns = ", ".join(f"{number + 1} AS `{name}`" for number, name in enumerate(names))
    (row,) = spark.sql(f"SELECT kafka.encode_{both.__name__}(struct({columns}), 0) AS value").collect()
    assert bytes(row.value) == b"\1\2"


def test_tests_do_not_share_spark_settings(spark: SparkSession) -> None:
    assert [name for name in spark.conf.getAll if name.startswith(f"{CATALOG}.")] == []
