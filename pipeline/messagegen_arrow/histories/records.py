"""Records of a log for a history: which are read, and what is counted of them."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.catalog import Catalog, default_catalog
from messagegen_arrow.histories.counts import HistoryCounts
from messagegen_arrow.histories.keys import KeyGroups, LastValues
from messagegen_arrow.internal_topics.contents import Contents, Types
from messagegen_arrow.internal_topics.decoder import InternalTopicDecoder
from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_arrow.malformed import ERROR_NAME, RAW_NAME, Mode, check_mode
from messagegen_arrow.streams.stream import as_binary, as_string

HISTORY_MODES: Final[tuple[Mode, ...]] = ("DROPMALFORMED", "FAILFAST")
"""A record that can't be read does not say what happened: a history that kept it would show a deletion."""

_DROPPED: Final = "mode DROPMALFORMED leaves such records out; messagegen-data dump shows them with what is wrong"

REQUIRED: Final = ("key", "value", "topic", "partition", "offset", "timestamp")
"""Columns that a log must have."""

TIMESTAMP: Final = pa.timestamp("us", tz="UTC")
NO_ID: Final = "AAAAAAAAAAAAAAAAAAAAAA"
"""Kafka's zero topic id, which means no topic."""

POSITION: Final = pa.schema(
    [
        pa.field("logTopic", pa.string()),
        pa.field("logPartition", pa.int32()),
        pa.field("logOffset", pa.int64()),
        pa.field("logTimestamp", TIMESTAMP),
    ]
)
"""The position of a record."""

Batches = Iterator[pa.RecordBatch]


@dataclass(frozen=True, slots=True)
class Records:
    """Decoded records: a struct array, and columns of the log."""

    decoded: pa.StructArray
    position: pa.RecordBatch
    """The columns of ``POSITION``."""
    paths: pa.StringArray | None
    """The files, where the log has them."""
    malformed: Records | None = None
    """Those that could not be read, if there are any; of a damaged batch one, with the batch's first offset if it is known."""

    def __len__(self) -> int:
        return len(self.decoded)

    @property
    def types(self) -> pa.StringArray:
        """The names of the records' types."""
        return self.decoded.field("recordType")

    def field(self, path: str) -> pa.Array:
        """A field at a path such as ``OffsetCommit.key.group``; null where the record has no such field."""
        return pc.struct_field(self.decoded, path.split("."))

    @property
    def is_tombstone(self) -> pa.BooleanArray:
        """Which records have no value."""
        return self.decoded.field("isTombstone")

    def at(self, rows: pa.IntegerArray) -> Records:
        """The records with these numbers."""
        paths = None if self.paths is None else self.paths.take(rows)
        return Records(self.decoded.take(rows), self.position.take(rows), paths)

    def of(self, rows: pa.BooleanArray) -> Records:
        """Some of the records."""
        paths = None if self.paths is None else self.paths.filter(rows)
        return Records(self.decoded.filter(rows), self.position.filter(rows), paths)


@dataclass(frozen=True)
class HistoryReader:
    """Reads batches of a log for a history. It can be pickled."""

    topics: tuple[str, ...]
    decoder: InternalTopicDecoder

    @classmethod
    def of(cls, topics: Sequence[str], types: Types, mode: str, catalog: Catalog | None) -> HistoryReader:
        """A reader of these topics and record types. Raises ``ValueError`` for a mode that histories do not have."""
        checked = check_mode(mode, HISTORY_MODES)
        known = default_catalog() if catalog is None else catalog
        return cls(tuple(topics), InternalTopicDecoder(RecordReader(Contents.of(types, known)), checked, _DROPPED))

    def read(self, batch: pa.RecordBatch, counts: HistoryCounts) -> Records:
        """The records that can be read. Raises ``MalformedMessageError`` under FAILFAST."""
        ours = _of_topics(batch, self.topics)
        given = _records(ours)
        decoded, malformed = self.decoder.decode(given)
        counts.rows += len(given)
        counts.malformed += malformed.true_count
        position = pa.RecordBatch.from_arrays(
            [_as(ours.column(name), field.type) for name, field in zip(REQUIRED[2:], POSITION, strict=True)],
            schema=POSITION,
        )
        paths = as_string(ours.column("path")) if "path" in ours.schema.names else None
        records = Records(decoded, position, paths)
        if not malformed.true_count:
            return records
        known = Records(decoded, _with_offsets_of_batches(position, ours), paths).of(malformed)
        return replace(records.of(pc.invert(malformed)), malformed=known)


def check_log(columns: Sequence[str]) -> None:
    """Raises ``ValueError`` for the columns of something that is not a log."""
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        raise ValueError(f"the log has no column {', '.join(missing)}: read it with read_log(...)")


def in_order(batches: Iterable[pa.RecordBatch], paths: Sequence[str] | None) -> Batches:
    """The same batches. Raises ``ValueError`` for records of a partition that are not in the order of their offsets.

    ``paths`` are those that they were read from; ``None`` if the batches were given.
    """
    last = LastValues(pa.int64())
    for batch in batches:
        place = batch.filter(batch.column("offset").is_valid())
        keys = pc.binary_join_element_wise(
            pc.fill_null(as_string(place.column("topic")), ""),
            pc.fill_null(place.column("partition"), -1).cast(pa.string()),
            "-",
        )
        offsets = place.column("offset")
        before = last.previous(KeyGroups.of(keys), offsets)
        overlaps = pc.less_equal(offsets, before)
        if pc.any(overlaps).as_py():
            if paths is not None:
                place = f"{keys.filter(overlaps)[0]} at offset {offsets.filter(overlaps)[0]}"
                raise ValueError(f"segments of {', '.join(paths)} overlap, in {place}; pass an undamaged copy")
            raise ValueError(
                "the records of the log are not in the order of their offsets: sort them by topic, partition and offset"
            )
        yield batch


def coalesced(records: Records, paths: Iterable[str]) -> pa.Array:
    """The first of these fields that is not null."""
    return pc.coalesce(*(records.field(path) for path in paths))


def when_milliseconds(milliseconds: pa.Array) -> pa.Array:
    """Kafka's milliseconds as timestamps; null for negative ones, which mean no time."""
    given = pc.if_else(pc.greater_equal(milliseconds, 0), milliseconds, pa.scalar(None, pa.int64()))
    most = pa.scalar(((1 << 63) - 1) // 1000, pa.int64())
    return pc.multiply(pc.min_element_wise(given, most, skip_nulls=False), 1000).view(TIMESTAMP)


def _of_topics(batch: pa.RecordBatch, topics: Sequence[str]) -> pa.RecordBatch:
    names = batch.column("topic")
    wanted = pc.or_(pc.is_in(names, pa.array(topics, names.type)), names.is_null())
    return batch if pc.all(wanted).as_py() else batch.filter(wanted)


def _with_offsets_of_batches(position: pa.RecordBatch, batch: pa.RecordBatch) -> pa.RecordBatch:
    if "batchOffset" not in batch.schema.names:
        return position
    offsets = pc.coalesce(position.column("logOffset"), _as(batch.column("batchOffset"), pa.int64()))
    return pa.RecordBatch.from_pydict(
        {**dict(zip(POSITION.names, position.columns, strict=True)), "logOffset": offsets}
    )


def _records(batch: pa.RecordBatch) -> RecordBatch:
    names = {"is_control": "isControl", "errors": ERROR_NAME, "raws": RAW_NAME}
    optional = {field: batch.column(name) for field, name in names.items() if name in batch.schema.names}
    key, value, topic = (batch.column(name) for name in REQUIRED[:3])
    return RecordBatch(as_binary(key), as_binary(value), as_string(topic), **optional)


def _as(array: pa.Array, type_: pa.DataType) -> pa.Array:
    return array if array.type == type_ else array.cast(type_)
