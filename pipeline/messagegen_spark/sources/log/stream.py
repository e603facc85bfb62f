"""``spark.readStream.format("kafka-log")``: follows logs that brokers are writing. PySpark 4.2 or newer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)

from messagegen_arrow.log.planning import LogPlanner, Positions
from messagegen_spark.sources.log.partitions import LogInputPartition
from messagegen_spark.sources.log.query import LogQuery


class KafkaLogStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Plans micro-batches that end between batches of records; a place in a log says what was read.

    New segments and new folders are found at each trigger. The place in a folder that is gone is kept, for it may come back.
    Each record is read once: Spark's checkpoint keeps the places, and reading between two of them again gives the same records.
    """

    def __init__(self, query: LogQuery) -> None:
        self._query = query
        self._planner: LogPlanner | None = LogPlanner(query.options)

    def __getstate__(self) -> dict[str, Any]:
        """What tasks need: nothing of what planning remembers."""
        return {**self.__dict__, "_planner": None}

    def initialOffset(self) -> Positions:  # noqa: N802 - Spark's name
        """Nothing read, everything that there is with ``startingOffsets=latest``, or what the options say of each partition.

        Raises ``OptionError`` for an offset after the end of a partition, and ``LogGapError`` for one before its beginning.
        """
        return self._plans.initial()

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802 - Spark's name
        """``maxBytesPerTrigger`` or ``maxOffsetsPerTrigger``, or all that there is."""
        options = self._query.options
        if options.max_offsets_per_trigger is not None:
            return ReadMaxRows(options.max_offsets_per_trigger)
        return (
            ReadAllAvailable() if options.max_bytes_per_trigger is None else ReadMaxBytes(options.max_bytes_per_trigger)
        )

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """Takes note of the sizes that files have now; nothing later is read."""
        self._plans.stop_at_what_is_there()

    def latestOffset(self, start: Positions, limit: ReadLimit) -> Positions:  # noqa: N802 - Spark's name
        """How far to read from ``start`` on. All partitions get a share of the limit, none less than one batch of records."""
        return self._plans.latest(
            start,
            max_bytes=limit.max_bytes if isinstance(limit, ReadMaxBytes) else None,
            max_offsets=limit.max_rows if isinstance(limit, ReadMaxRows) else None,
        )

    def partitions(self, start: Positions, end: Positions) -> Sequence[InputPartition]:
        """The tasks that read between two offsets of the stream. Raises ``LogGapError`` if records between them are gone."""
        return [LogInputPartition(task) for task in self._plans.between(start, end).tasks]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of a task."""
        assert isinstance(partition, LogInputPartition)
        return self._query.read(partition.task)

    @property
    def _plans(self) -> LogPlanner:
        if self._planner is None:
            self._planner = LogPlanner(self._query.options)
        return self._planner
