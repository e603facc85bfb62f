"""SQL functions in the JVM decode messages to the same values as ``decode_arrow`` without Spark."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from messagegen_arrow import MessageTable, decode_arrow
from messagegen_arrow.catalog import message_table
from messagegen_kafka import OffsetCommitValue
from tests.arrow.support.messages import random_bytes, tables
from tests.support.profiles import seed
from tests.support.specs import field, made, made_package, spec

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from pyspark.errors import AnalysisException
from pyspark.sql.types import StructType

from messagegen_spark import register

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.usefixtures("kafka_catalog"),
]

CATALOG = "spark.sql.catalog.kafka"
COMMIT = OffsetCommitValue(offset=4, metadata="x")
DAMAGED: list[tuple[bytes | None, int | None]] = [
    (None, 1),
    (b"short", 3),
    (COMMIT.encode(version=0) + b"extra", 0),
    (b"", None),
    (b"", 11),
    (None, None),
]
REASONS = [
    None,
    "the bytes end early: 8 needed, 5 left",
    "extra bytes after the message: 5",
    "the version is null",
    "unexpected version 11; expected 0 to 4",
    None,
]


def frame_of(spark: SparkSession, values: list[tuple[Any, Any]], version: str = "int") -> DataFrame:
    """Return numbered rows in one partition."""
    rows = [(number, value and bytearray(value), at) for number, (value, at) in enumerate(values)]
    return spark.createDataFrame(rows, f"number int, value binary, version {version}").coalesce(1)


def decoded(frame: DataFrame, call: str) -> list[Any]:
    """Return the result of a call for each row, as Python's objects."""
    rows = frame.selectExpr("number", f"{call} AS message").orderBy("number").collect()
    return [row.message and row.message.asDict(recursive=True) for row in rows]


def random_messages(table: MessageTable, count: int) -> list[tuple[bytes, int]]:
    random = Random(seed())
    return [(random_bytes(random, table, version), version) for version in table.versions for _ in range(count)]


def expected_rows(table: MessageTable, messages: list[tuple[bytes, int]], **options: Any) -> list[Any]:
    values = pa.array([value for value, _ in messages], pa.binary())
    versions = pa.array([version for _, version in messages], pa.int32())
    rows = decode_arrow(values, table, versions, **options).to_pylist()
    return [{name: value for name, value in row.items() if name != "_error"} for row in rows]


def test_rows_equal_the_columns_of_a_single_machine(spark: SparkSession) -> None:
    """The messages have all types in all versions, unknown tagged fields, and nested arrays, maps and nulls."""
    for table in tables():
        spark.conf.set(f"{CATALOG}.plan.{table.name}", table.plan)
        messages = random_messages(table, 10)
        options = "`includeSecrets=true`.`unknownTaggedFields=true`"
        frame = frame_of(spark, messages)
        found = frame.selectExpr(f"kafka.{options}.{table.name}(value, version) AS message").toArrow()
        expected = expected_rows(table, messages, unknown_tagged_fields=True)
        assert repr(found["message"].to_pylist()) == repr(expected), table.name


@pytest.mark.slow
def test_rows_have_the_same_bytes_as_rows_made_by_spark(spark: SparkSession) -> None:
    """Spark compares rows by their bytes, including tagged fields and defaults."""
    for table in tables():
        spark.conf.set(f"{CATALOG}.plan.{table.name}", table.plan)
        call = f"kafka.`includeSecrets=true`.{table.name}(value, version) AS message"
        frame = frame_of(spark, random_messages(table, 10)).selectExpr(call)
        if frame.schema["message"].dataType == StructType():
            continue
        made_by_spark = spark.createDataFrame(frame.collect(), frame.schema)
        assert frame.distinct().exceptAll(made_by_spark.distinct()).count() == 0, table.name


def test_options_have_the_same_effect_as_in_python_functions(spark: SparkSession) -> None:
    table = message_table("MetadataResponse")
    messages = [message for message in random_messages(table, 3) if message[1] >= 10]
    call = "kafka.`versions=10,11,12,13`.`names=snake`.`uuid=binary`.`fields=topics.topicId,brokers`.MetadataResponse"
    found = frame_of(spark, messages).selectExpr(f"{call}(value, version) AS message").toArrow()
    options = {"names": "snake", "uuid": "binary", "fields": ["topics.topic_id", "brokers"], "versions": range(10, 14)}
    assert found["message"].to_pylist() == expected_rows(table, messages, **options)


def test_permissive_rows_have_an_error(spark: SparkSession) -> None:
    rows = decoded(frame_of(spark, DAMAGED), "kafka.`mode=PERMISSIVE`.OffsetCommitValue(value, version)")
    assert [row and row["_error"]["message"] for row in rows] == REASONS
    assert rows[1]["_error"] == {"message": REASONS[1], "path": "offset", "offset": 0}
    assert bytes(rows[1]["_raw"]) == b"short"
    assert {rows[1][name] for name in ("offset", "metadata", "topicId")} == {None}
    (right,) = decoded(
        frame_of(spark, [(COMMIT.encode(version=4), 4)]), "kafka.`mode=PERMISSIVE`.OffsetCommitValue(value, 4)"
    )
    assert (right["offset"], right["metadata"], right["_error"], right["_raw"]) == (4, "x", None, None)


@pytest.mark.parametrize("version", ["byte", "short", "int", "long"])
def test_versions_can_have_any_integer_type(spark: SparkSession, version: str) -> None:
    values = [(COMMIT.encode(version=number), number) for number in range(5)]
    frame = frame_of(spark, values, version)
    assert [row["offset"] for row in decoded(frame, "kafka.OffsetCommitValue(value, version)")] == [4] * 5
    never_null = f"kafka.OffsetCommitValue(value, coalesce(version, cast(0 AS {version})))"
    assert [row["leaderEpoch"] for row in decoded(frame, never_null)] == [None, None, None, -1, -1]


def test_values_can_begin_with_their_versions(spark: SparkSession) -> None:
    prefixed = [(number.to_bytes(2, "big") + COMMIT.encode(version=number), None) for number in range(5)]
    frame = frame_of(spark, [*prefixed, (b"\0", None), (b"\0\x01\0", None)])
    rows = decoded(frame, "kafka.`mode=PERMISSIVE`.OffsetCommitValue(value)")
    assert [row["offset"] for row in rows] == [4, 4, 4, 4, 4, None, None]
    assert [row["_error"]["message"] for row in rows[5:]] == [
        "the version is null",
        "the bytes end early: 8 needed, 1 left",
    ]
    assert bytes(rows[6]["_raw"]) == b"\0\x01\0"
    constant = decoded(
        frame_of(spark, [(COMMIT.encode(version=3), None)]), "kafka.`version=3`.OffsetCommitValue(value)"
    )
    assert constant == [{"offset": 4, "leaderEpoch": -1, "metadata": "x", "commitTimestamp": 0}]


def test_errors_mention_a_missing_version(spark: SparkSession) -> None:
    bare = frame_of(spark, [(COMMIT.encode(version=3), 3)])
    with pytest.raises(Exception, match=r"; without a version, each value begins with its version"):
        decoded(bare, "kafka.OffsetCommitValue(value)")
    with pytest.raises(Exception, match=r"byte 0\); mode PERMISSIVE"):
        decoded(frame_of(spark, [(b"x", 3)]), "kafka.OffsetCommitValue(value, version)")


def test_similar_names_of_user_messages_are_suggested(spark: SparkSession) -> None:
    first, *_ = tables()
    plan = first.plan.replace(first.name, "Trip")
    spark.conf.set(f"{CATALOG}.plan.Trip", plan)
    for wrong in ("Trpi", "trips", "TRIPP"):
        with pytest.raises(Exception, match=f"unknown message {wrong}; did you mean Trip"):
            frame_of(spark, []).selectExpr(f"kafka.{wrong}(value, 1)")


def test_failfast_ends_the_query_and_dropmalformed_returns_null(spark: SparkSession) -> None:
    damaged = frame_of(spark, DAMAGED)
    assert decoded(damaged, "kafka.`mode=dropmalformed`.OffsetCommitValue(value, version)") == [None] * len(DAMAGED)
    with pytest.raises(
        Exception, match=r"offset: the bytes end early: 8 needed, 5 left \(OffsetCommitValue version 3, byte 0\)"
    ):
        decoded(damaged, "kafka.OffsetCommitValue(value, version)")
    spark.conf.set(f"{CATALOG}.mode", "PERMISSIVE")
    assert decoded(damaged, "kafka.OffsetCommitValue(value, version)")[1]["_error"]["path"] == "offset"


def test_secrets_are_hidden_by_default(spark: SparkSession) -> None:
    frame = frame_of(spark, [(b"secret", 0)])
    (row,) = decoded(frame, "kafka.`mode=PERMISSIVE`.UserScramCredentialRecord(value, version)")
    assert bytes(row["_raw"]) == b"<redacted>"
    assert "salt" not in row
    (row,) = decoded(frame, "kafka.`mode=PERMISSIVE`.`includeSecrets=true`.UserScramCredentialRecord(value, version)")
    assert bytes(row["_raw"]) == b"secret"
    assert "salt" in row


@pytest.mark.slow
def test_functions_work_anywhere_in_a_query(spark: SparkSession) -> None:
    """Results of a function are stored, sorted, compared and passed on, and equal calls share one result."""
    values = [(OffsetCommitValue(offset=number, metadata="m" * number).encode(version=3), 3) for number in range(50)]
    frame_of(spark, values).repartition(2).createOrReplaceTempView("commits")
    spark.sql("CREATE OR REPLACE TEMP VIEW decoded AS SELECT kafka.OffsetCommitValue(value, 3) AS commit FROM commits")
    assert spark.sql("SELECT max(commit.offset), max_by(commit, commit.offset).metadata FROM decoded").collect() == [
        (49, "m" * 49)
    ]
    ordered = spark.sql("SELECT commit.metadata FROM decoded ORDER BY commit DESC").collect()
    assert [len(row.metadata) for row in ordered] == list(range(49, -1, -1))
    arrays = """
        SELECT transform(array_sort(collect_list(value)), each -> kafka.OffsetCommitValue(each, 3)) AS held,
            array(kafka.OffsetCommitValue(max(value), 3), kafka.OffsetCommitValue(min(value), 3)) AS ends
        FROM commits
    """
    (row,) = spark.sql(arrays).collect()
    assert sorted(each.offset for each in row.held) == list(range(50))
    assert [each.offset for each in row.ends] == [49, 0]
    two = spark.sql(
        "SELECT kafka.OffsetCommitValue(value, 3).offset + kafka.OffsetCommitValue(value, 3).offset FROM commits"
    )
    assert sorted(row[0] for row in two.collect()) == list(range(0, 100, 2))


@pytest.mark.slow
def test_short_and_very_long_values_can_alternate(spark: SparkSession) -> None:
    """A thread keeps memory for values; it grows for longer values, and shrinks again after very long ones."""
    kept, most_kept = 1 << 12, 1 << 22
    lengths = [0, 1, kept - 1, kept, kept + 1, 3, most_kept - 1, most_kept + 1, 2, most_kept + 9, most_kept + 7, 5, 0]
    cls = made(field("Data", "bytes"))
    spark.conf.set(f"{CATALOG}.plan.{cls.__name__}", cls.CODEC.plan)
    data = [bytes([number + 1]) * length for number, length in enumerate(lengths)]
    values = [cls(data=each).encode(version=0) for each in data]
    cut_off = [value[:-1] for value in values]
    call = f"kafka.`mode=PERMISSIVE`.{cls.__name__}(value, version)"
    frame = frame_of(spark, [(value, 0) for pair in zip(values, cut_off, strict=True) for value in (*pair, None)])
    rows = decoded(frame, call)
    assert [bytes(row["data"]) for row in rows[::3]] == data
    assert [bytes(row["_raw"]) for row in rows[1::3]] == cut_off
    assert {row["data"] for row in rows[1::3]} == {None}
    assert set(rows[2::3]) == {None}


def test_texts_are_checked_for_valid_utf_8_at_every_position(spark: SparkSession) -> None:
    """For each length, each position has a multi-byte character, or a byte that can't begin a character."""
    counts = range(9)
    texts = ["x" * count + each + "y" * end_count for each in "éあ" for count in counts for end_count in counts]
    right = [(OffsetCommitValue(offset=1, metadata=text).encode(version=3), 3) for text in texts]
    assert [row["metadata"] for row in decoded(frame_of(spark, right), "kafka.OffsetCommitValue(value, 3)")] == texts
    wrong = [(value.replace("é".encode(), b"\xc3x"), 3) for value, _ in right[: len(right) // 2]]
    rows = decoded(frame_of(spark, wrong), "kafka.`mode=PERMISSIVE`.OffsetCommitValue(value, 3)")
    reasons = [f"the string is not UTF-8 at its byte {count}" for count in counts for _ in counts]
    assert [row["_error"]["message"] for row in rows] == reasons
    assert {row["metadata"] for row in rows} == {None}


def test_functions_work_without_code_generation(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    spark.conf.set("spark.sql.codegen.wholeStage", "false")
    try:
        rows = decoded(frame_of(spark, DAMAGED), "kafka.`mode=PERMISSIVE`.OffsetCommitValue(value, version)")
    finally:
        spark.conf.unset("spark.sql.codegen.factoryMode")
        spark.conf.unset("spark.sql.codegen.wholeStage")
    assert [row and row["_error"]["message"] for row in rows] == REASONS


def test_user_plans_can_be_settings_or_files(spark: SparkSession, tmp_path: Path) -> None:
    wide = made(*(field(f"F{number}", "string", nullableVersions="0+") for number in range(70)))
    table = message_table(wide)
    value = {f"f{number}": None if number % 3 else "x" * number for number in range(70)}
    frame = frame_of(spark, [(wide.from_json(value, version=0).encode(version=0), 0)])
    spark.conf.set(f"{CATALOG}.plan.{table.name}", wide.CODEC.plan)
    assert decoded(frame, f"kafka.{table.name}(value, version)") == [value]
    spark.conf.unset(f"{CATALOG}.plan.{table.name}")
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / "wide.plan").write_text(wide.CODEC.plan)
    spark.conf.set(f"{CATALOG}.plans", f"{tmp_path / 'plans'},{tmp_path / 'plans' / 'wide.plan'}")
    assert decoded(frame, f"kafka.{table.name.lower()}(value, version)") == [value]


def test_plans_in_settings_override_files_and_files_override_the_jar(spark: SparkSession, tmp_path: Path) -> None:
    def plan(column: str) -> str:
        messages = made_package(spec(field(column, "int32"), name="OffsetCommitValue"))
        text: str = messages.OffsetCommitValue.CODEC.plan
        return text

    def first_column() -> str:
        return spark.sql("SELECT message.* FROM (SELECT kafka.OffsetCommitValue(NULL, 0) AS message)").columns[0]

    assert first_column() == "offset"
    (tmp_path / "own.plan").write_text(plan("OfFile"), encoding="utf-8")
    spark.conf.set(f"{CATALOG}.plans", str(tmp_path / "own.plan"))
    assert first_column() == "ofFile"
    spark.conf.set(f"{CATALOG}.plan.OffsetCommitValue", plan("OfText"))
    assert first_column() == "ofText"


def test_a_new_session_needs_its_own_registration(spark: SparkSession) -> None:
    query = "SELECT kafka.OffsetCommitValue(NULL, 3) AS message"
    other = spark.newSession()
    with pytest.raises(AnalysisException):
        other.sql(query)
    register(other, messages=["OffsetCommitValue"])
    assert other.sql(query).collect() == [(None,)]


def test_types_have_the_comments_of_the_spec(spark: SparkSession) -> None:
    frame = frame_of(spark, []).selectExpr("kafka.MetadataResponse(value, 12) AS message")
    message: Any = frame.schema["message"].dataType
    topics = message["topics"]
    assert topics.metadata == {"comment": "Topics asked for, or all topics.", "kafka.type": "[]MetadataResponseTopic"}
    assert topics.dataType.elementType["name"].metadata["kafka.type"] == "string"


def test_describe_query_shows_the_columns_with_comments(spark: SparkSession) -> None:
    message = "SELECT kafka.OffsetCommitValue(NULL, 1) AS message"
    described = spark.sql(f"DESCRIBE QUERY SELECT message.* FROM ({message})").collect()
    assert described[0][:2] == ("offset", "bigint")
    assert all(row.comment for row in described)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("kafka.OffsetComitValue(value, 1)", "unknown message OffsetComitValue; did you mean OffsetCommit"),
        ("kafka.OfsetCommitValeu(value, 1)", "unknown message OfsetCommitValeu; did you mean OffsetCommitValue"),
        ("kafka.encode_OfsetCommitValeu(value, 1)", "unknown message OfsetCommitValeu; did you mean OffsetCommitValue"),
        ("kafka.Xyzzy(value, 1)", "unknown message Xyzzy; for one of your own, set spark.sql.catalog.kafka.plans"),
        ("kafka.OffsetCommitValue(number, 1)", "expected bytes and a version"),
        ("kafka.OffsetCommitValue(value, 'one')", "expected a version that is a whole number"),
        ("kafka.OffsetCommitValue(value, 1, 2)", "expected bytes and a version"),
        (
            "kafka.`version=1`.OffsetCommitValue(value, 1)",
            "there is an option version, so values are the only argument",
        ),
        ("kafka.strict.OffsetCommitValue(value, 1)", "expected an option such as `mode=PERMISSIVE`"),
        ("kafka.`mode=LENIENT`.OffsetCommitValue(value, 1)", "option mode: expected mode PERMISSIVE or FAILFAST"),
        ("kafka.`modes=FAILFAST`.OffsetCommitValue(value, 1)", "functions have no option modes; did you mean mode"),
        ("kafka.`fields=ofset`.OffsetCommitValue(value, 1)", "unknown field"),
        ("kafka.`versions=7`.OffsetCommitValue(value, 1)", "the message has no version 7"),
        ("kafka.`limits=1,2`.OffsetCommitValue(value, 1)", "expected four numbers"),
    ],
)
def test_wrong_arguments_are_refused_before_the_query_runs(spark: SparkSession, call: str, text: str) -> None:
    with pytest.raises(Exception, match=text):
        frame_of(spark, []).selectExpr(call)


def test_the_error_for_an_invalid_plan_names_the_file(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("notes", "orders.PLAN", "orders.plan"):
        (tmp_path / name).write_text("{}")
    spark.conf.set(f"{CATALOG}.plans", str(tmp_path))
    with pytest.raises(Exception, match=r"orders\.plan is not the plan of a message"):
        frame_of(spark, []).selectExpr("kafka.OffsetCommitValue(value, 1)")
    with (tmp_path / "orders.plan").open("wb") as sparse:
        sparse.truncate(1 << 32)
    with pytest.raises(Exception, match=r"orders\.plan has 4294967296 bytes; expected at most 16777216"):
        frame_of(spark, []).selectExpr("kafka.OffsetCommitValue(value, 1)")
    spark.conf.set(f"{CATALOG}.plans", str(tmp_path / "nothing"))
    with pytest.raises(Exception, match="plans: there is nothing at"):
        frame_of(spark, []).selectExpr("kafka.OffsetCommitValue(value, 1)")


@pytest.mark.slow
def test_the_functions_work_in_a_spark_connect_session(spark: SparkSession) -> None:
    pytest.importorskip("grpc", reason="PySpark is not installed with Connect: `make test` installs it")
    from messagegen_spark import register  # noqa: PLC0415 - tests without Connect do not need it
    from tests.spark.support.sessions import connect_session  # noqa: PLC0415

    with connect_session(spark) as session:
        register(session)
        session.conf.set(CATALOG, "messagegen.spark.Functions")
        frame = frame_of(session, [(COMMIT.encode(version=3), 3)])
        assert decoded(frame, "kafka.OffsetCommitValue(value, version)")[0]["offset"] == 4


@pytest.mark.slow
def test_damaged_rows_of_all_messages_can_be_converted_to_arrow(spark: SparkSession) -> None:
    """Arrow checks that only nullable fields are null."""
    for table in tables():
        spark.conf.set(f"{CATALOG}.plan.{table.name}", table.plan)
        damaged: list[Any] = [(b"\xff", version) for version in table.versions]
        call = f"kafka.`mode=PERMISSIVE`.{table.name}(value, version) AS message"
        found = frame_of(spark, [*damaged, *random_messages(table, 2)]).selectExpr(call).toArrow()
        assert found["message"].null_count == 0, table.name
