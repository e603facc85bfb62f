"""Checks the records of a batch one by one, slowly, with a precise error (upstream: ``DefaultRecord``)."""

from __future__ import annotations

SMALLEST = 7
"""The least that a record takes: seven numbers of one byte each."""
LONGEST = 1 << 29
"""A longer record is refused, so that a column of any batch stays within Arrow's 32-bit offsets."""


class RecordError(ValueError):
    """Bytes that are no record: in which part of it, at which byte of the batch's records, and why."""

    def __init__(self, part: str, position: int, reason: str) -> None:
        super().__init__(reason)
        self.part = part
        self.position = position


class RecordCursor:
    """Passes record after record in the bytes of a batch's records, which have at most ``max_headers`` headers together."""

    def __init__(self, data: bytes, max_headers: int) -> None:
        self._data = data
        self._max_headers = max_headers
        self._headers = 0
        self.position = 0

    @property
    def left(self) -> int:
        """How many bytes were not read."""
        return len(self._data) - self.position

    def skip(self) -> None:
        """Passes the next record. Raises ``RecordError``."""
        start = self.position
        length = self._record_length()
        body = self.position
        if not self.left:
            raise RecordError("attributes", body, "unexpected end: bytes needed: 1, left: 0")
        self.position += 1
        self._packed("timestamp_delta", 64)
        self._packed("offset_delta", 32)
        self._skip_bytes("key")
        self._skip_bytes("value")
        for _ in range(self._header_count()):
            self._skip_bytes("headers.key", nullable=False)
            self._skip_bytes("headers.value")
        taken = self.position - body
        if taken != length:
            raise RecordError("length", start, f"the record has {length} bytes, but its parts take {taken}")

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
        if self._headers > self._max_headers:
            reason = f"the batch has more than {self._max_headers} headers; to allow more, pass max_records=..."
            raise RecordError("headers", start, reason)
        return count

    def _skip_bytes(self, part: str, *, nullable: bool = True) -> None:
        """A length and bytes; Kafka reads any negative length as null."""
        start = self.position
        length = self._packed(part, 32)
        if length < 0 and not nullable:
            raise RecordError(part, start, "null is not allowed here")
        self._check_announced(part, start, length)
        self.position += max(length, 0)

    def _check_announced(self, part: str, start: int, length: int) -> None:
        if length > self.left:
            raise RecordError(part, start, f"invalid number of bytes, {length}; bytes left: {self.left}")

    def _packed(self, part: str, bits: int) -> int:
        """A zig-zag varint of a signed value of ``bits`` bits."""
        data, start, position = self._data, self.position, self.position
        value = shift = 0
        while True:
            if position == len(data):
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
