"""Reads batches out of ``records`` fields and log segments (upstream: ``MemoryRecords``, ``ByteBufferLogInputStream``)."""

from __future__ import annotations

from .batches import RecordBatch
from .codec import record_codec
from .compression import decompress
from .decoding import FAILURES
from .headers import (
    BEFORE_LENGTH,
    CODEC,
    CODEC_NAMES,
    CONTROL,
    COUNT_AT,
    DELETE_HORIZON,
    HEADER_SIZE,
    LOG_APPEND_TIME,
    MAGIC_AT,
    TRANSACTIONAL,
    BatchHeader,
    Frame,
    announced_size,
    frame_at,
    header_of,
)
from .payload import (
    check_crc,
    check_records,
    damaged,
    no_room_for_header,
    payload_of,
    unknown_length,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

    from ..errors import DecodeError
    from .compression import Decompress
    from .headers import Stopped

MAX_RECORDS = 1_000_000
MAX_BATCH_BYTES = 1 << 27
_LARGEST = (1 << 31) - 1
"""Limits beyond it mean no more: bytes of records have lengths of 31 bits."""
_NO_MINIMUM = -(1 << 63)


class RecordBatches:
    """An iterator over the batches in a ``records`` field or a log segment; each is decoded when it is asked for.

    Batches that end before ``min_offset`` are skipped undecoded. ``check_crcs`` verifies checksums. A batch may have
    ``max_records`` records, and as many headers, and take ``max_batch_bytes`` when it is decompressed.
    ``decompressors`` are functions by compression that get the bytes and the limit, and are used instead of the
    available libraries.

    Iterating raises ``DecodeError`` for a damaged batch, and ``UnsupportedCompressionError`` if a library is missing;
    the next batch follows, if its start is known. Brokers cut off the last batch of a response where
    the requested size ends: it is not an error, see ``stopped``.
    """

    def __init__(
        self,
        data: bytes | bytearray | memoryview,
        *,
        min_offset: int | None = None,
        check_crcs: bool = True,
        max_records: int = MAX_RECORDS,
        max_batch_bytes: int = MAX_BATCH_BYTES,
        decompressors: Mapping[str, Decompress] | None = None,
    ) -> None:
        view = memoryview(data)
        self._data = view.cast("B") if view.c_contiguous else memoryview(view.tobytes())
        self._min_offset = _NO_MINIMUM if min_offset is None else min_offset
        self._check_crcs = check_crcs
        self._max_records = min(max_records, _LARGEST)
        self._max_batch_bytes = min(max_batch_bytes, _LARGEST)
        self._decompressors = decompressors
        self.position = 0
        """Where the next batch begins, in bytes."""
        self.stopped: Stopped | None = None
        """Why there are no more batches: ``end``, ``truncated`` (the last batch is cut off at ``position``), ``preallocated``
        (only zeros follow), or ``damaged`` (after an error, because the start of the next batch is unknown)."""

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> RecordBatch:
        while self.stopped is None:
            frame = frame_at(self._data, self.position, len(self._data))
            if not isinstance(frame, Frame):
                self.stopped = frame
                if frame == "damaged":
                    raise unknown_length(announced_size(self._data, self.position) - BEFORE_LENGTH, self.position)
                break
            self.position += frame.length
            batch = self._batch(frame)
            if batch is not None:
                return batch
        raise StopIteration

    def _batch(self, frame: Frame) -> RecordBatch | None:
        header = header_of(self._data, frame)
        if header is None:
            raise no_room_for_header(frame) if frame.magic == 2 else _unsupported_magic(frame)
        if header.last_offset < self._min_offset:
            return None
        if self._check_crcs:
            check_crc(self._data, frame, header)
        return _with_records(header, self._records(frame, header))

    def _records(self, frame: Frame, header: BatchHeader) -> Any:
        count, most = header.record_count, self._max_records
        if header.codec is None:
            reason = f"unknown compression type {header.codec_number}"
            raise damaged(2, reason, "records", frame.position + HEADER_SIZE)
        if count > most:
            reason = f"{count} records are more than {most}; to allow more, pass max_records=..."
            raise damaged(2, reason, "records", frame.position + COUNT_AT)
        payload = payload_of(self._data, frame, header, self._decompress)
        append_time = header.max_timestamp if header.timestamp_type else None
        try:
            return record_codec().decode(payload, count, header.base_offset, header.base_timestamp, append_time, most)
        except FAILURES as problem:
            failure = problem
        check_records(payload, frame, header, most)
        raise failure

    def _decompress(self, number: int, data: memoryview) -> bytes:
        return decompress(CODEC_NAMES[number], bytes(data), self._max_batch_bytes, self._decompressors)


def _unsupported_magic(frame: Frame) -> DecodeError:
    reason = f"unsupported magic {frame.magic}; expected 2"
    if frame.magic in (0, 1):
        reason = f"messages of magic {frame.magic} (before Kafka 0.11) are not supported, only batches of magic 2"
    return damaged(frame.magic, reason, "magic", frame.position + MAGIC_AT)


def _with_records(header: BatchHeader, records: Any) -> RecordBatch:
    batch: Any = object.__new__(RecordBatch)
    (
        batch.base_offset,
        _,
        batch.partition_leader_epoch,
        batch.magic,
        _,
        attributes,
        batch.last_offset_delta,
        batch.base_timestamp,
        batch.max_timestamp,
        batch.producer_id,
        batch.producer_epoch,
        batch.base_sequence,
        _,
    ) = header
    batch.compression = CODEC_NAMES[attributes & CODEC]
    batch.timestamp_type = "LogAppendTime" if attributes & LOG_APPEND_TIME else "CreateTime"
    batch.is_transactional = attributes & TRANSACTIONAL != 0
    batch.is_control = attributes & CONTROL != 0
    batch.has_delete_horizon = attributes & DELETE_HORIZON != 0
    batch.records = records
    found: RecordBatch = batch
    return found


read_records = RecordBatches
"""Reads batches; the usual name."""
