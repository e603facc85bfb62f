"""Bodies of requests and responses out of the frames of a capture: what stands before them are headers."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as sql
from pyspark.sql import types as spark

from messagegen_arrow.arrays import scattered
from messagegen_arrow.catalog import MessageTable
from messagegen_arrow.frames.columns import FrameBatch, FrameParts, split_frames
from messagegen_arrow.frames.parsing import FrameMessages

_SCHEMA: Final = spark.StructType(
    [spark.StructField("value", spark.BinaryType()), spark.StructField("version", spark.IntegerType())]
)


def bodies_of(df: DataFrame, table: MessageTable) -> DataFrame:
    """The bodies of a request or response, as ``value`` and ``version``, out of the columns of ``kafka-capture``.

    The version is that of the body, which for ApiVersions need not be the one that was asked for (KIP-511). A frame that can't be
    taken apart has a body of no bytes, so that it counts as malformed. Raises ``ValueError`` for a message that is neither
    request nor response.
    """
    messages = FrameMessages.of().only(table)
    wanted = (sql.col("direction") == table.kind) & (sql.col("apiKey") == table.api_key) & sql.col("frame").isNotNull()
    rows = df.where(wanted).select("frame", "direction", "apiKey", "apiVersion")

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            frames, *others = batch.columns
            yield _bodies(messages, FrameBatch(frames.cast(pa.binary()), *others))

    return rows.mapInArrow(work, _SCHEMA)


def _bodies(messages: FrameMessages, batch: FrameBatch) -> pa.RecordBatch:
    parts = [part for part in split_frames(messages, batch) if isinstance(part, FrameParts)]
    values = scattered([(part.rows, part.bodies) for part in parts], pa.binary(), len(batch))
    numbers = [(part.rows, pa.repeat(pa.scalar(part.version, pa.int32()), len(part.rows))) for part in parts]
    versions = pc.coalesce(scattered(numbers, pa.int32(), len(batch)), batch.api_versions.cast(pa.int32()))
    return pa.RecordBatch.from_arrays([pc.fill_null(values, b""), versions], _SCHEMA.names)
