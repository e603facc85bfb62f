"""Record batches, their records and the headers of records, as values."""

from __future__ import annotations

from ..structs import Value, dataclass
from .headers import signed_64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

    from .compression import Compress
    from .headers import CompressionType

    TimestampType = Literal["NoTimestampType", "CreateTime", "LogAppendTime"]

NO_TIMESTAMP = -1
_SEQUENCES = 1 << 31


@dataclass
class RecordHeader(Value):
    """A header of a record: a key, and a value that may be null."""

    key: str = ""
    value: bytes | None = None


@dataclass
class Record(Value):
    """A record: its offset in the partition, its time in milliseconds since 1970 (-1: none), key, value and headers."""

    offset: int = 0
    timestamp: int = NO_TIMESTAMP
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[RecordHeader, ...] = ()


@dataclass
class RecordBatch(Value):
    """Records that were written together (upstream: ``DefaultRecordBatch``; KIP-98).

    A value like messages are: do not assign to fields. ``of`` makes one for a produce request; made directly, every field
    counts as it is. ``timestamp_type`` is ``CreateTime`` or ``LogAppendTime``, where ``max_timestamp`` is the time of
    all records. A batch of magic 0 or 1 is one message, compressed ones contain several; they can be read but not written.
    """

    base_offset: int = 0
    magic: int = 2
    compression: CompressionType = "none"
    timestamp_type: TimestampType = "CreateTime"
    is_transactional: bool = False
    is_control: bool = False
    has_delete_horizon: bool = False
    """Whether ``base_timestamp`` is the time from which compaction may remove tombstones and markers (KIP-534)."""
    partition_leader_epoch: int = -1
    producer_id: int = -1
    producer_epoch: int = -1
    base_sequence: int = -1
    last_offset_delta: int = 0
    base_timestamp: int = NO_TIMESTAMP
    max_timestamp: int = NO_TIMESTAMP
    records: tuple[Record, ...] = ()

    @classmethod
    def of(  # noqa: PLR0913 - keywords with defaults
        cls,
        records: Iterable[Record],
        *,
        compression: CompressionType = "none",
        base_offset: int = 0,
        timestamp_type: TimestampType = "CreateTime",
        partition_leader_epoch: int = -1,
        producer_id: int = -1,
        producer_epoch: int = -1,
        base_sequence: int = -1,
        is_transactional: bool = False,
        is_control: bool = False,
        delete_horizon: int | None = None,
    ) -> RecordBatch:
        """A batch of records, whose offsets are counted from ``base_offset``; theirs are replaced.

        Raises ``ValueError`` if there are no records.
        """
        numbered = tuple([_at(record, base_offset + delta) for delta, record in enumerate(records)])
        if not numbered:
            raise ValueError("a batch needs at least one record")
        timestamps = [record.timestamp for record in numbered]
        return cls(
            base_offset=base_offset,
            compression=compression,
            timestamp_type=timestamp_type,
            is_transactional=is_transactional,
            is_control=is_control,
            has_delete_horizon=delete_horizon is not None,
            partition_leader_epoch=partition_leader_epoch,
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            base_sequence=base_sequence,
            last_offset_delta=len(numbered) - 1,
            base_timestamp=timestamps[0] if delete_horizon is None else delete_horizon,
            max_timestamp=max(timestamps),
            records=numbered,
        )

    @property
    def last_offset(self) -> int:
        """The offset of the last record when the batch was written; compaction may have removed that record."""
        return signed_64(self.base_offset + self.last_offset_delta)

    @property
    def delete_horizon(self) -> int | None:
        """The time from which compaction may remove tombstones and markers, if it is known."""
        return self.base_timestamp if self.has_delete_horizon else None

    def sequence(self, record: Record) -> int:
        """The sequence number of a record of this batch, -1 if its producer is not idempotent; after 2**31 - 1 comes 0."""
        if self.base_sequence < 0:
            return -1
        return (self.base_sequence + record.offset - self.base_offset) % _SEQUENCES

    def to_bytes(self, *, compressors: Mapping[str, Compress] | None = None) -> bytes:
        """The batch as brokers store it and the ``records`` fields of requests carry it; several follow one another.

        ``compressors`` are functions by compression that are used instead of the available libraries.
        Raises ``EncodeError``, and ``UnsupportedCompressionError`` if a library is missing.
        """
        from .writing import write_batch

        return write_batch(self, compressors)


def _at(record: Record, offset: int) -> Record:
    if record.offset == offset:
        return record
    return Record(offset=offset, timestamp=record.timestamp, key=record.key, value=record.value, headers=record.headers)
