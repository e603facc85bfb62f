"""The result has exactly the columns and fields that Spark requests, at any depth, or is an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as sf

from messagegen_kafka import MetadataResponse
from messagegen_spark import register
from tests.arrow.support.log_data import Batch, Data, write_segment
from tests.spark.jvm.schema_draws import DOORS, Draws
from tests.spark.support.messages import RESPONSE
from tests.spark.support.sessions import connect_session
from tests.support.profiles import scaled, seed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

Load = Callable[..., "DataFrame"]

_HEADERS = [(b"h", b"x"), (b"i", None)]
_MESSAGE = {"message": "MetadataResponse", "version": "12"}
_VALUE = MetadataResponse.from_json(RESPONSE, version=12).encode(version=12)
_DRAWS = 12
"""The number of draws in a test; ``python -m tests.spark.jvm.schema_draws`` has an option for it."""


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Write a message, and a value that is not a message."""
    records = [Data(_VALUE, headers=_HEADERS), Data(_VALUE[:-3], headers=_HEADERS[:1])]
    write_segment(tmp_path / "logs" / "orders-0", 0, [Batch(0, records).encode()])
    return tmp_path / "logs"


def test_error_fields_can_be_selected_together_with_message_arrays(load: Load, logs: Path) -> None:
    frame = load(logs, **_MESSAGE, mode="PERMISSIVE")
    first, second = frame.select("message.topics", "_error.path", "_error.offset").collect()
    assert ([topic.name for topic in first.topics], first.path, first.offset) == (["a"], None, None)
    assert (second.topics, second.path, second.offset) == (None, "topics[0].topicAuthorizedOperations", 78)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (lambda frame: frame.select("offset", "headers.key"), [(0, ["h", "i"]), (1, ["h"])]),
        (lambda frame: frame.select("headers.value"), [([b"x", None],), ([b"x"],)]),
        (lambda frame: frame.select("offset", "_error.message"), [(0, None), (1, None)]),
        (lambda frame: frame.where("_error.message is null").select("offset"), [(0,), (1,)]),
        (lambda frame: frame.groupBy("_error.message").count(), [(None, 2)]),
        (lambda frame: frame.agg(sf.count("_error.message")), [(0,)]),
        (lambda frame: frame.select(sf.explode("headers").alias("h")).select("h.key"), [("h",), ("i",), ("h",)]),
    ],
)
def test_fields_of_log_columns_can_be_selected(
    load: Load, logs: Path, query: Callable[[DataFrame], DataFrame], expected: list[tuple[Any, ...]]
) -> None:
    assert [tuple(row) for row in query(load(logs)).collect()] == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("headers ARRAY<STRUCT<key: STRING>>", {"headers": [{"key": "h"}, {"key": "i"}]}),
        (
            "headers ARRAY<STRUCT<value: BINARY, key: STRING>>, offset BIGINT",
            {"headers": [{"value": b"x", "key": "h"}, {"value": None, "key": "i"}], "offset": 0},
        ),
        ("headers ARRAY<STRUCT<>>", {"headers": [{}, {}]}),
        ("OFFSET BIGINT, Headers ARRAY<STRUCT<KEY: STRING>>", {"OFFSET": 0, "Headers": [{"KEY": "h"}, {"KEY": "i"}]}),
        (
            "message STRUCT<topics: ARRAY<STRUCT<name: STRING, errorCode: SMALLINT>>, clusterId: STRING>",
            {"message": {"topics": [{"name": "a", "errorCode": 0}], "clusterId": "c"}},
        ),
        ("_error STRUCT<offset: BIGINT>, message STRUCT<>", {"_error": None, "message": {}}),
    ],
)
def test_a_schema_can_list_columns_and_fields_in_any_order(
    spark: SparkSession, logs: Path, schema: str, expected: dict[str, Any]
) -> None:
    reader = spark.read.format("kafka-log").options(**_MESSAGE, mode="PERMISSIVE").schema(schema)
    row = reader.load(str(logs)).collect()[0].asDict(recursive=True)
    assert repr(row) == repr(expected)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("headers ARRAY<STRUCT<name: STRING>>", "column headers has the type array<.*, not array<struct<name:string>>"),
        ("headers ARRAY<STRUCT<key: BINARY>>", "column headers has the type array<.*, not array<struct<key:binary>>"),
        ("headers ARRAY<STRUCT<key: STRING, KEY: STRING>>", "column headers has the type .*; ask for that type"),
        ("nothing STRING", "kafka-log has no column nothing; its columns are key, value"),
    ],
)
def test_a_schema_with_unknown_columns_is_refused(spark: SparkSession, logs: Path, schema: str, expected: str) -> None:
    with pytest.raises(Exception, match=expected):
        spark.read.format("kafka-log").schema(schema).load(str(logs))


def test_writing_is_refused(spark: SparkSession, logs: Path) -> None:
    files = {file: file.read_bytes() for file in logs.rglob("*") if file.is_file()}
    for column, expected in (("id", "it cannot be written"), ("offset", "does not support batch write")):
        with pytest.raises(Exception, match=expected):
            spark.range(1).toDF(column).write.format("kafka-log").mode("append").save(str(logs))
    assert {file: file.read_bytes() for file in logs.rglob("*") if file.is_file()} == files


def test_column_names_are_case_insensitive(spark: SparkSession, logs: Path) -> None:
    spark.sql(
        f"CREATE TABLE narrow (OFFSET BIGINT, headers ARRAY<STRUCT<KEY: STRING>>) USING `kafka-log` LOCATION '{logs}'"
    )
    try:
        rows = spark.sql("SELECT offset, headers.key FROM narrow WHERE Offset < 5").collect()
        assert [tuple(row) for row in rows] == [(0, ["h", "i"]), (1, ["h"])]
    finally:
        spark.sql("DROP TABLE narrow")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [["offset"], ["message"], ["message.clusterId"], ["headers.key", "_error.path"]])
def test_dropmalformed_omits_the_same_records_whatever_columns_are_read(
    load: Load, logs: Path, columns: list[str]
) -> None:
    frame = load(logs, **_MESSAGE, mode="DROPMALFORMED")
    assert len(frame.select(*columns).collect()) == 1
    assert frame.select(*columns).count() == 1
    assert frame.count() == 1


@pytest.fixture
def read(
    spark: SparkSession,
    loaded: Callable[[str], Any],
    array: Callable[..., Any],
    static: Callable[..., Any],
    load: Load,
    logs: Path,
) -> Callable[..., None]:
    """Return a function that reads a batch with one column, which is requested by name, type and nullability."""
    assert load(logs).count() == 2  # This loads the library.
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001 - PySpark has no other way to Java's classes
    (constructor,) = loaded("Storage").getDeclaredConstructors()
    constructor.setAccessible(True)
    storage = constructor.newInstance(array(jvm.org.apache.hadoop.conf.Configuration(False)))
    options = json.dumps({"path": str(logs)})
    filters = {"bounds": [-(1 << 63), (1 << 63) - 1] * 2, "topics": None, "partitions": None}
    planner = static("Native", "openPlanner", options, 2, storage)
    task, _ = static("Native", "plan", planner, json.dumps(filters))
    static("Native", "closePlanner", planner)

    def read(name: str, data_type: object, *, nullable: bool = True) -> None:
        column = {"name": name, "type": data_type, "nullable": nullable, "metadata": {}}
        required = json.dumps({"type": "struct", "fields": [column]})
        request = json.dumps({"options": options, "required": required, "filters": filters})
        reader = static("Native", "openReader", task, request, storage)
        try:
            batch = static("Native", "next", reader)
            static("Native", "closeBatch", batch[0])
        finally:
            static("Native", "closeReader", reader)

    return read


def headers_of(**fields: str) -> dict[str, Any]:
    described = [{"name": name, "type": kind, "nullable": True} for name, kind in fields.items()]
    return {"type": "array", "elementType": {"type": "struct", "fields": described}, "containsNull": True}


def errors_of(**fields: str) -> dict[str, Any]:
    return {"type": "struct", "fields": headers_of(**fields)["elementType"]["fields"]}


@pytest.mark.slow
def test_columns_that_do_not_match_the_schema_are_refused(read: Callable[..., None]) -> None:
    read("offset", "long")
    read("headers", headers_of(value="binary", key="string"))
    read("_error", errors_of(offset="long"))
    for problem, column in (
        ("offset has the type Int64, not Int32", ("offset", "integer")),
        ("key has the type Utf8, not Binary", ("headers", headers_of(key="binary"))),
        ("_error.reason was not read", ("_error", errors_of(message="string", reason="string"))),
        ("no column headers.name", ("headers", headers_of(name="string"))),
        ("headers has the type List.*, not Utf8", ("headers", "string")),
        ("kafka-log has no column nothing", ("nothing", "long")),
    ):
        with pytest.raises(Exception, match=problem):
            read(*column)
    with pytest.raises(Exception, match="a defect of messagegen, please report it: offset may be null"):
        read("offset", "long", nullable=False)


@pytest.mark.slow
def test_random_schemas_and_queries_return_parts_of_the_whole_table(spark: SparkSession, tmp_path: Path) -> None:
    pytest.importorskip("grpc", reason="PySpark is not installed with Connect: `make test` installs it")
    with connect_session(spark) as connect:
        register(connect)
        draws = Draws(tmp_path, [spark, connect], seed())
        draws.run(range(scaled(_DRAWS)))
        assert min(draws.counts[door] for door in DOORS) > 0
