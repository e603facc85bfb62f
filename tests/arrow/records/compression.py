"""Decompression of record batches with Arrow's libraries, up to a number of bytes."""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from messagegen_kafka._runtime.records.compression import DecompressionError
from messagegen_kafka._runtime.records.headers import CODEC_NAMES

_XERIAL: Final = b"\x82SNAPPY\0"
"""First bytes of snappy-java's streams; two versions of 4 bytes follow."""
_XERIAL_HEADER: Final = 16
_PIECE_BYTES: Final = 1 << 16
_LONGEST_SNAPPY_COPY: Final = 64
"""Maximum number of bytes that 3 bytes of snappy can copy."""


def decompress(codec_number: int, data: memoryview, most: int) -> bytes:
    """The records of a compressed batch, at most ``most`` bytes. Raises ``DecompressionError``."""
    if not 1 <= codec_number < len(CODEC_NAMES):
        raise DecompressionError(f"there is no compression of number {codec_number}")
    name = CODEC_NAMES[codec_number]
    try:
        return _snappy(data, most) if name == "snappy" else _stream(name, data, most)
    except (pa.ArrowException, OSError, DecompressionError) as problem:
        raise DecompressionError(f"the records can't be decompressed ({name}): {problem}") from None


def _stream(name: str, data: memoryview, most: int) -> bytes:
    """Reads in pieces, because Arrow's ``read`` allocates the requested size at once and returns nothing if it fails."""
    out = bytearray()
    piece = memoryview(bytearray(_PIECE_BYTES))
    with pa.CompressedInputStream(pa.BufferReader(data), name) as stream:
        while count := stream.readinto(piece):
            out += piece[:count]
            if len(out) > most:
                raise _too_much(most)
    return bytes(out)


def _snappy(data: memoryview, most: int) -> bytes:
    """Raw snappy, as most clients write it, or the blocks of snappy-java."""
    if bytes(data[: len(_XERIAL)]) != _XERIAL:
        return _snappy_block(data, most)
    out = bytearray()
    position = _XERIAL_HEADER
    while position != len(data):
        start = position + 4
        length = int.from_bytes(data[position:start], "big", signed=True)
        if length < 0:
            raise DecompressionError("a block has a negative length")
        position = start + length
        if position > len(data):
            raise DecompressionError("unexpected end of file")
        out += _snappy_block(data[start:position], most - len(out))
    return bytes(out)


def _snappy_block(block: memoryview, most: int) -> bytes:
    length = _snappy_length(block)
    if length > most:
        raise _too_much(most)
    if length // _LONGEST_SNAPPY_COPY > len(block):
        raise DecompressionError(f"{len(block)} bytes can't hold {length}")
    out: bytes = pa.Codec("snappy").decompress(block, length, asbytes=True)
    return out


def _snappy_length(block: memoryview) -> int:
    """The decompressed size of a block: the varint at its start."""
    length = 0
    for number, byte in enumerate(block[:5]):
        length |= (byte & 0x7F) << 7 * number
        if byte < 0x80:
            return length
    raise DecompressionError("a block says nowhere how long it is")


def _too_much(most: int) -> DecompressionError:
    return DecompressionError(f"they take more than {most} bytes; max_batch_bytes sets this limit")
