from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import ArrayType, StructType

from messagegen_arrow import arrow_schema, decode_arrow
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.columns.schemas import arrow_message_type
from messagegen_arrow.columns.types import ARROW_TYPES
from messagegen_arrow.log.columns import LOG_COLUMNS
from messagegen_spark import spark_schema
from messagegen_spark.schemas import spark_type
from tests.arrow.support.messages import all_tables, random_bytes

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(("uuid", "with_tags"), list(product(["string", "binary"], [False, True])))
def test_columns_equal_the_columns_of_the_engine(uuid: Any, with_tags: bool) -> None:
    for table in all_tables():
        for versions in (None, *([version] for version in table.versions)):
            wanted = MessageColumns.of(
                table,
                None,
                {"versions": versions, "names": "snake", "uuid": uuid, "unknown_tagged_fields": with_tags},
            )
            decoded = decode_columns(wanted, pa.array([], pa.binary()), (versions or table.versions)[0])
            assert arrow_message_type(wanted) == decoded.type


def without_metadata(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: without_metadata(value) for key, value in schema.items() if key != "metadata"}
    return [without_metadata(value) for value in schema] if isinstance(schema, list) else schema


def test_spark_and_arrow_schemas_agree() -> None:
    for table in all_tables():
        arrow = arrow_schema(table, unknown_tagged_fields=True)
        theirs = from_arrow_schema(arrow)
        ours = spark_schema(table, unknown_tagged_fields=True)
        found, expected = (json.dumps(without_metadata(each.jsonValue())) for each in (ours, theirs))
        # In Spark, all fields of a nullable struct are nullable.
        assert all_nullable(found) == all_nullable(expected)


def all_nullable(schema: str) -> str:
    return schema.replace('"nullable": false', '"nullable": true')


def test_the_type_tables_in_rust_and_java_contain_every_column_type() -> None:
    columns = [*ARROW_TYPES.values(), *(column.arrow_type for column in LOG_COLUMNS.values())]
    expected = {str(spark_type(each).jsonValue()) for each in columns if not pa.types.is_nested(each)}

    rust = (ROOT / "native/jni/src/spark_types.rs").read_text(encoding="utf-8")
    table = rust.partition("fn plain_types")[2].partition("}\n")[0]
    assert set(re.findall(r'"([\w(),]+)",', table)) == expected

    java = (ROOT / "pipeline/java/messagegen/spark/ArrowTypes.java").read_text(encoding="utf-8")
    table = java.partition("PLAIN =")[2]
    rows = re.findall(r"Map\.entry\(DataTypes\.(?:create)?(\w+)Type(?:\((\d+), (\d+)\))?,", table)
    names = [f"{name}({digits},{places})" if digits else name for name, digits, places in rows]
    assert {name.lower() for name in names} == expected


def test_columns_are_nullable_but_nested_fields_follow_the_plan() -> None:
    schema: Any = spark_schema("MetadataResponse", versions=range(2, 14), unknown_tagged_fields=True)
    assert all(field.nullable for field in schema)
    assert not schema["topics"].dataType.containsNull
    topic = schema["topics"].dataType.elementType
    assert {field.name for field in topic if field.nullable} == {
        "name",  # null in version 12 and later, where there is an id
        "topicId",  # from version 10 on
        "topicAuthorizedOperations",  # from version 8 on
        "_unknownTaggedFields",  # from version 9 on
    }
    flexible: Any = spark_schema("MetadataResponse", versions=12, unknown_tagged_fields=True)["topics"].dataType
    assert {field.name for field in flexible.elementType if field.nullable} == {"name"}


def structs_in(type_: Any) -> Iterator[tuple[bool, StructType]]:
    """Yield whether a struct may be null, and the struct, for each struct in a type."""
    if isinstance(type_, ArrayType):
        yield from structs_in(type_.elementType)
    elif isinstance(type_, StructType):
        for field in type_:
            if isinstance(field.dataType, StructType):
                yield field.nullable, field.dataType
            yield from structs_in(field.dataType)


def test_all_fields_of_a_nullable_struct_are_nullable() -> None:
    """PySpark's ``toArrow`` rejects non-null fields in a null struct."""
    nullable = [struct for table in all_tables() for is_null, struct in structs_in(spark_schema(table)) if is_null]
    assert len(nullable) > 5
    assert all(field.nullable for struct in nullable for field in struct)


def fits(field: Any, value: Any) -> bool:
    """Return whether null occurs only in nullable fields."""
    if value is None:
        return bool(field.nullable)
    if pa.types.is_struct(field.type):
        return all(fits(inner, value[inner.name]) for inner in field.type)
    if pa.types.is_list(field.type):
        return all(fits(field.type.value_field, item) for item in value)
    return not pa.types.is_map(field.type) or all(data is not None for _, data in value)


def test_columns_that_are_not_nullable_contain_no_null() -> None:
    random = Random(5)
    for table in all_tables():
        versions = [version for version in table.versions for _ in range(3)]
        data = [random_bytes(random, table, version) for version in versions]
        rows = decode_arrow(pa.array(data), table, pa.array(versions), unknown_tagged_fields=True)
        assert rows.field("_error").null_count == len(rows)
        assert all(fits(pa.field("", rows.type), row) for row in rows.to_pylist())


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        (
            {"fields": ["topic"]},
            ValueError,
            "unknown field 'topic': MetadataResponse has no 'topic'; its fields are",
        ),
        ({"fields": ["topics.leader"]}, ValueError, "MetadataResponseTopic has no 'leader'"),
        ({"fields": ["clusterId.length"]}, ValueError, "'clusterId' is not a struct"),
        ({"fields": ["unknown_tagged_fields"]}, ValueError, "has no 'unknown_tagged_fields'"),
        ({"versions": 14}, LookupError, "MetadataResponse has versions 0 to 13, not 14"),
        ({"versions": []}, ValueError, "versions is empty"),
        ({"names": "camel"}, ValueError, "names: expected 'kafka' or 'snake', found 'camel'"),
        ({"uuid": "text"}, ValueError, "uuid: expected 'string' or 'binary', found 'text'"),
        ({"colour": "red"}, ValueError, "unknown option colour; known options: fields, limits, names,"),
    ],
)
def test_wrong_arguments_are_errors(options: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        spark_schema("MetadataResponse", **options)
