"""Writes batches of magic 2 (upstream: ``DefaultRecordBatch.writeHeader``)."""

from __future__ import annotations

from struct import Struct

from ..errors import CodecFailure, EncodeError, WrongValue, is_a
from ..varints import signed
from .checksums import crc32c
from .codec import record_codec
from .compression import compress
from .encoding import encode_records
from .headers import CODEC_NAMES, CONTROL, DELETE_HORIZON, HEADER_SIZE, LOG_APPEND_TIME, TRANSACTIONAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from .compression import Compress
    from .values import RecordBatch

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


def write_batch(batch: RecordBatch, compressors: Mapping[str, Compress] | None) -> bytes:
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
