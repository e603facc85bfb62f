"""Reads the batches in ``records`` fields and log segments.

Upstream: ``MemoryRecords``, ``ByteBufferLogInputStream``.
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import CodecFailure, DecodeError, shown
from .batches import (
    CODEC,
    CODECS,
    CONTROL,
    COUNT_AT,
    CRC_AT,
    CRC_END,
    DELETE_HORIZON,
    HEADER,
    LENGTH_AT,
    LENGTH_END,
    LOG_APPEND_TIME,
    MAGIC_AT,
    TRANSACTIONAL,
    RecordBatch,
)
from .checksums import crc32c
from .codec import record_codec
from .compression import UnsupportedCompressionError, decompress
from .decoding import FAILURES, find_damage
from .transactions import AbortedProducers
from .values import Record, elements, signed_64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal, Self

    from .compression import Decompress
    from .transactions import AbortedTransaction

    Stopped = Literal["end", "truncated", "preallocated", "damaged"]

MAX_RECORDS = 1_000_000
MAX_BATCH_BYTES = 1 << 27
_LARGEST = (1 << 31) - 1
"""The largest useful limit, because the sizes of records have 31 bits."""
_SHORTEST = 14
"""The minimum number of bytes after a batch's length, in any magic: a message of magic 0 without key and value."""


class _Header(NamedTuple):
    """The header of a batch: the numbers of ``HEADER``."""

    base_offset: int
    length: int
    epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int


class RecordBatches:
    """An iterator over the batches in a ``records`` field or a log segment; each is decoded on demand.

    ``aborted`` are the ``aborted_transactions`` of a fetch response with isolation level 1 (``read_committed``). Like a
    consumer, the iterator skips the data batches of these transactions, but not the control batches.

    Batches that end before ``min_offset`` are skipped undecoded. ``check_crcs`` verifies checksums. A batch may have at
    most ``max_records`` records, the same number of headers, and ``max_batch_bytes`` decompressed bytes.
    ``decompressors`` maps compressions to functions that get the bytes and the limit. They replace the standard library
    and the native engine.

    Iterating raises ``DecodeError`` for a damaged batch, and ``UnsupportedCompressionError`` if a batch needs the
    native engine. Iterating can then go on with the next batch, if its start is known. With ``aborted``, no batch
    follows a damaged one, because it may have contained the end of a transaction. Brokers cut off the last batch of a
    response at the requested size. This is not an error; see ``stopped``.
    """

    def __init__(
        self,
        data: bytes | bytearray | memoryview,
        *,
        aborted: Iterable[AbortedTransaction] | None = None,
        min_offset: int | None = None,
        check_crcs: bool = True,
        max_records: int = MAX_RECORDS,
        max_batch_bytes: int = MAX_BATCH_BYTES,
        decompressors: Mapping[str, Decompress] | None = None,
    ) -> None:
        view = memoryview(data)
        self._data = view.cast("B") if view.c_contiguous else memoryview(view.tobytes())
        if type(check_crcs) is not bool:
            raise TypeError(f"check_crcs: expected True or False, found {shown(check_crcs)}")
        transactions = () if aborted is None else elements(aborted)
        self._aborted = AbortedProducers(transactions) if transactions else None
        self._min_offset = min_offset
        self._check_crcs = check_crcs
        self._max_records = min(max_records, _LARGEST)
        self._max_batch_bytes = min(max_batch_bytes, _LARGEST)
        self._decompressors = decompressors
        self.position = 0
        """The position of the next batch, in bytes."""
        self.next_offset: int | None = None
        """The next offset to fetch, after the last batch that was read or skipped; ``None`` before the first batch."""
        self.stopped: Stopped | None = None
        """The reason why no more batches follow: ``end``, ``truncated`` (the batch at ``position`` is cut off),
        ``preallocated`` (only zeros follow), or ``damaged`` (after an error, because the start of the next batch is
        unknown).
        """

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> RecordBatch:
        while self.stopped is None:
            start, end = self.position, _end_of_batch(self._data, self.position)
            if not isinstance(end, int):
                self.stopped = end
                if end == "damaged":
                    reason = "invalid batch length; the position of the next batch is unknown"
                    raise _damaged(reason, "length", start + LENGTH_AT)
                break
            self.position = end
            try:
                batch = self._batch(start, end)
            except DecodeError:
                if self._aborted is not None:
                    self.stopped = "damaged"
                raise
            if batch is not None:
                return batch
        raise StopIteration

    def _batch(self, start: int, end: int) -> RecordBatch | None:
        """Return the batch between two positions; ``None`` if it is skipped."""
        header = _read_header(self._data, start, end)
        last_offset = signed_64(header.base_offset + header.last_offset_delta)
        batch = self._read(header, last_offset, start, end)
        self.next_offset = signed_64(last_offset + 1)
        return batch

    def _read(self, header: _Header, last_offset: int, start: int, end: int) -> RecordBatch | None:
        is_early = self._min_offset is not None and last_offset < self._min_offset
        if is_early and (self._aborted is None or not header.attributes & CONTROL):
            return None
        self._check(header, start, end)
        if self._aborted is None:
            return self._decoded(header, start + HEADER.size, end)
        if _is_aborted(header, last_offset, self._aborted):
            return None
        batch = self._decoded(header, start + HEADER.size, end)
        _end_transaction(batch, start + HEADER.size, self._aborted)
        return None if is_early else batch

    def _check(self, header: _Header, start: int, end: int) -> None:
        """Raise ``DecodeError`` if the checksum is wrong, or if the number of records is out of range."""
        if self._check_crcs and crc32c(self._data[start + CRC_END : end]) != header.crc:
            raise _damaged("the checksum is wrong: the batch was damaged", "crc", start + CRC_AT)
        if not 0 <= header.record_count <= self._max_records:
            reason = f"invalid number of records: {header.record_count}; the maximum is max_records={self._max_records}"
            raise _damaged(reason, "records", start + COUNT_AT)

    def _decoded(self, header: _Header, start: int, end: int) -> RecordBatch:
        """Return the batch whose records are between two positions."""
        attributes = header.attributes
        codec = attributes & CODEC
        payload = bytes(self._data[start:end])
        if codec:
            payload = self._decompressed(payload, codec, start)
        is_appended = attributes & LOG_APPEND_TIME != 0
        append_time = header.max_timestamp if is_appended else None
        numbers = (header.record_count, header.base_offset, header.base_timestamp, append_time)
        return RecordBatch(
            base_offset=header.base_offset,
            compression=CODECS[codec],
            timestamp_type="LogAppendTime" if is_appended else "CreateTime",
            is_transactional=attributes & TRANSACTIONAL != 0,
            is_control=attributes & CONTROL != 0,
            has_delete_horizon=attributes & DELETE_HORIZON != 0,
            partition_leader_epoch=header.epoch,
            producer_id=header.producer_id,
            producer_epoch=header.producer_epoch,
            base_sequence=header.base_sequence,
            last_offset_delta=header.last_offset_delta,
            base_timestamp=header.base_timestamp,
            max_timestamp=header.max_timestamp,
            records=self._records(start, payload, codec, numbers),
        )

    def _decompressed(self, payload: bytes, codec: int, start: int) -> bytes:
        if codec >= len(CODECS):
            raise _damaged(f"unknown compression type {codec}", "records", start)
        if not payload:
            return payload
        try:
            return decompress(CODECS[codec], payload, self._max_batch_bytes, self._decompressors)
        except UnsupportedCompressionError:
            raise
        except ValueError as problem:
            raise _damaged(str(problem), "records", start) from problem.__cause__

    def _records(
        self, start: int, payload: bytes, codec: int, numbers: tuple[int, int, int, int | None]
    ) -> tuple[Record, ...]:
        try:
            return record_codec().decode(payload, *numbers, self._max_records)
        except FAILURES:
            path, position, reason = find_damage(payload, numbers[0], self._max_records)
        # Inside compressed records, the position of the damage in the buffer is unknown, so use their start.
        raise _damaged(reason, path, start if codec else start + position)


def _read_header(data: memoryview, start: int, end: int) -> _Header:
    """Return the header of the batch between two positions. Raises ``DecodeError``."""
    magic = data[start + MAGIC_AT]
    if magic != 2:
        reason = f"unsupported magic {magic}: only batches of magic 2 can be read, which Kafka writes since 0.11"
        raise _damaged(reason, "magic", start + MAGIC_AT)
    if end - start < HEADER.size:
        reason = f"a batch has at least {HEADER.size} bytes, not {end - start}"
        raise _damaged(reason, "length", start + LENGTH_AT)
    return _Header._make(HEADER.unpack_from(data, start))


def _end_of_batch(data: memoryview, start: int) -> int | Stopped:
    """Return the end of the batch that begins at ``start``, or the reason why no complete batch begins there."""
    left = len(data) - start
    if left < LENGTH_END:
        return "truncated" if left else "end"
    length = int.from_bytes(data[start + LENGTH_AT : start + LENGTH_END], signed=True)
    if length < _SHORTEST:
        return "damaged" if any(data[start : start + HEADER.size]) else "preallocated"
    if length <= left - LENGTH_END:
        return start + LENGTH_END + length
    # Even a batch that was cut off must have a magic that exists.
    return "damaged" if left > MAGIC_AT and data[start + MAGIC_AT] > 2 else "truncated"


def _is_aborted(header: _Header, last_offset: int, aborted: AbortedProducers) -> bool:
    """Whether a data batch belongs to an aborted transaction."""
    if header.producer_id < 0:
        return False
    aborted.advance(last_offset)
    is_data_of_transaction = header.attributes & (TRANSACTIONAL | CONTROL) == TRANSACTIONAL
    return is_data_of_transaction and aborted.has(header.producer_id)


def _end_transaction(batch: RecordBatch, start: int, aborted: AbortedProducers) -> None:
    """If a control batch ends a transaction, note the end."""
    if not batch.is_control or batch.producer_id < 0:
        return
    try:
        aborted.end(batch)
    except CodecFailure as problem:
        raise _damaged(str(problem), "records[0].key", start) from None


def _damaged(reason: str, path: str, offset: int) -> DecodeError:
    return DecodeError("RecordBatch", 2, path, reason, offset)


read_records = RecordBatches
"""The usual name of the class: it is called like a function."""
