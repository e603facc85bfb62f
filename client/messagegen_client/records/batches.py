"""Finds the first record at or after an offset in a Fetch response."""

from __future__ import annotations

from typing import NamedTuple

from messagegen_kafka import read_records


class RecordTime(NamedTuple):
    """The offset and the timestamp of a record, in milliseconds since 1970; -1 if it has none."""

    offset: int
    timestamp: int


def first_record(data: bytes | memoryview, offset: int) -> RecordTime | int | None:
    """The first record at or after ``offset``, without control records.

    If there is none, the offset after the last batch; ``None`` if ``data`` has no complete batch.

    Raises ``DecodeError`` and ``UnsupportedCompressionError`` (both are ``ValueError``).
    """
    behind: int | None = None
    for batch in read_records(data):
        behind = batch.last_offset + 1
        if behind <= offset or batch.is_control:
            continue
        for record in batch.records:
            if record.offset >= offset:
                return RecordTime(record.offset, record.timestamp)
    # A broker that sends earlier batches only must not lead back to them.
    return None if behind is None else max(behind, offset)
