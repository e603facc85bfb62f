"""Logs of numbered messages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from messagegen_kafka import OffsetCommitValue
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment

VERSION = 3
_PER_BATCH = 100


def commit(number: int) -> bytes:
    """Return a message with a number of its own."""
    value = OffsetCommitValue(offset=number, metadata=f"m{number}", commit_timestamp=TIME + number)
    return value.encode(version=VERSION)


def write_commits(folder: Path, records: int, *, segment_records: int = 10_000, bad: Iterable[int] = ()) -> None:
    """Write a partition with segments of messages, numbered by offset; messages at ``bad`` offsets are cut short."""
    wrong = frozenset(bad)
    values = [commit(number)[:-3] if number in wrong else commit(number) for number in range(records)]
    for first in range(0, records, segment_records):
        last = min(first + segment_records, records)
        batches = [
            Batch(base, [Data(value) for value in values[base : min(base + _PER_BATCH, last)]]).encode()
            for base in range(first, last, _PER_BATCH)
        ]
        write_segment(folder, first, batches)
