"""Writes a partition folder like a broker: segments with indexes, and snapshots of producer states.

It follows Kafka's formats (OffsetIndex, TimeIndex, TransactionIndex, ProducerStateManager), independently of our code.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

import crc32c

from tests.arrow.support.log_data import TIME, Batch, Data, marker


@dataclass(frozen=True)
class Logged:
    """An appended batch; ``commit`` is set for markers that end transactions."""

    base_offset: int
    count: int
    producer: int | None = None
    commit: bool | None = None
    time: int = TIME

    @property
    def next_offset(self) -> int:
        """The offset after the last record of the batch."""
        return self.base_offset + self.count


@dataclass
class _Segment:
    base_offset: int
    data: bytearray = field(default_factory=bytearray)
    offset_index: bytearray = field(default_factory=bytearray)
    time_index: bytearray = field(default_factory=bytearray)
    aborted: bytearray = field(default_factory=bytearray)
    max_time: int = -1
    max_time_offset: int = -1
    since_entry: int = 0


class BrokerLog:
    """Appends batches like a broker; ``write`` writes all files to the folder."""

    def __init__(self, folder: Path, *, interval: int = 4096) -> None:
        self.folder = folder
        self.interval = interval
        self.next_offset = 0
        self.logged: list[Logged] = []
        self.open: dict[int, int] = {}
        self.last: dict[int, int] = {}
        """The last offset of each producer's last batch of records."""
        self.segments = [_Segment(0)]
        self.snapshots: dict[int, bytes] = {}

    def data(self, count: int = 1, *, producer: int | None = None, time: int | None = None, size: int = 0) -> None:
        """Append a batch of records whose values are their offsets, in a transaction if ``producer`` is given."""
        base = self.next_offset
        moment = TIME + base if time is None else time
        records = [Data(str(base + index).encode().ljust(size)) for index in range(count)]
        batch = Batch(base, records, base_timestamp=moment)
        if producer is not None:
            self.open.setdefault(producer, base)
            self.last[producer] = base + count - 1
            batch = Batch(
                base, records, base_timestamp=moment, producer_id=producer, producer_epoch=0, transactional=True
            )
        self._append(Logged(base, count, producer, time=moment), batch.encode())

    def end(self, producer: int, *, commit: bool) -> None:
        """Append the marker that ends a transaction."""
        offset = self.next_offset
        first = self.open.pop(producer, None)
        if first is not None and not commit:
            stable = min(self.open.values(), default=offset + 1)
            self.segments[-1].aborted += struct.pack(">hqqqq", 0, producer, first, offset, stable)
        self._append(Logged(offset, 1, producer, commit), marker(offset, producer, commit=commit))

    def roll(self) -> None:
        """Start a new segment, unless the last segment is empty."""
        if self.segments[-1].data:
            self._finish(self.segments[-1])
            self.take_snapshot()
            self.segments.append(_Segment(self.next_offset))

    def take_snapshot(self) -> None:
        """Store the producers' current states, as a broker does at a new segment and at a clean shutdown."""
        entries = [
            struct.pack(">qhiqiqiq", each, 0, -1, last, 0, TIME, 0, self.open.get(each, -1))
            for each, last in self.last.items()
        ]
        entries.append(struct.pack(">qhiqiqiq", 1 << 40, 0, 0, 0, 0, TIME, 0, -1))
        body = struct.pack(">i", len(entries)) + b"".join(entries)
        self.snapshots[self.next_offset] = struct.pack(">hI", 1, crc32c.crc32c(body)) + body

    def write(self) -> Path:
        """Write all files, and return the folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for segment in self.segments:
            path = self.folder / f"{segment.base_offset:020}.log"
            is_last = segment is self.segments[-1]
            path.write_bytes(segment.data)
            path.with_suffix(".index").write_bytes(segment.offset_index + bytes(80 * is_last))
            path.with_suffix(".timeindex").write_bytes(segment.time_index + bytes(120 * is_last))
            if segment.aborted:
                path.with_suffix(".txnindex").write_bytes(segment.aborted)
        for offset, content in self.snapshots.items():
            (self.folder / f"{offset:020}.snapshot").write_bytes(content)
        return self.folder

    def _append(self, logged: Logged, data: bytes) -> None:
        segment = self.segments[-1]
        if logged.time > segment.max_time:
            segment.max_time, segment.max_time_offset = logged.time, logged.next_offset - 1
        if segment.since_entry > self.interval:
            entry = (logged.next_offset - 1 - segment.base_offset, len(segment.data))
            segment.offset_index += struct.pack(">ii", *entry)
            self._append_time(segment)
            segment.since_entry = 0
        segment.data += data
        segment.since_entry += len(data)
        self.logged.append(logged)
        self.next_offset = logged.next_offset

    @staticmethod
    def _append_time(segment: _Segment) -> None:
        entry = struct.pack(">qi", segment.max_time, segment.max_time_offset - segment.base_offset)
        if segment.max_time >= 0 and segment.time_index[-12:] != entry:
            segment.time_index += entry

    def _finish(self, segment: _Segment) -> None:
        self._append_time(segment)
