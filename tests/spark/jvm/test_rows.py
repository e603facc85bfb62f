"""The rows that the engine writes for Spark have the same values as the columns of `decode_arrow`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from messagegen_arrow import MessageTable, decode_arrow
from messagegen_arrow.catalog import message_table
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment
from tests.arrow.support.messages import all_tables, random_bytes, tables
from tests.support.profiles import seed
from tests.support.specs import field, made

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

Load = Callable[..., "DataFrame"]


def random_values(table: MessageTable, version: int, count: int) -> list[bytes | None]:
    random = Random(seed())
    return [None, *(random_bytes(random, table, version) for _ in range(count))]


def write_values(folder: Path, values: list[bytes | None]) -> None:
    records = [Data(value, b"key", [(b"h", None)], timestamp_delta=number) for number, value in enumerate(values)]
    write_segment(folder, 0, [Batch(0, records).encode()])


def load_messages(load: Load, folder: Path, table: MessageTable, version: int, **options: str) -> DataFrame:
    of_message = {"message": table.name, "plan": table.plan, "version": str(version), "includeSecrets": "true"}
    return load(folder, **of_message, **options)


def message_of(row: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the message of a decoded row; ``None`` for null and for an error."""
    if row is None or row["_error"]:
        return None
    return {name: value for name, value in row.items() if name != "_error"}


@pytest.mark.slow
def test_rows_equal_the_columns_of_decode_arrow(load: Load, tmp_path: Path) -> None:
    """The messages have all types, and nested arrays, maps and nulls.

    Some are damaged. All columns of the log are read.
    """
    for number, table in enumerate(tables()):
        version = table.versions[-1]
        values = random_values(table, version, 30)
        values += [value and value[:-1] for value in values[:10]]
        decoded = decode_arrow(pa.array(values, pa.binary()), table, version, names="kafka", unknown_tagged_fields=True)
        rows = decoded.to_pylist()
        errors = [row and row["_error"] for row in rows]
        folder = tmp_path / str(number)
        write_values(folder / "orders-0", values)
        frame = load_messages(load, folder, table, version, unknownTaggedFields="true", mode="PERMISSIVE")
        found = frame.toArrow()
        assert repr(found["message"].to_pylist()) == repr([message_of(row) for row in rows]), table.name
        assert found["_error"].to_pylist() == errors
        raw = [value if error else None for value, error in zip(values, errors, strict=True)]
        assert found["_raw"].to_pylist() == raw
        assert found["timestamp"].cast(pa.int64()).to_pylist() == [1000 * (TIME + at) for at in range(len(values))]
        assert found["offset"].to_pylist() == list(range(len(values)))
        assert found["headers"].to_pylist() == [[{"key": "h", "value": None}]] * len(values)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["EncodedMetadataResponse", "EveryTypeRequest"])
def test_rows_have_the_same_bytes_as_rows_made_by_spark(
    name: str, spark: SparkSession, load: Load, tmp_path: Path
) -> None:
    """Spark compares rows by their bytes, including the bytes between values."""
    (table,) = (each for each in all_tables() if each.name == name)
    version = table.versions[-1]
    write_values(tmp_path / "orders-0", random_values(table, version, 80))
    frame = load_messages(load, tmp_path, table, version).select("message")
    made = spark.createDataFrame(frame.collect(), frame.schema)
    assert frame.distinct().count() > 40
    assert frame.intersect(made).count() == frame.distinct().count()


def test_messages_with_more_than_64_fields_and_elements_are_read(load: Load, tmp_path: Path) -> None:
    """Nulls are marked in words of 64 bits."""
    fields = [field(f"F{number}", "string", nullableVersions="0+") for number in range(70)]
    wide = made(*fields, field("Rows", "[]Row", fields=fields), field("Marks", "[]bool"), field("Ids", "[]int64"))
    texts = {f"f{number}": None if number % 3 else "x".ljust(number, "x") for number in range(70)}
    value = texts | {"rows": [texts] * 130, "marks": [number % 5 == 0 for number in range(200)], "ids": list(range(99))}
    write_values(tmp_path / "orders-0", [wide.from_json(value, version=0).encode(version=0)])
    (row,) = load_messages(load, tmp_path, message_table(wide), 0).select("message").collect()
    assert row.message.asDict(recursive=True) == value


def test_dropmalformed_omits_values_that_are_not_messages(load: Load, tmp_path: Path) -> None:
    table = message_table("EncodedMetadataResponse")
    write_values(tmp_path / "orders-0", [b"wrong"] * 3)
    write_values(tmp_path / "orders-1", random_values(table, 0, 2))
    write_values(tmp_path / "orders-2", [b"wrong"])
    frame = load_messages(load, tmp_path, table, 0, mode="DROPMALFORMED")
    rows = frame.select("partition", "offset", "message").collect()
    assert [(row.partition, row.offset, row.message is None) for row in rows] == [
        (1, 0, True),
        (1, 1, False),
        (1, 2, False),
    ]
