"""What decodes and encodes the records of a batch: the native engine, or Python."""

from __future__ import annotations

from functools import cache

from ..native import native_part
from .decoding import decode_records
from .encoding import encode_records
from .values import Record, RecordHeader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class RecordCodec(Protocol):
        """The records of a batch from and to bytes; both methods raise ``ValueError`` or ``LookupError`` for what is wrong."""

        def decode(
            self,
            data: bytes,
            count: int,
            base_offset: int,
            base_timestamp: int,
            append_time: int | None,
            max_headers: int,
        ) -> tuple[Record, ...]:
            """The records that bytes are."""
            ...

        def encode(self, records: tuple[Record, ...], base_offset: int, base_timestamp: int) -> bytes:
            """The bytes of records. May raise ``TypeError``, too."""
            ...


class PythonRecordCodec:
    """The codec in Python."""

    decode = staticmethod(decode_records)
    encode = staticmethod(encode_records)


@cache
def record_codec() -> RecordCodec:
    """The codec to use."""
    native = native_part("RecordCodec")
    if native is None:
        return PythonRecordCodec()
    found: RecordCodec = native(Record, RecordHeader)
    return found
