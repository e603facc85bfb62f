"""The bytes of the records of a batch, once its header is known to be right, and what is wrong with them."""

from __future__ import annotations

from ..errors import DecodeError
from .compression import DecompressionError
from .cursor import SMALLEST, RecordCursor, RecordError
from .headers import COUNT_AT, CRC_AT, HEADER_SIZE, BatchHeader, Frame, is_intact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "RecordBatch"
"""What errors call a batch; the version is its magic."""


def damaged(magic: int, reason: str, path: str, offset: int) -> DecodeError:
    """The error for a part of a batch."""
    return DecodeError(NAME, magic, path, reason, offset)


def check_crc(data: memoryview, frame: Frame, header: BatchHeader) -> None:
    """Raises ``DecodeError`` if the checksum of a batch is not that of its bytes."""
    if not is_intact(data, frame, header):
        reason = "the checksum is wrong: the batch was damaged"
        raise damaged(frame.magic, reason, "crc", frame.position + CRC_AT)


def payload_of(
    data: memoryview, frame: Frame, header: BatchHeader, decompress: Callable[[int, memoryview], bytes]
) -> bytes:
    """The records of a batch, decompressed, with at least as many bytes as their number needs. Raises ``DecodeError``."""
    start = frame.position + HEADER_SIZE
    if header.record_count < 0:
        reason = f"invalid number of records: {header.record_count}"
        raise damaged(frame.magic, reason, "records", frame.position + COUNT_AT)
    stored = data[start : frame.position + frame.length]
    if header.record_count == 0 and not stored:
        return b""
    payload: bytes | memoryview = stored
    if header.codec_number:
        try:
            payload = decompress(header.codec_number, stored)
        except DecompressionError as problem:
            raise damaged(frame.magic, str(problem), "records", start) from problem.__cause__
    if header.record_count > len(payload) // SMALLEST:
        reason = f"invalid number of records, {header.record_count}; bytes left: {len(payload)}"
        raise damaged(frame.magic, reason, "records", frame.position + COUNT_AT)
    return bytes(payload)


def check_records(payload: bytes, frame: Frame, header: BatchHeader, max_headers: int | None = None) -> None:
    """Raises ``DecodeError`` unless the bytes are the announced number of records and nothing else."""
    # Within compressed records no byte of the buffer is to blame but the first.
    start, factor = frame.position + HEADER_SIZE, header.codec_number == 0
    cursor = RecordCursor(payload, max_headers)
    seen = 0
    try:
        while seen < header.record_count:
            cursor.read()
            seen += 1
    except RecordError as problem:
        path = f"records[{seen}].{problem.part}"
        raise damaged(frame.magic, str(problem), path, start + problem.position * factor) from None
    if cursor.left:
        reason = f"extra bytes after the last record: {cursor.left}"
        raise damaged(frame.magic, reason, "records", start + cursor.position * factor)


def no_room_for_header(frame: Frame) -> DecodeError:
    """The error for a batch of magic 2 that has no room for its header."""
    reason = f"a batch has at least {HEADER_SIZE} bytes, not {frame.length}"
    return damaged(frame.magic, reason, "length", frame.position + 8)


def unknown_length(length: int, position: int) -> DecodeError:
    """The error for a length that no batch has."""
    reason = f"invalid batch length {length}; the position of the next batch is unknown"
    return damaged(2, reason, "length", position + 8)
