"""Compresses and decompresses records: gzip with the standard library, other codecs with the native engine.

The size of decompressed data is limited. Callers may pass functions of their own, by Kafka's names of the codecs.
"""

from __future__ import annotations

import zlib

from ..errors import MessageError
from ..native import native_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Compress = Callable[[bytes], bytes]
    Decompress = Callable[[bytes, int], bytes | None]
    """A function that gets compressed bytes and the maximum size of the result; it may raise anything for damage."""

_GZIP_WINDOW = 31
_INPUT_BYTES = 1 << 12
"""The number of bytes that zlib gets at a time.

It copies the rest of its input after each gzip member, so many small members would take quadratic time.
"""


class UnsupportedCompressionError(MessageError):
    """The error for a compression that needs the native engine, or a function from the caller."""


def decompress(codec: str, data: bytes, most: int, own: Mapping[str, Decompress] | None = None) -> bytes:
    """Return at most ``most`` decompressed bytes; ``own`` are the caller's functions, which take precedence.

    Raises ``ValueError`` if the bytes are damaged or the result is too large, and ``UnsupportedCompressionError``.
    """
    function = _of_caller(own, codec) or (_gunzip if codec == "gzip" else _native("decompress", codec))
    try:
        made = function(data, most)
        found = None if made is None else _plain(made)
    except Exception as problem:
        raise ValueError(f"the records can't be decompressed ({codec})") from problem
    if found is None or len(found) > most:
        reason = f"the decompressed records take more than {most} bytes; to allow more, pass max_batch_bytes=..."
        raise ValueError(reason)
    return found


def compress(codec: str, data: bytes, own: Mapping[str, Compress] | None = None) -> bytes:
    """Compress records as Kafka's Java client does. Raises ``UnsupportedCompressionError``."""
    function = _of_caller(own, codec) or (_gzip if codec == "gzip" else _native("compress", codec))
    return _plain(function(data))


def _of_caller(functions: Mapping[str, Any] | None, codec: str) -> Any:
    return None if functions is None else functions.get(codec)


def _plain(data: bytes | bytearray | memoryview) -> bytes:
    """Return the result of a caller's function as ``bytes``, which both engines can read. Raises ``TypeError``."""
    return data if type(data) is bytes else bytes(memoryview(data))


def _native(verb: str, codec: str) -> Callable[..., Any]:
    function = native_part(verb)
    if function is None:
        reason = f"{codec} needs messagegen-native; install it, or pass {verb}ors=... with a function of your own"
        raise UnsupportedCompressionError("RecordBatch", 2, "compression", reason)
    return lambda *arguments: function(codec, *arguments)


def _gzip(data: bytes) -> bytes:
    return zlib.compress(data, wbits=_GZIP_WINDOW)


def _gunzip(data: bytes, most: int) -> bytes | None:
    """Return the contents of one or more gzip members; ``None`` if they exceed the limit."""
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
                return None
        position -= len(member.unused_data)
        if position == len(view):
            return bytes(out)
