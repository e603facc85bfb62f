"""Record batches as values, and the encoding of magic 2 (upstream: ``DefaultRecordBatch``; KIP-98)."""

from __future__ import annotations

import struct
from _operator import attrgetter
from struct import Struct
from typing import Literal

from ..errors import CodecFailure, is_a
from ..structs import Value, dataclass
from ..varints import signed
from ..wire import array_of
from .checksums import crc32c
from .codec import record_codec
from .compression import compress
from .encoding import encode_records, wrong
from .values import NO_TIMESTAMP, Record, elements, signed_64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from .compression import Compress

    C = TypeVar("C", bound=str)

# Field annotations use these names, so they must exist when a program evaluates the annotations.
CompressionType = Literal["none", "gzip", "snappy", "lz4", "zstd"]
TimestampType = Literal["CreateTime", "LogAppendTime"]

_START = Struct(">qiibI")
_CHECKED = Struct(">hiqqqhii")
HEADER = Struct(_START.format + _CHECKED.format[1:])
LENGTH_AT, LENGTH_END, MAGIC_AT, CRC_AT, CRC_END, COUNT_AT = 8, 12, 16, 17, 21, 57
"""The positions where numbers begin and end.

The length counts the bytes after ``LENGTH_END``; the checksum covers the bytes after ``CRC_END``.
"""
_NUMBERS = {
    "base_offset": 64,
    "partition_leader_epoch": 32,
    "last_offset_delta": 32,
    "base_timestamp": 64,
    "max_timestamp": 64,
    "producer_id": 64,
    "producer_epoch": 16,
    "base_sequence": 32,
}
"""The number fields of a batch, with their sizes in bits."""
_numbers_of = attrgetter(*_NUMBERS)
_PLAIN_INTS = Struct(">qiiqqqhi")
"""Packs and unpacks the number fields, which checks that they fit and converts them to plain ints."""

CODECS: tuple[CompressionType, ...] = ("none", "gzip", "snappy", "lz4", "zstd")
CODEC, LOG_APPEND_TIME, TRANSACTIONAL, CONTROL, DELETE_HORIZON = 0x07, 0x08, 0x10, 0x20, 0x40
"""The bits of a batch's attributes (KIP-98, KIP-534)."""
_FLAGS = {"is_transactional": TRANSACTIONAL, "is_control": CONTROL, "has_delete_horizon": DELETE_HORIZON}
"""Fields of a batch that are stored as bits of its attributes."""
_TIMESTAMP_TYPES: tuple[TimestampType, ...] = ("CreateTime", "LogAppendTime")


@dataclass
class RecordBatch(Value):
    """Records that were written together (upstream: ``DefaultRecordBatch``; KIP-98).

    A batch is a value, like a message: do not assign to its fields. ``of`` creates a batch for a produce request; the
    constructor takes every field unchanged. ``timestamp_type`` is ``CreateTime`` or ``LogAppendTime``. With
    ``LogAppendTime``, ``max_timestamp`` is the time of all records.
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
    def of(
        cls,
        records: Iterable[Record],
        *,
        compression: CompressionType = "none",
        base_offset: int = 0,
        **fields: Any,
    ) -> RecordBatch:
        """Return a batch of records, and number their offsets from ``base_offset``.

        ``fields`` are further fields of the batch. Raises ``ValueError`` if there are no records.
        """
        numbered = tuple([_at(record, base_offset + delta) for delta, record in enumerate(elements(records))])
        if not numbered:
            raise ValueError("a batch needs at least one record")
        timestamps = [record.timestamp for record in numbered]
        found: dict[str, Any] = {
            "last_offset_delta": len(numbered) - 1,
            "base_timestamp": timestamps[0],
            "max_timestamp": max(timestamps),
            **fields,
        }
        return cls(base_offset=base_offset, compression=compression, records=numbered, **found)

    @property
    def last_offset(self) -> int:
        """The offset of the last record when the batch was written; compaction may have removed that record."""
        return signed_64(self.base_offset + self.last_offset_delta)

    def to_bytes(self, *, compressors: Mapping[str, Compress] | None = None) -> bytes:
        """Return the bytes of the batch, as in log segments and ``records`` fields. Several batches are concatenated.

        ``compressors`` are compression functions by name, which replace the standard library and the native engine.
        Raises ``EncodeError``, and ``UnsupportedCompressionError`` if the compression needs the native engine.
        """
        if _number(self, "magic", 8) != 2:
            raise wrong("magic", "2", self.magic)
        compression: CompressionType = _choice(self, "compression", CODECS)
        attributes = _attributes(self, compression)
        base_offset, epoch, last_offset_delta, base_timestamp, *others = _numbers(self)
        records = _records(self)
        payload = _payload(records, base_offset, base_timestamp)
        if compression != "none":
            payload = compress(compression, payload, compressors)
        length = HEADER.size - LENGTH_END + len(payload)
        if length >= 1 << 31:
            raise wrong("records", "less than 2 GiB", length)
        checked = _CHECKED.pack(attributes, last_offset_delta, base_timestamp, *others, len(records)) + payload
        return _START.pack(base_offset, length, epoch, 2, crc32c(checked)) + checked


def _at(record: Record, offset: int) -> Record:
    return Record(offset=offset, timestamp=record.timestamp, key=record.key, value=record.value, headers=record.headers)


def _records(batch: RecordBatch) -> tuple[Record, ...]:
    try:
        records: tuple[Record, ...] = array_of(batch.records)
    except CodecFailure:
        raise wrong("records", "a tuple of Record", batch.records) from None
    return records


def _payload(records: tuple[Record, ...], base_offset: int, base_timestamp: int) -> bytes:
    try:
        return record_codec().encode(records, base_offset, base_timestamp)
    except (ValueError, TypeError, LookupError, AttributeError):
        pass
    # This code locates the part that can't be written. If it can write all records, its result is correct.
    return encode_records(records, base_offset, base_timestamp)


def _attributes(batch: RecordBatch, compression: CompressionType) -> int:
    attributes = CODECS.index(compression)
    if _choice(batch, "timestamp_type", _TIMESTAMP_TYPES) == "LogAppendTime":
        attributes |= LOG_APPEND_TIME
    for name, bit in _FLAGS.items():
        value = getattr(batch, name)
        if type(value) is not bool:
            raise wrong(name, "True or False", value)
        attributes |= bit * value
    return attributes


def _choice(batch: RecordBatch, name: str, choices: tuple[C, ...]) -> C:
    """Return the plain ``str`` of a field, even if the value is a subclass that overrides methods."""
    value = getattr(batch, name)
    if is_a(value, str):
        for choice in choices:
            if str.__eq__(value, choice):
                return choice
    raise wrong(name, f"one of {', '.join(choices)}", value)


def _numbers(batch: RecordBatch) -> Sequence[int]:
    try:
        return _PLAIN_INTS.unpack(_PLAIN_INTS.pack(*_numbers_of(batch)))
    except (struct.error, TypeError):
        # This raises an error with the name of the field.
        return [_number(batch, name, bits) for name, bits in _NUMBERS.items()]


def _number(batch: RecordBatch, name: str, bits: int) -> int:
    value = getattr(batch, name)
    try:
        return signed(value, bits)
    except (CodecFailure, TypeError):
        raise wrong(name, f"an int of {bits} bits", value) from None
