"""Reads batches out of ``records`` fields and log segments (upstream: ``MemoryRecords``, ``ByteBufferLogInputStream``)."""

from __future__ import annotations

from ..errors import DecodeError
from .batches import RecordBatch
from .checksums import crc32c
from .codec import record_codec
from .compression import DecompressionError, decompress
from .cursor import SMALLEST, RecordCursor, RecordError
from .decoding import FAILURES
from .headers import (
    CHECKED_FROM,
    CODEC_NAMES,
    CONTROL,
    COUNT_AT,
    CRC_AT,
    DELETE_HORIZON,
    HEADER,
    HEADER_SIZE,
    LOG_APPEND_TIME,
    MAGIC_AT,
    START,
    TRANSACTIONAL,
    BatchHeader,
    Frame,
    frame_at,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

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
                    _, length = START.unpack_from(self._data, self.position)
                    reason = f"invalid batch length {length}; the position of the next batch is unknown"
                    raise _damaged(2, reason, "length", self.position + 8)
                break
            self.position += frame.length
            batch = self._batch(frame)
            if batch is not None:
                return batch
        raise StopIteration

    def _batch(self, frame: Frame) -> RecordBatch | None:
        if frame.magic != 2:
            raise _unsupported_magic(frame)
        if frame.length < HEADER_SIZE:
            reason = f"a batch has at least {HEADER_SIZE} bytes, not {frame.length}"
            raise _damaged(2, reason, "length", frame.position + 8)
        header = BatchHeader._make(HEADER.unpack_from(self._data, frame.position))
        if header.last_offset < self._min_offset:
            return None
        if (
            self._check_crcs
            and crc32c(self._data[frame.position + CHECKED_FROM : frame.position + frame.length]) != header.crc
        ):
            reason = "the checksum is wrong: the batch was damaged"
            raise _damaged(2, reason, "crc", frame.position + CRC_AT)
        return _with_records(header, self._records(frame, header))

    def _records(self, frame: Frame, header: BatchHeader) -> Any:
        count, most = header.record_count, self._max_records
        if header.codec_number >= len(CODEC_NAMES):
            reason = f"unknown compression type {header.codec_number}"
            raise _damaged(2, reason, "records", frame.position + HEADER_SIZE)
        if count > most:
            reason = f"{count} records are more than {most}; to allow more, pass max_records=..."
            raise _damaged(2, reason, "records", frame.position + COUNT_AT)
        payload = self._payload(frame, header)
        append_time = header.max_timestamp if header.attributes & LOG_APPEND_TIME else None
        try:
            return record_codec().decode(payload, count, header.base_offset, header.base_timestamp, append_time, most)
        except FAILURES as problem:
            failure = problem
        _check_records(payload, frame, header, most)
        raise failure

    def _payload(self, frame: Frame, header: BatchHeader) -> bytes:
        """The records, decompressed, with at least as many bytes as their number needs."""
        start, count = frame.position + HEADER_SIZE, header.record_count
        if count < 0:
            raise _damaged(2, f"invalid number of records: {count}", "records", frame.position + COUNT_AT)
        stored = self._data[start : frame.position + frame.length]
        if count == 0 and not stored:
            return b""
        payload: bytes | memoryview = stored
        if header.codec_number:
            codec = CODEC_NAMES[header.codec_number]
            try:
                payload = decompress(codec, bytes(stored), self._max_batch_bytes, self._decompressors)
            except DecompressionError as problem:
                raise _damaged(2, str(problem), "records", start) from problem.__cause__
        if count > len(payload) // SMALLEST:
            reason = f"invalid number of records, {count}; bytes left: {len(payload)}"
            raise _damaged(2, reason, "records", frame.position + COUNT_AT)
        return bytes(payload)


def _check_records(payload: bytes, frame: Frame, header: BatchHeader, max_headers: int) -> None:
    """Raises ``DecodeError`` unless the bytes are the announced number of records and nothing else."""
    # Within compressed records no byte of the buffer is to blame but the first.
    start, factor = frame.position + HEADER_SIZE, header.codec_number == 0
    cursor = RecordCursor(payload, max_headers)
    seen = 0
    try:
        while seen < header.record_count:
            cursor.skip()
            seen += 1
    except RecordError as problem:
        path = f"records[{seen}].{problem.part}"
        raise _damaged(2, str(problem), path, start + problem.position * factor) from None
    if cursor.left:
        reason = f"extra bytes after the last record: {cursor.left}"
        raise _damaged(2, reason, "records", start + cursor.position * factor)


def _damaged(magic: int, reason: str, path: str, offset: int) -> DecodeError:
    """The error for a part of a batch; its version is the magic."""
    return DecodeError("RecordBatch", magic, path, reason, offset)


def _unsupported_magic(frame: Frame) -> DecodeError:
    reason = f"unsupported magic {frame.magic}; expected 2"
    if frame.magic in (0, 1):
        reason = f"messages of magic {frame.magic} (before Kafka 0.11) are not supported, only batches of magic 2"
    return _damaged(frame.magic, reason, "magic", frame.position + MAGIC_AT)


def _with_records(header: BatchHeader, records: Any) -> RecordBatch:
    bits = header.attributes
    return RecordBatch(
        base_offset=header.base_offset,
        compression=CODEC_NAMES[header.codec_number],
        timestamp_type="LogAppendTime" if bits & LOG_APPEND_TIME else "CreateTime",
        is_transactional=bits & TRANSACTIONAL != 0,
        is_control=bits & CONTROL != 0,
        has_delete_horizon=bits & DELETE_HORIZON != 0,
        partition_leader_epoch=header.leader_epoch,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        last_offset_delta=header.last_offset_delta,
        base_timestamp=header.base_timestamp,
        max_timestamp=header.max_timestamp,
        records=records,
    )


read_records = RecordBatches
"""Reads batches; the usual name."""
