"""Reads messages of magic 0 and 1, which came before batches (upstream: ``LegacyRecord``, ``AbstractLegacyRecordBatch``).

Each message counts as a batch of one record; a compressed one contains a set of messages. Loaded on first use.
"""

from __future__ import annotations

import zlib
from struct import Struct
from typing import NamedTuple

from .batches import RecordBatch
from .compression import DecompressionError
from .headers import BEFORE_LENGTH, CODEC_NAMES, MAGIC_AT, Frame, frame_at, signed_64
from .payload import damaged
from .values import NO_TIMESTAMP, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .batches import TimestampType

    Decompress = Callable[[int, memoryview], bytes]

_CRC_AT = 12
_ATTRIBUTES_AT = 17
_TIMESTAMP_AT = 18
_CODEC, _LOG_APPEND_TIME = 0x07, 0x08
_LZ4 = 3
_FIRST_UNKNOWN = 4
"""zstd came with magic 2 only."""
_INT32 = Struct(">i").unpack_from
_INT64 = Struct(">q").unpack_from
_UINT32 = Struct(">I").unpack_from


class _Message(NamedTuple):
    """A message; ``value_at`` is where its value begins."""

    offset: int
    magic: int
    attributes: int
    timestamp: int
    key: bytes | None
    value: memoryview | None
    value_at: int

    @property
    def codec_number(self) -> int:
        return self.attributes & _CODEC

    @property
    def timestamp_type(self) -> TimestampType:
        if self.magic == 0:
            return "NoTimestampType"
        return "LogAppendTime" if self.attributes & _LOG_APPEND_TIME else "CreateTime"

    def record(self) -> Record:
        value = None if self.value is None else bytes(self.value)
        return Record(offset=self.offset, timestamp=self.timestamp, key=self.key, value=value)


def read_message(
    data: memoryview, frame: Frame, check_crcs: bool, max_records: int, decompress: Decompress
) -> RecordBatch:
    """The message in a frame as a batch. Raises ``DecodeError``."""
    message = _message(data, frame, check_crcs, "", 0)
    if message.codec_number:
        records = _inner_records(message, frame, check_crcs, max_records, decompress)
    else:
        records = (message.record(),)
    base_offset = records[0].offset
    return RecordBatch(
        base_offset=base_offset,
        magic=message.magic,
        compression=CODEC_NAMES[message.codec_number],
        timestamp_type=message.timestamp_type,
        last_offset_delta=message.offset - base_offset,
        base_timestamp=records[0].timestamp,
        max_timestamp=message.timestamp,
        records=records,
    )


def _inner_records(
    wrapper: _Message, frame: Frame, check_crcs: bool, max_records: int, decompress: Decompress
) -> tuple[Record, ...]:
    if wrapper.codec_number >= _FIRST_UNKNOWN:
        raise damaged(
            wrapper.magic,
            f"unknown compression type {wrapper.codec_number}",
            "attributes",
            frame.position + _ATTRIBUTES_AT,
        )
    if wrapper.value is None:
        raise damaged(wrapper.magic, "null is not allowed where messages are compressed", "value", wrapper.value_at)
    stored = wrapper.value
    if wrapper.codec_number == _LZ4 and wrapper.magic == 0:
        stored = _with_right_checksum(stored)
    try:
        inner = memoryview(decompress(wrapper.codec_number, stored))
    except DecompressionError as problem:
        raise damaged(wrapper.magic, str(problem), "value", wrapper.value_at) from problem.__cause__
    messages: list[_Message] = []
    for message in _messages(inner, wrapper, check_crcs):
        messages.append(message)
        if len(messages) > max_records:
            reason = f"more than {max_records} messages; to allow more, pass max_records=..."
            raise damaged(wrapper.magic, reason, "value", wrapper.value_at)
    if not messages:
        raise damaged(wrapper.magic, "no messages are compressed here", "value", wrapper.value_at)
    # Since magic 1, inner offsets count from 0, and the wrapper has the offset of the last one.
    first = wrapper.offset - messages[-1].offset if wrapper.magic == 1 else 0
    appended = wrapper.timestamp_type == "LogAppendTime"
    return tuple(
        [
            message._replace(
                offset=signed_64(message.offset + max(first, 0)),
                timestamp=wrapper.timestamp if appended else message.timestamp,
            ).record()
            for message in messages
        ]
    )


def _messages(data: memoryview, wrapper: _Message, check_crcs: bool) -> Iterator[_Message]:
    position = number = 0
    while position < len(data):
        frame = frame_at(data, position, len(data))
        path = f"value[{number}]"
        if not isinstance(frame, Frame):
            raise damaged(wrapper.magic, "the compressed messages are not complete", path, wrapper.value_at)
        if frame.magic != wrapper.magic:
            reason = f"a message of magic {frame.magic} in one of magic {wrapper.magic}"
            raise damaged(wrapper.magic, reason, f"{path}.magic", wrapper.value_at)
        message = _message(data, frame, check_crcs, f"{path}.", wrapper.value_at)
        if message.codec_number:
            raise damaged(wrapper.magic, "a compressed message in a compressed message", path, wrapper.value_at)
        yield message
        position += frame.length
        number += 1


def _message(data: memoryview, frame: Frame, check_crcs: bool, path: str, within: int) -> _Message:
    """The message in a frame. Errors have a path that begins with ``path``, and the byte ``within`` unless it is 0."""
    start, end, magic = frame.position, frame.position + frame.length, frame.magic
    if check_crcs and zlib.crc32(data[start + MAGIC_AT : end]) != _UINT32(data, start + _CRC_AT)[0]:
        reason = "the checksum is wrong: the message was damaged"
        raise damaged(magic, reason, f"{path}crc", within or start + _CRC_AT)
    attributes, timestamp, at = data[start + _ATTRIBUTES_AT], NO_TIMESTAMP, start + _TIMESTAMP_AT
    if magic == 1:
        if end - at < 16:
            reason = f"a message of magic 1 has at least 34 bytes, not {frame.length}"
            raise damaged(magic, reason, f"{path}length", within or start + BEFORE_LENGTH - 4)
        timestamp = _INT64(data, at)[0]
        at += 8
    key, at = _bytes(data, at, end, magic, f"{path}key", within)
    value, after = _bytes(data, at, end, magic, f"{path}value", within)
    if after != end:
        reason = f"extra bytes after the value: {end - after}"
        raise damaged(magic, reason, f"{path}value", within or after)
    key_bytes = None if key is None else bytes(key)
    return _Message(frame.base_offset, magic, attributes, timestamp, key_bytes, value, within or at + 4)


def _bytes(data: memoryview, at: int, end: int, magic: int, path: str, within: int) -> tuple[memoryview | None, int]:
    if end - at < 4:
        reason = f"unexpected end: bytes needed: 4, left: {end - at}"
        raise damaged(magic, reason, path, within or at)
    length = _INT32(data, at)[0]
    if length > end - at - 4:
        reason = f"invalid number of bytes, {length}; bytes left: {end - at - 4}"
        raise damaged(magic, reason, path, within or at)
    start = at + 4
    return (None, start) if length < 0 else (data[start : start + length], start + length)


def _with_right_checksum(frame: memoryview) -> memoryview:
    """An LZ4 frame with the checksum of its header: clients of magic 0 computed it of the magic number, too (KAFKA-3160)."""
    if len(frame) < 7:
        return frame
    flags = frame[4]
    size = 2 + 8 * bool(flags & 0x08) + 4 * bool(flags & 0x01)
    checked = bytearray(frame)
    if len(checked) > 4 + size:
        checked[4 + size] = _xxh32(bytes(frame[4 : 4 + size])) >> 8 & 0xFF
    return memoryview(bytes(checked))


_PRIMES = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1)
_ALL = 0xFFFFFFFF


def _xxh32(data: bytes) -> int:
    """The XXH32 of fewer than 16 bytes with seed 0, which is all that headers of LZ4 frames need."""
    first, second, third, fourth, fifth = _PRIMES
    value = fifth + len(data)
    whole = len(data) // 4 * 4
    for at in range(0, whole, 4):
        value = _rotated(value + int.from_bytes(data[at : at + 4], "little") * third, 17) * fourth & _ALL
    for byte in data[whole:]:
        value = _rotated(value + byte * fifth, 11) * first & _ALL
    value ^= value >> 15
    value = value * second & _ALL
    value ^= value >> 13
    value = value * third & _ALL
    return value ^ value >> 16


def _rotated(value: int, bits: int) -> int:
    value &= _ALL
    return (value << bits | value >> 32 - bits) & _ALL
