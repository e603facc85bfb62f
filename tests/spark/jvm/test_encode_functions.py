"""The catalog's functions that encode messages in the JVM agree with the columns of a single machine."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from messagegen_arrow import encode_arrow
from messagegen_kafka import MetadataResponse, OffsetCommitValue
from tests.arrow.support.messages import java_messages, random_bytes, tables
from tests.support.profiles import seed

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
    pytest.mark.usefixtures("kafka_catalog"),
]

CATALOG = "spark.sql.catalog.kafka"
OF_A_QUERY = 20
"""The number of messages whose functions one query calls."""
COMMIT = "named_struct('offset', 4L, 'metadata', 'x')"
BYTES = OffsetCommitValue(offset=4, metadata="x").encode(version=3)


def results(spark: SparkSession, *calls: str) -> list[Any]:
    """Return the results of calls, as Python's objects."""
    columns = [f"{call} AS _{number}" for number, call in enumerate(calls)]
    (row,) = spark.range(1).selectExpr(*columns).collect()
    return [plain(value) for value in row]


def plain(value: Any) -> Any:
    if isinstance(value, bytearray):
        return bytes(value)
    return {name: plain(each) for name, each in value.asDict().items()} if hasattr(value, "asDict") else value


def error_of(spark: SparkSession, row: str, version: str = "3", message: str = "OffsetCommitValue") -> Any:
    """Return the error of a row that cannot be written."""
    (result,) = results(spark, f"kafka.`mode=PERMISSIVE`.encode_{message}({row}, {version})")
    assert result["value"] is None
    return result["_error"]


def written_again(frame: DataFrame, names: list[str], options: str = "") -> list[Any]:
    """Return the message, version and value of each row, with the bytes after decoding and encoding it."""
    cases = " ".join(
        f"WHEN name = '{name}' THEN kafka.encode_{name}("
        f"kafka.`includeSecrets=true`.`unknownTaggedFields=true`{options}.{name}(value, version), version)"
        for name in names
    )
    return frame.selectExpr("name", "version", "value", f"CASE {cases} END AS again").collect()


@pytest.mark.slow
def test_decoded_values_are_encoded_to_the_original_bytes(spark: SparkSession) -> None:
    """The values are Apache's bytes of all messages in all versions."""
    messages = java_messages()
    for start in range(0, len(messages), OF_A_QUERY):
        some = messages[start : start + OF_A_QUERY]
        rows = [
            (of_message.name, version, bytearray(data))
            for of_message in some
            for version, data in zip(of_message.versions, of_message.data, strict=True)
        ]
        frame = spark.createDataFrame(rows, "name string, version int, value binary").coalesce(1)
        again = written_again(frame, [of_message.name for of_message in some])
        assert len(again) == len(rows)
        assert [row[:2] for row in again if row[2] != row[3]] == []


@pytest.mark.parametrize("options", ["", ".`names=snake`.`uuid=binary`"])
def test_messages_of_all_types_are_encoded_to_the_original_bytes(spark: SparkSession, options: str) -> None:
    random = Random(seed())
    rows = []
    for table in tables():
        spark.conf.set(f"{CATALOG}.plan.{table.name}", table.plan)
        rows += [
            (table.name, version, bytearray(random_bytes(random, table, version)))
            for version in table.versions
            for _ in range(5)
        ]
    frame = spark.createDataFrame(rows, "name string, version int, value binary").coalesce(1)
    again = written_again(frame, [table.name for table in tables()], options)
    assert len(again) == len(rows)
    assert [row[:2] for row in again if row[2] != row[3]] == []


def test_fields_are_matched_by_name_in_any_order_and_either_style(spark: SparkSession) -> None:
    calls = (
        f"kafka.encode_OffsetCommitValue({COMMIT}, 3)",
        "kafka.encode_OffsetCommitValue(struct('x' AS metadata, 4S AS offset, -1Y AS leader_epoch), 3)",
        "kafka.encode_offsetcommitvalue(struct(-1 AS leaderEpoch, 4 AS offset, 'x' AS metadata, 7 AS _other), 3)",
    )
    assert results(spark, *calls) == [BYTES] * 3


def test_missing_fields_take_their_defaults(spark: SparkSession) -> None:
    calls = [f"kafka.encode_MetadataResponse(struct(0 AS throttleTimeMs), {version})" for version in range(14)]
    assert results(spark, *calls) == [MetadataResponse().encode(version=version) for version in range(14)]


def test_a_required_field_can_be_null_only_if_the_version_lacks_it(spark: SparkSession) -> None:
    row = "named_struct('offset', 4, 'metadata', 'x', 'leaderEpoch', NULL, 'topicId', CAST(NULL AS STRING))"
    assert results(spark, f"kafka.encode_OffsetCommitValue({row}, 1)") == [
        OffsetCommitValue(offset=4, metadata="x").encode(version=1)
    ]
    assert error_of(spark, row) == {"message": "null is not allowed here", "path": "leaderEpoch"}


def test_nested_values_are_written(spark: SparkSession) -> None:
    one, two = "AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAg"
    row = f"""named_struct(
        'topics', array(
            named_struct(
                'name', 'a',
                'topicId', '{one}',
                'partitions', array(named_struct('partitionIndex', 5, 'isrNodes', array(1, 2, 3)))
            ),
            named_struct('name', NULL, 'topicId', '{two}', 'partitions', array())
        ),
        'unknown_tagged_fields', map(9, X'0102', 7, X'')
    )"""
    topics = [
        {
            "name": "a",
            "topicId": "AAAAAAAAAAAAAAAAAAAAAQ",
            "partitions": [{"partitionIndex": 5, "isrNodes": [1, 2, 3]}],
        },
        {"name": None, "topicId": "AAAAAAAAAAAAAAAAAAAAAg", "partitions": []},
    ]
    tags = pa.array([[(9, b"\1\2"), (7, b"")]], pa.map_(pa.int32(), pa.binary()))
    array = pa.StructArray.from_arrays([pa.array([topics]), tags], names=["topics", "unknown_tagged_fields"])
    values, errors = encode_arrow(array, "MetadataResponse", 12)
    assert errors.null_count == 1
    assert results(spark, f"kafka.encode_MetadataResponse({row}, 12)") == values.to_pylist()


def test_uuids_are_accepted_in_several_forms(spark: SparkSession) -> None:
    forms = ("'AAAAAAAAAAAAAAAAAAAAAQ'", "X'00000000000000000000000000000001'")
    calls = [f"kafka.encode_OffsetCommitValue(struct(4 AS offset, {form} AS topic_id), 4)" for form in forms]
    first, second = results(spark, *calls)
    assert first == second
    assert first.endswith(b"\1")


@pytest.mark.parametrize(
    ("row", "version", "message", "path"),
    [
        ("struct(CAST(NULL AS INT) AS offset)", "1", "null is not allowed here", "offset"),
        ("struct(1099511627776 AS leaderEpoch)", "3", "1099511627776 does not fit in int32", "leaderEpoch"),
        (
            "struct(repeat('x', 32768) AS metadata)",
            "3",
            "a string has at most 32767 bytes of UTF-8, not 32768",
            "metadata",
        ),
        ("struct('short' AS topicId)", "4", "a uuid is 22 letters of base64url", "topicId"),
        ("struct(X'01' AS topicId)", "4", "a uuid has 16 bytes", "topicId"),
        ("struct(CAST(X'61FF' AS STRING) AS metadata)", "3", "the string is not UTF-8 at its byte 1", "metadata"),
        ("struct(struct('x' AS message) AS _error)", "3", "the row has an _error, so it is no message", ""),
        (COMMIT, "5", "unexpected version 5; expected 0 to 4", ""),
        (COMMIT, "CAST(NULL AS INT)", "the version is null", ""),
        (COMMIT, "NULL", "the version is null", ""),
        ("struct(map(7, X'', 7L - 8, X'') AS _unknownTaggedFields)", "4", "expected a tag from 0", "_unknownTagged"),
        (
            "struct(map(7, X'') AS _unknownTaggedFields)",
            "3",
            "this version has no tagged fields, so unknown ones can't be written",
            "_unknownTaggedFields",
        ),
    ],
)
def test_errors_of_unwritable_rows_have_a_message_and_a_path(
    spark: SparkSession, row: str, version: str, message: str, path: str
) -> None:
    error = error_of(spark, row, version)
    assert error["message"].startswith(message)
    assert error["path"].startswith(path)


def test_each_mode_treats_unwritable_rows_as_documented(spark: SparkSession) -> None:
    spark.range(3).selectExpr(
        "id", "named_struct('offset', nullif(id, 1L), 'metadata', 'x') AS commit", "id > 1 AS isNull"
    ).createOrReplaceTempView("some")
    values = "SELECT {}(if(isNull, NULL, commit), 3) AS value FROM some ORDER BY id"

    def asked(function: str) -> list[Any]:
        return [plain(row.value) for row in spark.sql(values.format(function)).collect()]

    first = OffsetCommitValue(offset=0, metadata="x").encode(version=3)
    assert asked("kafka.`mode=dropmalformed`.encode_OffsetCommitValue") == [first, None, None]
    error = {"message": "null is not allowed here", "path": "offset"}
    permissive = [
        {"value": first, "_error": None},
        {"value": None, "_error": error},
        {"value": None, "_error": None},
    ]
    assert asked("kafka.`mode=permissive`.encode_OffsetCommitValue") == permissive
    with pytest.raises(
        Exception, match=r"offset: null is not allowed here \(OffsetCommitValue version 3\); mode PERMISSIVE keeps"
    ):
        asked("kafka.encode_OffsetCommitValue")


def test_encoding_uses_catalog_settings_unless_they_concern_decoding(spark: SparkSession) -> None:
    spark.conf.set(f"{CATALOG}.names", "snake")
    spark.conf.set(f"{CATALOG}.includeSecrets", "true")
    spark.conf.set(f"{CATALOG}.mode", "PERMISSIVE")
    assert results(spark, f"kafka.encode_OffsetCommitValue({COMMIT}, 3)") == [{"value": BYTES, "_error": None}]
    spark.conf.set(f"{CATALOG}.version", "3")
    assert results(spark, f"kafka.encode_OffsetCommitValue({COMMIT})") == [{"value": BYTES, "_error": None}]


@pytest.mark.parametrize("version", ["TINYINT", "SMALLINT", "INT", "BIGINT"])
def test_versions_can_have_any_integer_type(spark: SparkSession, version: str) -> None:
    frame = spark.range(5).selectExpr(
        "id", f"CAST(id AS {version}) AS never_null", f"CAST(nullif(id, 9) AS {version}) AS version"
    )
    for column in ("never_null", "version"):
        found = frame.selectExpr("id", f"kafka.encode_OffsetCommitValue({COMMIT}, {column}) AS value").collect()
        commit = OffsetCommitValue(offset=4, metadata="x")
        assert {row.id: bytes(row.value) for row in found} == {at: commit.encode(version=at) for at in range(5)}


@pytest.mark.slow
def test_rows_in_every_spark_representation_are_encoded(spark: SparkSession, tmp_path: Path) -> None:
    """The rows are from Parquet columns, sorts, aggregates, arrays, and queries without generated code."""
    commit = "named_struct('offset', id, 'metadata', repeat('m', CAST(id AS INT))) AS commit"
    spark.range(50).selectExpr("id", commit).write.parquet(str(tmp_path / "commits"))
    spark.read.parquet(str(tmp_path / "commits")).createOrReplaceTempView("commits")
    expected = {count: OffsetCommitValue(offset=count, metadata="m" * count).encode(version=3) for count in range(50)}
    call = "kafka.encode_OffsetCommitValue({}, 3)"
    exploded = "SELECT id, explode(array(commit, NULL, commit)) AS each FROM commits"
    queries = [
        f"SELECT id, {call.format('commit')} AS value FROM commits",
        f"SELECT id, {call.format('commit')} AS value FROM (SELECT id, commit FROM commits ORDER BY commit)",
        f"SELECT id, {call.format('max(commit)')} AS value FROM commits GROUP BY id",
        f"SELECT id, {call.format('each')} AS value FROM ({exploded}) WHERE each IS NOT NULL",
        f"SELECT id, transform(array(commit, commit), each -> {call.format('each')})[1] AS value FROM commits",
    ]
    for codegen in ("true", "false"):
        spark.conf.set("spark.sql.codegen.wholeStage", codegen)
        spark.conf.set("spark.sql.codegen.factoryMode", "FALLBACK" if codegen == "true" else "NO_CODEGEN")
        try:
            for query in queries:
                assert {row.id: bytes(row.value) for row in spark.sql(query).collect()} == expected, query
        finally:
            spark.conf.unset("spark.sql.codegen.wholeStage")
            spark.conf.unset("spark.sql.codegen.factoryMode")


def test_views_can_call_the_functions(spark: SparkSession) -> None:
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW encoded AS "
        f"SELECT id, kafka.encode_OffsetCommitValue({COMMIT}, CAST(id AS INT)) AS value FROM range(5)"
    )
    again = "SELECT id, kafka.OffsetCommitValue(value, CAST(id AS INT)).metadata FROM encoded ORDER BY id"
    assert spark.sql(again).collect() == [(number, "x") for number in range(5)]
    found = spark.sql("SHOW USER FUNCTIONS IN kafka LIKE '*OffsetCommitValue'").collect()
    assert {"kafka.OffsetCommitValue", "kafka.encode_OffsetCommitValue"} <= {row.function for row in found}


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("encode_OffsetComitValue(struct(1 AS offset), 1)", "unknown message OffsetComitValue; did you mean"),
        ("encode_OffsetCommitValue(7, 1)", r"expected a struct such as named_struct\('field', value\), not INT"),
        ("encode_OffsetCommitValue()", "expected a struct and a version: encode_OffsetCommitValue"),
        ("encode_OffsetCommitValue(struct(1 AS offset))", "expected a version behind the struct, or the option"),
        ("encode_OffsetCommitValue(struct(1 AS offset), 'one')", "expected a version that is a whole number"),
        (
            "`version=1`.encode_OffsetCommitValue(struct(1 AS offset), 1)",
            "there is an option version, so structs are the only argument",
        ),
        ("`version=7`.encode_OffsetCommitValue(struct(1 AS offset))", "the message has no version 7"),
        (
            "`names=snake`.encode_OffsetCommitValue(struct(1 AS offset), 1)",
            "functions that encode have no option names",
        ),
        (
            "encode_OffsetCommitValue(struct(1 AS ofset), 1)",
            "encode_OffsetCommitValue: unknown column ofset; the fields of OffsetCommitValue are offset, leaderEpoch",
        ),
        (
            "encode_OffsetCommitValue(struct('1' AS offset), 1)",
            "offset needs INT, BIGINT, SMALLINT or TINYINT, not STRING",
        ),
        ("encode_OffsetCommitValue(struct(1.5 AS offset), 1)", r"not DECIMAL\(2,1\)"),
        ("encode_OffsetCommitValue(struct(array(1) AS metadata), 1)", "metadata needs STRING, not ARRAY"),
        ("encode_OffsetCommitValue(struct(1 AS topicId), 4)", "topicId needs STRING, or BINARY of 16 bytes, not INT"),
        (
            "encode_OffsetCommitValue(struct(1 AS leaderEpoch, 1 AS leader_epoch), 4)",
            "OffsetCommitValue has two columns for the field leaderEpoch, under Kafka's name and in snake case",
        ),
        (
            "encode_MetadataResponse(struct(array(struct(array(struct('x' AS leaderId)) AS partitions)) AS topics), 1)",
            "topics.partitions.leaderId needs INT, BIGINT, SMALLINT or TINYINT, not STRING",
        ),
        (
            "encode_MetadataResponse(struct(map('a', X'') AS _unknownTaggedFields), 1)",
            "_unknownTaggedFields needs a MAP of integers to BINARY, not MAP",
        ),
    ],
)
def test_wrong_arguments_are_refused_before_the_query_runs(spark: SparkSession, call: str, text: str) -> None:
    with pytest.raises(Exception, match=text):
        spark.range(1).selectExpr(f"kafka.{call}")


def test_encoding_an_untyped_null_returns_null(spark: SparkSession) -> None:
    assert results(spark, "kafka.encode_OffsetCommitValue(NULL, 3)") == [None]


@pytest.mark.slow
def test_the_functions_work_in_a_spark_connect_session(spark: SparkSession) -> None:
    pytest.importorskip("grpc", reason="PySpark is not installed with Connect: `make test` installs it")
    from messagegen_spark import register  # noqa: PLC0415 - tests without Connect do not need it
    from tests.spark.support.sessions import connect_session  # noqa: PLC0415

    with connect_session(spark) as session:
        register(session)
        session.conf.set(CATALOG, "messagegen.spark.Functions")
        assert results(session, f"kafka.encode_OffsetCommitValue({COMMIT}, 3)") == [BYTES]
