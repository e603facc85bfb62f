"""Decompresses record batches in pieces, so that only the needed part is decompressed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

PIECE_BYTES: Final = 1 << 16
"""The size of a piece."""

_GZIP: Final = 31  # the window of zlib, with gzip's header
_XERIAL: Final = b"\x82SNAPPY\0"
_XERIAL_HEADER: Final = 16
_SNAPPY_RATIO: Final = 64
"""The maximum compression ratio of Snappy, which copies at most 64 bytes at a time."""
_ZSTD_MODULES: Final = ("compression.zstd", "backports.zstd")


class DecompressionError(ValueError):
    """Invalid compressed bytes, or an unsupported compression."""


def decompress(codec: int, data: bytes) -> Iterator[bytes]:
    """Decompresses the records of a batch; ``codec`` is the number in its attributes. Raises ``DecompressionError``."""
    if codec not in _CODECS:
        raise DecompressionError(f"unknown compression {codec}")
    name, pieces = _CODECS[codec]
    try:
        yield from pieces(data)
    except (EOFError, zlib.error, DecompressionError) as problem:
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
                raise EOFError("truncated data")
            yield piece
        data = member.unused_data


def _zstd(data: bytes) -> Iterator[bytes]:
    return _frames(_zstd_module().ZstdDecompressor, data)


def _lz4(data: bytes) -> Iterator[bytes]:
    return _frames(import_module("lz4.frame").LZ4FrameDecompressor, data)


def _frames(decompressor: Callable[[], Any], data: bytes) -> Iterator[bytes]:
    """Decompresses consecutive frames. The libraries raise different errors."""
    while data:
        frame = decompressor()
        while not frame.eof:
            try:
                piece: bytes = frame.decompress(data, PIECE_BYTES)
            except Exception as problem:  # noqa: BLE001 - RuntimeError of lz4, ZstdError of zstd
                raise DecompressionError(str(problem)) from None
            data = b""
            if not piece and frame.needs_input and not frame.eof:
                raise EOFError("truncated data")
            yield piece
        data = frame.unused_data or b""


def _zstd_module() -> Any:
    for name in _ZSTD_MODULES:
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise DecompressionError("zstd requires Python 3.14 or the module backports.zstd: pip install backports.zstd")


def _snappy(data: bytes) -> Iterator[bytes]:
    """One block, as most clients write, or the blocks of snappy-java."""
    if not data.startswith(_XERIAL):
        yield _snappy_block(data)
        return
    position = _XERIAL_HEADER
    while position < len(data):
        start = position + 4
        position = start + int.from_bytes(data[position:start], "big")
        if position > len(data):
            raise EOFError("truncated block")
        yield _snappy_block(data[start:position])


def _snappy_block(block: bytes) -> bytes:
    # The library allocates the length in the block before it reads the block.
    if _varint(block) > _SNAPPY_RATIO * len(block):
        raise DecompressionError("the length in a block is too large")
    cramjam = import_module("cramjam")
    try:
        return bytes(cramjam.snappy.decompress_raw(block))
    except cramjam.DecompressionError as problem:
        raise DecompressionError(str(problem)) from None


def _varint(data: bytes) -> int:
    """The unsigned varint at the start."""
    value = 0
    for position, byte in enumerate(data[:5]):
        value |= (byte & 0x7F) << 7 * position
        if byte < 0x80:
            return value
    raise DecompressionError("invalid length of a block")


_CODECS: Final[dict[int, tuple[str, Callable[[bytes], Iterator[bytes]]]]] = {
    0: ("none", _stored),
    1: ("gzip", _gzip),
    2: ("snappy", _snappy),
    3: ("lz4", _lz4),
    4: ("zstd", _zstd),
}
"""Name and function of each compression, by its number in the attributes of a batch."""
