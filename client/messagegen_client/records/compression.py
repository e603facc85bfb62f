"""The compressions of record batches, in pieces, so that nobody has to decompress more than is wanted.

gzip and zstd come with Python, zstd from Python 3.14 on or as ``backports.zstd``. Snappy and LZ4 do not, and are short.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

PIECE_BYTES: Final = 1 << 16
"""About as much is decompressed at once."""

_GZIP: Final = 31  # the window of zlib, with gzip's header
_XERIAL: Final = b"\x82SNAPPY\0"
_XERIAL_HEADER: Final = 16
_LZ4_MAGIC: Final = b"\x04\x22\x4d\x18"
_LZ4_WINDOW: Final = 1 << 16
_LZ4_BLOCK_CHECKSUM, _LZ4_SIZE, _LZ4_DICTIONARY = 0x10, 0x08, 0x01
_LZ4_STORED: Final = 1 << 31
_LZ4_LARGEST_BLOCK: Final = 1 << 22
_SHORTEST_MATCH: Final = 4
_MORE: Final = 15
"""A length of LZ4 goes on in the next byte."""
_ZSTD_MODULES: Final = ("compression.zstd", "backports.zstd")


class DecompressionError(ValueError):
    """Bytes that are not what their compression makes, or a compression that nothing here can undo."""


def decompress(codec: int, data: bytes) -> Iterator[bytes]:
    """The records of a batch in pieces; ``codec`` is the number in its attributes. Raises ``DecompressionError``."""
    if codec not in _CODECS:
        raise DecompressionError(f"there is no compression of number {codec}")
    name, pieces = _CODECS[codec]
    try:
        yield from pieces(data)
    except (IndexError, EOFError, zlib.error) as problem:
        raise DecompressionError(f"{name}: {problem}") from None


def _stored(data: bytes) -> Iterator[bytes]:
    yield data


def _gzip(data: bytes) -> Iterator[bytes]:
    while data:
        member = zlib.decompressobj(_GZIP)
        while not member.eof:
            piece = member.decompress(data, PIECE_BYTES)
            data = member.unconsumed_tail
            if not piece and not data and not member.eof:
                raise EOFError("the bytes end too early")
            yield piece
        data = member.unused_data


def _zstd(data: bytes) -> Iterator[bytes]:
    module = _zstd_module()
    while data:
        frame = module.ZstdDecompressor()
        while not frame.eof:
            try:
                piece: bytes = frame.decompress(data, PIECE_BYTES)
            except module.ZstdError as problem:
                raise DecompressionError(f"zstd: {problem}") from None
            data = b""
            if not piece and frame.needs_input:
                raise EOFError("the bytes end too early")
            yield piece
        data = frame.unused_data


def _zstd_module() -> Any:
    for name in _ZSTD_MODULES:
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise DecompressionError("zstd needs Python 3.14, or the module backports.zstd: pip install backports.zstd")


def _snappy(data: bytes) -> Iterator[bytes]:
    """One block, as most clients write it, or the blocks of snappy-java."""
    if not data.startswith(_XERIAL):
        yield _snappy_block(data)
        return
    position = _XERIAL_HEADER
    while position < len(data):
        start = position + 4
        position = start + int.from_bytes(data[position:start], "big")
        if position > len(data):
            raise EOFError("a block ends too early")
        yield _snappy_block(data[start:position])


def _snappy_block(block: bytes) -> bytes:
    length, position = _varint(block)
    out = bytearray()
    while position < len(block):
        tag = block[position]
        position += 1
        kind, size = tag & 3, (tag >> 2) + 1
        if kind == 0:
            if size > 60:
                width = size - 60
                size = int.from_bytes(block[position : position + width], "little") + 1
                position += width
            out += _slice(block, position, size)
            position += size
        elif kind == 1:
            _copy(out, ((tag >> 5) << 8) | block[position], ((tag >> 2) & 7) + _SHORTEST_MATCH)
            position += 1
        else:
            width = 2 if kind == 2 else 4
            _copy(out, int.from_bytes(_slice(block, position, width), "little"), size)
            position += width
        if len(out) > length:
            break
    if len(out) != length:
        raise DecompressionError(f"snappy: a block has {len(out)} bytes or more in place of {length}")
    return bytes(out)


def _varint(data: bytes) -> tuple[int, int]:
    """An unsigned varint at the beginning, and where it ends."""
    value = 0
    for position, byte in enumerate(data[:5]):
        value |= (byte & 0x7F) << 7 * position
        if byte < 0x80:
            return value, position + 1
    raise DecompressionError("snappy: a block says nowhere how long it is")


def _lz4(data: bytes) -> Iterator[bytes]:
    """The frames of LZ4. Checksums are not looked at: Kafka's batches have one of their own, and old clients wrote wrong ones."""
    if not data.startswith(_LZ4_MAGIC):
        raise DecompressionError("lz4: there is no frame")
    flags = data[4]
    position = 7 + 8 * bool(flags & _LZ4_SIZE) + 4 * bool(flags & _LZ4_DICTIONARY)
    window = b""
    while True:
        size = int.from_bytes(_slice(data, position, 4), "little")
        position += 4
        if not size:
            return
        stored, size = size & _LZ4_STORED, size & ~_LZ4_STORED
        block = _slice(data, position, size)
        position += size + 4 * bool(flags & _LZ4_BLOCK_CHECKSUM)
        piece = block if stored else _lz4_block(block, window)
        window = (window + piece)[-_LZ4_WINDOW:]
        yield piece


def _lz4_block(block: bytes, window: bytes) -> bytes:
    out = bytearray(window)
    position = 0
    while True:
        token = block[position]
        size, position = _lz4_length(block, position + 1, token >> 4)
        out += _slice(block, position, size)
        position += size
        if position == len(block):
            return bytes(out[len(window) :])
        distance = int.from_bytes(_slice(block, position, 2), "little")
        size, position = _lz4_length(block, position + 2, token & _MORE)
        _copy(out, distance, size + _SHORTEST_MATCH)
        if len(out) - len(window) > _LZ4_LARGEST_BLOCK:
            raise DecompressionError("lz4: a block has more bytes than blocks have")


def _lz4_length(block: bytes, position: int, length: int) -> tuple[int, int]:
    if length == _MORE:
        while True:
            byte = block[position]
            position += 1
            length += byte
            if byte != 0xFF:
                break
    return length, position


def _slice(data: bytes, position: int, size: int) -> bytes:
    piece = data[position : position + size]
    if len(piece) != size:
        raise EOFError("the bytes end too early")
    return piece


def _copy(out: bytearray, distance: int, size: int) -> None:
    """Repeats what was written ``distance`` bytes ago, which may be less than ``size``."""
    start = len(out) - distance
    if not distance or start < 0:
        raise DecompressionError(f"a copy from {distance} bytes ago, where there are {len(out)}")
    repeated = out[start : start + size]
    out += (repeated * (size // len(repeated) + 1))[:size]


_CODECS: Final[dict[int, tuple[str, Callable[[bytes], Iterator[bytes]]]]] = {
    0: ("none", _stored),
    1: ("gzip", _gzip),
    2: ("snappy", _snappy),
    3: ("lz4", _lz4),
    4: ("zstd", _zstd),
}
"""Name and way back of each compression, by its number in the attributes of a batch."""
