"""What others do to a batch of messages, as functions for ``mapInArrow``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, Final
from uuid import UUID

import pyarrow as pa

from benchmarks.spark.inputs import MESSAGE, Rows
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.columns.schemas import arrow_struct

BatchFunction = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

_KAFKA_PYTHON_MODULES: Final = {
    "MetadataResponse": "kafka.protocol.metadata",
    "OffsetCommitRequest": "kafka.protocol.consumer",
}
_NOT_ASKED: Final = -(2**31)


def untouched() -> BatchFunction:
    """Hands bytes through: what it costs to visit Python at all."""
    return _untouched


def kafka_python(rows: Rows, wanted: MessageColumns) -> BatchFunction:
    """kafka-python's decoder, its dictionaries, and Arrow's own way from dictionaries to columns of a given type."""
    return partial(_kafka_python, rows.message, rows.version, wanted)


def _untouched(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def _kafka_python(
    message: str, version: int, wanted: MessageColumns, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    cls: Any = getattr(import_module(_KAFKA_PYTHON_MODULES[message]), message)
    type_ = arrow_struct(wanted.columns, wanted.uuid)
    for batch in batches:
        rows = [kafka_python_row(cls.decode(data, version=version)) for data in batch.column(0).to_pylist()]
        yield pa.RecordBatch.from_arrays([pa.array(rows, type_)], [MESSAGE])


def kafka_python_row(message: Any) -> dict[str, Any]:
    """The message as Arrow takes it.

    kafka-python gives topic ids as text, and leaves out operations that were not asked for.
    """
    row: dict[str, Any] = message.to_dict()
    for topic in row["topics"]:
        if "topic_id" in topic:
            topic["topic_id"] = UUID(topic["topic_id"]).bytes
            topic["topic_authorized_operations"] = _NOT_ASKED
    return row
