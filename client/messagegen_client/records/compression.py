"""The compressions of record batches, in pieces, so that nobody has to decompress more than is wanted."""

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
_SNAPPY_RATIO: Final = 64
"""No block of Snappy, which copies at most 64 bytes at a time, becomes longer than this many times its bytes."""
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
                raise EOFError("the bytes end too early")
            yield piece
        data = member.unused_data


def _zstd(data: bytes) -> Iterator[bytes]:
    return _frames(_zstd_module().ZstdDecompressor, data)


def _lz4(data: bytes) -> Iterator[bytes]:
    return _frames(import_module("lz4.frame").LZ4FrameDecompressor, data)


def _frames(decompressor: Callable[[], Any], data: bytes) -> Iterator[bytes]:
    """Frames one after the other; libraries differ in what they raise for a damaged one."""
    while data:
        frame = decompressor()
        while not frame.eof:
            try:
                piece: bytes = frame.decompress(data, PIECE_BYTES)
            except Exception as problem:  # noqa: BLE001 - lz4 raises RuntimeError, zstd an error of its own
                raise DecompressionError(str(problem)) from None
            data = b""
            if not piece and frame.needs_input and not frame.eof:
                raise EOFError("the bytes end too early")
            yield piece
        data = frame.unused_data or b""


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
    # The library makes room for as many bytes as the block announces before it reads on.
    if _varint(block) > _SNAPPY_RATIO * len(block):
        raise DecompressionError("a block announces more bytes than it can hold")
    cramjam = import_module("cramjam")
    try:
        return bytes(cramjam.snappy.decompress_raw(block))
    except cramjam.DecompressionError as problem:
        raise DecompressionError(str(problem)) from None


def _varint(data: bytes) -> int:
    """The unsigned varint at the beginning."""
    value = 0
    for position, byte in enumerate(data[:5]):
        value |= (byte & 0x7F) << 7 * position
        if byte < 0x80:
            return value
    raise DecompressionError("a block does not say how long it is")


_CODECS: Final[dict[int, tuple[str, Callable[[bytes], Iterator[bytes]]]]] = {
    0: ("none", _stored),
    1: ("gzip", _gzip),
    2: ("snappy", _snappy),
    3: ("lz4", _lz4),
    4: ("zstd", _zstd),
}
"""Name and way back of each compression, by its number in the attributes of a batch."""
