"""The codec for the records of a batch, in the native engine or in Python."""

from __future__ import annotations

from functools import cache

from ..native import native_part
from .decoding import decode_records
from .encoding import encode_records
from .values import Record, RecordHeader


class RecordCodec:
    """The codec in Python. The engine's codec raises ``ValueError`` for records that it cannot read or write."""

    decode = staticmethod(decode_records)
    encode = staticmethod(encode_records)


@cache
def record_codec() -> type[RecordCodec]:
    """Return the codec to use."""
    native = native_part("RecordCodec")
    return RecordCodec if native is None else native(Record, RecordHeader)
