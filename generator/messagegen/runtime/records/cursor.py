"""Reads the records of a batch one by one, slowly, with a precise error (upstream: ``DefaultRecord``)."""

from __future__ import annotations

from typing import NamedTuple

SMALLEST = 7
"""The least that a record takes: seven numbers of one byte each."""
LONGEST = 1 << 29
"""A longer record is refused, so that a column of any batch stays within Arrow's 32-bit offsets."""

Header = tuple[str, bytes | None]


class Record(NamedTuple):
    """A record, with its numbers relative to those of its batch; ``size`` is the bytes it takes."""

    timestamp_delta: int
    offset_delta: int
    key: bytes | None
    value: bytes | None
    headers: list[Header]
    size: int


class RecordError(ValueError):
    """Bytes that are no record: in which part of it, at which byte of the batch's records, and why."""

    def __init__(self, part: str, position: int, reason: str) -> None:
        super().__init__(reason)
        self.part = part
        self.position = position


class RecordCursor:
    """Reads record after record out of the bytes of a batch's records, which have ``max_headers`` headers together."""

    def __init__(self, data: bytes, max_headers: int | None = None) -> None:
        self._data = data
        self._max_headers = max_headers
        self._headers = 0
        self._end = len(data)
        self.position = 0

    @property
    def left(self) -> int:
        """How many bytes were not read."""
        return self._end - self.position

    def read(self) -> Record:
        """The next record. Raises ``RecordError``."""
        start = self.position
        length = self._record_length()
        body = self.position
        if body == self._end:
            raise RecordError("attributes", body, "unexpected end: bytes needed: 1, left: 0")
        self.position += 1
        timestamp_delta = self._packed("timestamp_delta", 64)
        offset_delta = self._packed("offset_delta", 32)
        key = self._bytes("key")
        value = self._bytes("value")
        headers = [self._header() for _ in range(self._header_count())]
        taken = self.position - body
        if taken != length:
            reason = f"the record has {length} bytes, but its parts take {taken}"
            raise RecordError("length", start, reason)
        return Record(timestamp_delta, offset_delta, key, value, headers, self.position - start)

    def _record_length(self) -> int:
        start = self.position
        length = self._packed("length", 32)
        if length < 0:
            raise RecordError("length", start, f"invalid record length {length}")
        if length > LONGEST:
            raise RecordError("length", start, f"a record of {length} bytes is too long; the maximum is {LONGEST}")
        self._check_announced("length", start, length)
        return length

    def _header_count(self) -> int:
        start = self.position
        count = self._packed("headers", 32)
        if count < 0:
            raise RecordError("headers", start, f"invalid number of headers: {count}")
        # The key and the value of a header have a length each, of one byte at least.
        if count > self.left // 2:
            reason = f"invalid number of headers, {count}; bytes left: {self.left}"
            raise RecordError("headers", start, reason)
        self._headers += count
        if self._max_headers is not None and self._headers > self._max_headers:
            reason = f"the batch has more than {self._max_headers} headers; to allow more, pass max_records=..."
            raise RecordError("headers", start, reason)
        return count

    def _header(self) -> Header:
        start = self.position
        key = self._bytes("headers.key")
        if key is None:
            raise RecordError("headers.key", start, "null is not allowed here")
        return key.decode("utf-8", "replace"), self._bytes("headers.value")

    def _bytes(self, part: str) -> bytes | None:
        """A length and bytes; Kafka reads any negative length as null."""
        start = self.position
        length = self._packed(part, 32)
        if length < 0:
            return None
        self._check_announced(part, start, length)
        begin = self.position
        self.position = begin + length
        return self._data[begin : self.position]

    def _check_announced(self, part: str, start: int, length: int) -> None:
        if length > self.left:
            raise RecordError(part, start, f"invalid number of bytes, {length}; bytes left: {self.left}")

    def _packed(self, part: str, bits: int) -> int:
        """A zig-zag varint of a signed value of ``bits`` bits."""
        data, start, position = self._data, self.position, self.position
        value = shift = 0
        while True:
            if position == self._end:
                raise RecordError(part, start, "the bytes end early")
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift >= bits:
                raise RecordError(part, start, f"the varint is too long for {bits} bits")
        if value >> bits:
            raise RecordError(part, start, f"the varint does not fit in {bits} bits")
        self.position = position
        return (value >> 1) ^ -(value & 1)
