"""The history of a cluster's metadata: ``messagegen_arrow.metadata_history`` in one Spark task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame, Observation
from pyspark.sql import functions as sql

import messagegen_arrow
from messagegen_arrow.catalog import Catalog
from messagegen_arrow.histories.records import REQUIRED, check_history_mode
from messagegen_spark.schemas import spark_struct

_TOPIC: Final = "__cluster_metadata"
_OPTIONAL: Final = ("isControl", "_error", "_raw", "path", "batchOffset")
_COUNTS: Final = pa.schema([("_rows", pa.int64()), ("_malformed", pa.int64())])
"""The columns of the last row, which has the counts."""


def metadata_history(
    log: DataFrame,
    mode: str = "DROPMALFORMED",
    *,
    observe: Observation | str | None = None,
    catalog: Catalog | None = None,
) -> DataFrame:
    """Return the rows of ``messagegen_arrow.metadata_history``, unordered; sort them by ``offset`` and ``place``.

    ``log`` has the records of ``__cluster_metadata``. With ``includeControl=true``, these include elections of the
    leader; with a column ``path``, they include snapshots. The log is read once. A single task, whose memory holds
    these records, builds the history. Malformed records are left out, or end the query (``mode`` FAILFAST); ``observe``
    counts them. Raises ``ValueError`` for a DataFrame that lacks columns, and for other modes.
    """
    checked = check_history_mode(mode)
    ordered = _in_order(_of_metadata(log))
    nothing = pa.schema([(name, pa.null()) for name in REQUIRED]).empty_table()
    schema = pa.schema([*messagegen_arrow.metadata_history(nothing).schema, *_COUNTS])

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        counts = messagegen_arrow.HistoryCounts()
        records = pa.Table.from_batches(list(batches))
        for batch in messagegen_arrow.metadata_history(records, checked, counts=counts, catalog=catalog):
            nulls = [pa.nulls(batch.num_rows, field.type) for field in _COUNTS]
            yield pa.RecordBatch.from_arrays([*batch.columns, *nulls], schema=schema)
        yield pa.RecordBatch.from_pylist([{"_rows": counts.rows, "_malformed": counts.malformed}], schema=schema)

    found = ordered.mapInArrow(work, spark_struct(schema))
    if observe is not None:
        sums = (sql.coalesce(sql.sum(name), sql.lit(0)).alias(name[1:]) for name in _COUNTS.names)
        found = found.observe(observe, *sums)
    return found.where(sql.col(_COUNTS.names[0]).isNull()).drop(*_COUNTS.names)


def _of_metadata(log: DataFrame) -> DataFrame:
    """Return the records of the topic, and records whose topic is unknown.

    Raises ``ValueError`` for a DataFrame that is not a log.
    """
    missing = [name for name in REQUIRED if name not in log.columns]
    if missing:
        raise ValueError(
            f"the log has no column {', '.join(missing)}: read it with format('kafka-log') or format('kafka')"
        )
    topic = sql.col("topic")
    return log.where((topic == _TOPIC) | topic.isNull())


def _in_order(log: DataFrame) -> DataFrame:
    """Return the records in one partition: first snapshots, then the log, each in the order of offsets.

    A damaged batch is sorted by its first offset.
    """
    there = [name for name in _OPTIONAL if name in log.columns]
    is_snapshot = sql.col("path").endswith(".checkpoint") if "path" in there else sql.lit(col=False)
    snapshot = sql.when(is_snapshot, sql.col("path")) if "path" in there else sql.lit(None)
    offset = sql.coalesce("offset", "batchOffset") if "batchOffset" in there else sql.col("offset")
    columns = log.select(*REQUIRED, *there).repartition(1)
    return columns.sortWithinPartitions(is_snapshot.desc(), snapshot, offset)
