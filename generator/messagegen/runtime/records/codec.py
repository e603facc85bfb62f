"""What decodes and encodes the records of a batch: the native engine, or Python."""

from __future__ import annotations

from functools import cache

from ..native import native_part
from .decoding import decode_records
from .encoding import encode_records
from .values import Record, RecordHeader


class RecordCodec:
    """The codec in Python. That of the engine raises ``ValueError`` for all that it does not read or write."""

    decode = staticmethod(decode_records)
    encode = staticmethod(encode_records)


@cache
def record_codec() -> type[RecordCodec]:
    """The codec to use."""
    native = native_part("RecordCodec")
    return RecordCodec if native is None else native(Record, RecordHeader)
