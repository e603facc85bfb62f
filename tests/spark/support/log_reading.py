"""What the ``kafka-log`` source does for Spark, done without Spark's processes."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql.datasource import CaseInsensitiveDict
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from messagegen_spark.sources.log.partitions import LogInputPartition
from messagegen_spark.sources.log.source import KafkaLogDataSource, KafkaLogReader

Row = dict[str, Any]


def source(path: Path | str, **options: str) -> KafkaLogDataSource:
    """The source, which keeps damage as rows unless the options say otherwise."""
    return KafkaLogDataSource(CaseInsensitiveDict({"path": str(path), "mode": "PERMISSIVE", **options}))


def reader(path: Path | str, **options: str) -> tuple[KafkaLogReader, StructType]:
    """A reader, and the schema that its rows have."""
    data_source = source(path, **options)
    schema = data_source.schema()
    made = data_source.reader(schema)
    assert isinstance(made, KafkaLogReader)
    return made, schema


def tasks(path: Path | str, **options: str) -> list[LogInputPartition]:
    made, _ = reader(path, **options)
    return [task for task in made.partitions() if isinstance(task, LogInputPartition)]


class Range(NamedTuple):
    """Bytes of a file that a task reads."""

    path: str
    start: int
    end: int


def ranges(task: LogInputPartition) -> list[Range]:
    return [Range(each["segment"]["path"], each["start"], each["end"]) for each in json.loads(task.task.text)]


def rows(path: Path | str, **options: str) -> list[Row]:
    """All rows, over as many tasks as there are; reader and tasks are pickled, as on a cluster."""
    made, schema = reader(path, **options)
    arrow = to_arrow_schema(schema, timezone="UTC")
    found: list[Row] = []
    for task in made.partitions():
        there, sent = pickle.loads(pickle.dumps((made, task)))
        for table in there.read(sent):
            assert isinstance(table, pa.RecordBatch)
            assert table.schema.equals(arrow)
            found += table.to_pylist()
    return found


def values(path: Path | str, **options: str) -> list[bytes | None]:
    return [row["value"] for row in rows(path, **options)]


def numbers(first: int, last: int) -> list[bytes]:
    """What ``many_batches`` writes as values."""
    return [str(number).encode() for number in range(first, last)]
