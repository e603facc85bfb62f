"""Record batches as values, and the bytes of those of magic 2 (upstream: ``DefaultRecordBatch``; KIP-98)."""

from __future__ import annotations

from struct import Struct

from ..base import Value, dataclass
from ..errors import CodecFailure, EncodeError, WrongValue, is_a
from ..varints import signed
from .checksums import crc32c
from .codec import record_codec
from .compression import compress
from .encoding import encode_records
from .headers import CODEC_NAMES, CONTROL, DELETE_HORIZON, HEADER_SIZE, LOG_APPEND_TIME, TRANSACTIONAL, signed_64
from .values import NO_TIMESTAMP, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

    from .compression import Compress
    from .headers import CompressionType

    TimestampType = Literal["CreateTime", "LogAppendTime"]

_START = Struct(">qiibI")
_CHECKED = Struct(">hiqqqhii")
_FIELDS = (
    ("base_offset", 64),
    ("partition_leader_epoch", 32),
    ("last_offset_delta", 32),
    ("base_timestamp", 64),
    ("max_timestamp", 64),
    ("producer_id", 64),
    ("producer_epoch", 16),
    ("base_sequence", 32),
)
"""The numbers of the header with their bits."""
_TIMESTAMP_TYPES = {"CreateTime": 0, "LogAppendTime": LOG_APPEND_TIME}
_LONGEST = 0x7FFFFFFF
_AFTER_LENGTH = 9
"""The bytes of the header between its length and what is checked."""


_SEQUENCES = 1 << 31


@dataclass
class RecordBatch(Value):
    """Records that were written together (upstream: ``DefaultRecordBatch``; KIP-98).

    A value like messages are: do not assign to fields. ``of`` makes one for a produce request; made directly, every field
    counts as it is. ``timestamp_type`` is ``CreateTime`` or ``LogAppendTime``, where ``max_timestamp`` is the time of
    all records.
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
        return _written(self, compressors)


def _at(record: Record, offset: int) -> Record:
    if record.offset == offset:
        return record
    return Record(offset=offset, timestamp=record.timestamp, key=record.key, value=record.value, headers=record.headers)


def _written(batch: RecordBatch, compressors: Mapping[str, Compress] | None) -> bytes:
    """The bytes of a batch. Raises ``EncodeError`` and ``UnsupportedCompressionError``."""
    attributes = _attributes(batch)
    base_offset, epoch, last_offset_delta, base_timestamp, *numbers = [_number(batch, *field) for field in _FIELDS]
    payload = _payload(batch, base_offset, base_timestamp)
    if batch.compression != "none":
        payload = compress(batch.compression, payload, compressors)
    size = HEADER_SIZE + len(payload)
    if size > _LONGEST:
        raise _wrong("", f"{size} bytes are too many for a batch")
    checked = _CHECKED.pack(attributes, last_offset_delta, base_timestamp, *numbers, len(batch.records)) + payload
    return _START.pack(base_offset, len(checked) + _AFTER_LENGTH, epoch, 2, crc32c(checked)) + checked


def _payload(batch: RecordBatch, base_offset: int, base_timestamp: int) -> bytes:
    if not is_a(batch.records, tuple) and not is_a(batch.records, list):
        raise _wrong("records", str(WrongValue("expected a tuple of Record, got {}", batch.records)))
    try:
        return record_codec().encode(batch.records, base_offset, base_timestamp)
    except EncodeError:
        raise
    except (ValueError, TypeError, LookupError, AttributeError):
        pass
    # Locates the part that can't be written; what Python can write is right.
    return encode_records(batch.records, base_offset, base_timestamp)


def _attributes(batch: RecordBatch) -> int:
    if batch.magic != 2:
        raise _wrong("magic", f"only batches of magic 2 can be written, not {batch.magic}")
    if batch.compression not in CODEC_NAMES:
        known = ", ".join(CODEC_NAMES)
        raise _wrong("compression", str(WrongValue(f"expected one of {known}, got {{}}", batch.compression)))
    if batch.timestamp_type not in _TIMESTAMP_TYPES:
        reason = str(WrongValue("expected CreateTime or LogAppendTime, got {}", batch.timestamp_type))
        raise _wrong("timestamp_type", reason)
    return (
        CODEC_NAMES.index(batch.compression)
        | _TIMESTAMP_TYPES[batch.timestamp_type]
        | TRANSACTIONAL * bool(batch.is_transactional)
        | CONTROL * bool(batch.is_control)
        | DELETE_HORIZON * bool(batch.has_delete_horizon)
    )


def _number(batch: RecordBatch, name: str, bits: int) -> int:
    value = getattr(batch, name)
    try:
        return signed(value, bits)
    except (CodecFailure, TypeError):
        raise _wrong(name, str(WrongValue(f"expected an int of {bits} bits, got {{}}", value))) from None


def _wrong(path: str, reason: str) -> EncodeError:
    return EncodeError("RecordBatch", 2, path, reason)
