"""Compresses and decompresses the records of batches: gzip with the standard library, the others natively or with libraries.

Anything that decompresses is held to a number of bytes. Callers may bring functions of their own, by Kafka's names.
"""

from __future__ import annotations

import zlib
from importlib import import_module

from ..errors import MessageError
from ..native import native_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Compress = Callable[[bytes], bytes]
    Decompress = Callable[[bytes, int], bytes]
    """Gets the compressed bytes and how many bytes they may become; raises any exception for damaged ones."""

_GZIP_WINDOW = 31
_PIECE_BYTES = 1 << 16
_INPUT_BYTES = 1 << 12
"""Decompressors get so many bytes at a time: they copy the rest after each frame, so many small frames would take quadratic time."""

_XERIAL = b"\x82SNAPPY\0"
"""The streams of snappy-java begin with it, and two versions of 4 bytes follow."""
_XERIAL_START = _XERIAL + bytes((0, 0, 0, 1, 0, 0, 0, 1))
_SNAPPY_BLOCK = 1 << 15
_LONGEST_SNAPPY_COPY = 64
"""Snappy copies at most this many bytes at a time."""

_INSTALL = {"snappy": "cramjam", "lz4": "lz4", "zstd": "backports.zstd"}
_ZSTD_MODULES = ("compression.zstd", "backports.zstd")


class UnsupportedCompressionError(MessageError):
    """A compression for which a library is missing."""


class DecompressionError(ValueError):
    """Compressed records that are damaged, or become too many bytes."""


class _TooMuch(ValueError):  # noqa: N818 - it never leaves this module
    """Decompressed records that exceed the limit."""


def decompress(codec: str, data: bytes, most: int, own: Mapping[str, Decompress] | None = None) -> bytes:
    """At most ``most`` decompressed bytes; ``own`` are functions of the caller, which take precedence.

    Raises ``DecompressionError`` and ``UnsupportedCompressionError``.
    """
    try:
        found = ((own or {}).get(codec) or _decompressor(codec))(data, most)
    except _TooMuch:
        found = None
    except UnsupportedCompressionError:
        raise
    except Exception as problem:
        raise DecompressionError(f"the records can't be decompressed ({codec})") from problem
    if found is None or len(found) > most:
        reason = f"the decompressed records take more than {most} bytes; to allow more, pass max_batch_bytes=..."
        raise DecompressionError(reason)
    return found


def compress(codec: str, data: bytes, own: Mapping[str, Compress] | None = None) -> bytes:
    """Compresses records as Kafka's Java client does. Raises ``UnsupportedCompressionError``."""
    return ((own or {}).get(codec) or _compressor(codec))(data)


def _decompressor(codec: str) -> Decompress:
    if codec == "gzip":
        return _gunzip
    native: Callable[[str, bytes, int], bytes | None] | None = native_part("decompress")
    if native is None:
        return {"snappy": _unsnappy, "lz4": _unlz4, "zstd": _unzstd}[codec]

    def function(data: bytes, most: int) -> bytes:
        found = native(codec, data, most)
        if found is None:
            raise _TooMuch
        return found

    return function


def _compressor(codec: str) -> Compress:
    if codec == "gzip":
        return _gzip
    native: Callable[[str, bytes], bytes] | None = native_part("compress")
    if native is not None:
        return lambda data: native(codec, data)
    return {"snappy": _snappy, "lz4": _lz4, "zstd": _zstd}[codec]


def _library(codec: str, *names: str) -> Any:
    for name in names:
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    package = _INSTALL[codec]
    reason = f"{codec} needs the native engine or a library: pip install {package}, or pass a function of your own"
    raise UnsupportedCompressionError("RecordBatch", 2, "compression", reason)


def _gzip(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=_GZIP_WINDOW)
    return packer.compress(data) + packer.flush()


def _gunzip(data: bytes, most: int) -> bytes:
    """One member or several."""
    out = bytearray()
    view, position = memoryview(data), 0
    while True:
        member = zlib.decompressobj(_GZIP_WINDOW)
        while not member.eof:
            piece = view[position : position + _INPUT_BYTES]
            if not piece:
                raise EOFError
            position += len(piece)
            out += member.decompress(piece, most - len(out) + 1)
            if len(out) > most:
                raise _TooMuch
        position -= len(member.unused_data)
        if position == len(view):
            return bytes(out)


def _frames(decompressor: Callable[[], Any], data: bytes, most: int, *, several: bool = True) -> bytes:
    """The contents of a frame, or of all, in pieces: libraries may reserve what they are asked for."""
    out = bytearray()
    view, position = memoryview(data), 0
    while True:
        frame = decompressor()
        while not frame.eof:
            piece = b""
            if frame.needs_input:
                piece = bytes(view[position : position + _INPUT_BYTES])
                if not piece:
                    raise EOFError
                position += len(piece)
            out += frame.decompress(piece, _PIECE_BYTES)
            if len(out) > most:
                raise _TooMuch
        position -= len(frame.unused_data or b"")
        if position == len(view) or not several:
            return bytes(out)


def _zstd(data: bytes) -> bytes:
    return bytes(_library("zstd", *_ZSTD_MODULES).compress(data))


def _unzstd(data: bytes, most: int) -> bytes:
    return _frames(_library("zstd", *_ZSTD_MODULES).ZstdDecompressor, data, most)


def _lz4(data: bytes) -> bytes:
    """Blocks of 64 KB that do not refer to each other: Kafka reads no others."""
    library = _library("lz4", "lz4.frame")
    return bytes(library.compress(data, block_size=library.BLOCKSIZE_MAX64KB, block_linked=False, store_size=False))


def _unlz4(data: bytes, most: int) -> bytes:
    """Like Java's reader and the native engine, only the first frame."""
    return _frames(_library("lz4", "lz4.frame").LZ4FrameDecompressor, data, most, several=False)


def _snappy(data: bytes) -> bytes:
    """The stream of snappy-java."""
    library = _library("snappy", "cramjam").snappy
    out = bytearray(_XERIAL_START)
    for start in range(0, len(data), _SNAPPY_BLOCK):
        block = bytes(library.compress_raw(data[start : start + _SNAPPY_BLOCK]))
        out += len(block).to_bytes(4, "big")
        out += block
    return bytes(out)


def _unsnappy(data: bytes, most: int) -> bytes:
    """One block, as many clients write, or the stream of snappy-java."""
    library = _library("snappy", "cramjam").snappy
    if not data.startswith(_XERIAL):
        return _snappy_block(library, data, most)
    out = bytearray()
    position = len(_XERIAL_START)
    if len(data) < position:
        raise EOFError
    while position < len(data):
        start = position + 4
        position = start + int.from_bytes(data[position:start], "big")
        if position > len(data):
            raise EOFError
        out += _snappy_block(library, data[start:position], most - len(out))
    return bytes(out)


def _snappy_block(library: Any, block: bytes, most: int) -> bytes:
    """A block. The library reserves the length that a block announces before it reads it."""
    length = _snappy_length(block)
    if length > most:
        raise _TooMuch
    if length // _LONGEST_SNAPPY_COPY > len(block):
        raise ValueError("the announced length is impossible")
    return bytes(library.decompress_raw(block))


def _snappy_length(block: bytes) -> int:
    length = 0
    for number, byte in enumerate(block[:5]):
        length |= (byte & 0x7F) << 7 * number
        if byte < 0x80:
            return length
    raise EOFError
