"""What the ``kafka-log`` source does for Spark, done without Spark's processes."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import CaseInsensitiveDict, Filter
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from messagegen_spark.sources.log.partitions import LogInputPartition
from messagegen_spark.sources.log.source import FilteringKafkaLogReader, KafkaLogDataSource, KafkaLogReader

Row = dict[str, Any]


def source(path: Path | str, **options: str) -> KafkaLogDataSource:
    return KafkaLogDataSource(CaseInsensitiveDict({"path": str(path), **options}))


def reader(path: Path | str, *, filters: Sequence[Filter] = (), **options: str) -> tuple[KafkaLogReader, StructType]:
    """A reader, and the schema that its rows have."""
    data_source = source(path, **options, pushFilters=str(bool(filters)))
    schema = data_source.schema()
    made = data_source.reader(schema)
    assert isinstance(made, KafkaLogReader)
    if filters:
        assert isinstance(made, FilteringKafkaLogReader)
        assert list(made.pushFilters(list(filters))) == list(filters)
    return made, schema


def tasks(path: Path | str, **options: str) -> list[LogInputPartition]:
    made, _ = reader(path, filters=(), **options)
    return [task for task in made.partitions() if isinstance(task, LogInputPartition)]


def rows(path: Path | str, *, filters: Sequence[Filter] = (), **options: str) -> list[Row]:
    """All rows, over as many tasks as there are; reader and tasks are pickled, as on a cluster."""
    made, schema = reader(path, filters=filters, **options)
    arrow = to_arrow_schema(schema, timezone="UTC")
    found: list[Row] = []
    for task in made.partitions():
        there, sent = pickle.loads(pickle.dumps((made, task)))
        for table in there.read(sent):
            assert isinstance(table, pa.RecordBatch)
            assert table.schema.equals(arrow)
            found += table.to_pylist()
    return found


def values(path: Path | str, *, filters: Sequence[Filter] = (), **options: str) -> list[bytes | None]:
    return [row["value"] for row in rows(path, filters=filters, **options)]


def numbers(first: int, last: int) -> list[bytes]:
    """What ``many_batches`` writes as values."""
    return [str(number).encode() for number in range(first, last)]
