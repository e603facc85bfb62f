"""What histories have in common: reading records of internal topics, and telling where they lay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as sql

from messagegen_arrow.catalog import Catalog, default_catalog
from messagegen_arrow.internal_topics.contents import Contents
from messagegen_arrow.internal_topics.decoder import InternalTopicDecoder
from messagegen_arrow.internal_topics.reading import RecordReader
from messagegen_arrow.malformed import Mode, check_mode
from messagegen_spark.functions.internal_topics import decoded_rows

HISTORY_MODES: Final[tuple[Mode, ...]] = ("DROPMALFORMED", "FAILFAST")
"""A record that can't be read says nothing of what happened: kept, it would pass for a deletion."""

_LEAVE_THEM_OUT: Final = (
    "mode DROPMALFORMED leaves such records out; "
    "decode_internal_topics, or messagegen-pipeline decode, shows them with what is wrong"
)

_POSITION: Final = ("topic", "partition", "offset", "timestamp")


def history_records(
    log: DataFrame,
    types: Sequence[str],
    mode: str,
    observe: Observation | str | None,
    catalog: Catalog | None,
    *,
    more: Sequence[str] = (),
) -> DataFrame:
    """The records of a log with columns for these types, and where they lay: ``logTopic``, ``logPartition``, ``logOffset``, ``logTimestamp``.

    ``more`` are columns that are kept where the log has them. Raises ``ValueError`` for a DataFrame that is not a log, and for a mode that histories
    do not have.
    """
    checked = check_mode(mode, HISTORY_MODES)
    missing = [name for name in ("key", "value", *_POSITION) if name not in log.columns]
    if missing:
        raise ValueError(
            f"the log has no column {', '.join(missing)}: read it with format('kafka-log') or format('kafka')"
        )
    keep = [*_POSITION, *(name for name in more if name in log.columns)]
    known = default_catalog() if catalog is None else catalog
    decoder = InternalTopicDecoder(RecordReader(Contents.of(types, known)), checked, _LEAVE_THEM_OUT)
    records = decoded_rows(log, decoder, keep=keep, observe=observe, catalog=known)
    return records.withColumnsRenamed({name: f"log{name.capitalize()}" for name in _POSITION})


def when_milliseconds(milliseconds: Column) -> Column:
    """Kafka's milliseconds as a timestamp; null for what stands for none."""
    return sql.when(milliseconds >= 0, sql.timestamp_millis(milliseconds))
