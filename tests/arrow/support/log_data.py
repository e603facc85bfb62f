"""Writes Kafka's log files byte by byte according to KIP-98, independently of our own code."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.native import record_batches
from tests.native.record_batches import Record

TIME = 1_700_000_000_000
BATCH = 61 + 3 * 8
"""The size of a batch from ``many_batches``, as long as numbers have one digit."""

Header = tuple[bytes, bytes | None]


@dataclass(frozen=True)
class Data:
    """A record; its offset and time are relative to its batch."""

    value: bytes | None = b"value"
    key: bytes | None = None
    headers: Sequence[Header] = ()
    timestamp_delta: int = 0
    offset_delta: int | None = None


@dataclass(frozen=True)
class Batch:
    """A record batch; the defaults match a producer without idempotence."""

    base_offset: int = 0
    records: Sequence[Data] = field(default_factory=lambda: [Data()])
    codec: str = "none"
    base_timestamp: int = TIME
    max_timestamp: int | None = None
    log_append_time: bool = False
    producer_id: int = -1
    producer_epoch: int = -1
    base_sequence: int = -1
    leader_epoch: int = 0
    transactional: bool = False
    control: bool = False
    xerial: bool = False

    def encode(self) -> bytes:
        """Return the bytes of the batch in a segment."""
        records = tuple(
            Record(
                index if one.offset_delta is None else one.offset_delta,
                one.timestamp_delta,
                one.key,
                one.value,
                tuple(one.headers),
            )
            for index, one in enumerate(self.records)
        )
        return record_batches.Batch(
            records,
            self.base_offset,
            self.codec,
            self.log_append_time << 3 | self.transactional << 4 | self.control << 5,
            self.base_timestamp,
            self.leader_epoch,
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
            1000 if self.xerial else 0,
            {} if self.max_timestamp is None else {"max_timestamp": self.max_timestamp},
        ).encoded


def marker(offset: int, producer_id: int, *, commit: bool) -> bytes:
    """Return the control batch that ends a transaction."""
    data = Data(key=struct.pack(">hh", 0, int(commit)), value=struct.pack(">hi", 0, 0))
    return Batch(offset, [data], producer_id=producer_id, producer_epoch=0, transactional=True, control=True).encode()


def write_segment(folder: Path, base_offset: int, batches: Iterable[bytes], *, tail: bytes = b"") -> Path:
    """Write a segment under the name that a broker uses."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{base_offset:020}.log"
    path.write_bytes(b"".join(batches) + tail)
    return path


def write_index(segment: Path, entries: Iterable[tuple[int, int]]) -> None:
    """Write an offset index like a broker: last offsets relative to the segment, positions, and free space."""
    data = b"".join(struct.pack(">ii", *entry) for entry in entries)
    segment.with_suffix(".index").write_bytes(data + bytes(80))


def many_batches(first: int, batches: int, *, size: int = 3, codec: str = "none") -> list[bytes]:
    """Return batches with consecutive offsets; the value of each record is its offset."""
    return [
        Batch(
            base,
            [Data(f"{base + index}".encode(), timestamp_delta=index) for index in range(size)],
            codec=codec,
            base_timestamp=TIME + base,
        ).encode()
        for base in range(first, first + batches * size, size)
    ]
