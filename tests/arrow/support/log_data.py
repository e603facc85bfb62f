"""Kafka's log files, written byte by byte after KIP-98, without any code of ours."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import crc32c
import pyarrow as pa

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
TIME = 1_700_000_000_000

Header = tuple[bytes, bytes | None]


@dataclass(frozen=True)
class Data:
    """A record; its offset and time are relative to those of the batch."""

    value: bytes | None = b"value"
    key: bytes | None = None
    headers: Sequence[Header] = ()
    timestamp_delta: int = 0
    offset_delta: int | None = None


@dataclass(frozen=True)
class Batch:
    """A record batch; the defaults are those of a producer without idempotence."""

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
        """The bytes as they lie in a segment."""
        deltas = [
            index if record.offset_delta is None else record.offset_delta for index, record in enumerate(self.records)
        ]
        plain = b"".join(_record(record, delta) for record, delta in zip(self.records, deltas, strict=True))
        payload = compressed(plain, self.codec, xerial=self.xerial)
        times = [self.base_timestamp + record.timestamp_delta for record in self.records]
        attributes = CODECS.index(self.codec) | self.log_append_time << 3 | self.transactional << 4 | self.control << 5
        checked = struct.pack(
            ">hiqqqhii",
            attributes,
            max(deltas, default=0),
            self.base_timestamp,
            max(times, default=-1) if self.max_timestamp is None else self.max_timestamp,
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
            len(self.records),
        )
        return framed(self.base_offset, self.leader_epoch, checked + payload)


def framed(base_offset: int, leader_epoch: int, checked: bytes) -> bytes:
    """A batch of magic 2 around what its checksum is of."""
    start = struct.pack(">qiibI", base_offset, len(checked) + 9, leader_epoch, 2, crc32c.crc32c(checked))
    return start + checked


def marker(offset: int, producer_id: int, *, commit: bool) -> bytes:
    """The control batch that ends a transaction."""
    data = Data(key=struct.pack(">hh", 0, int(commit)), value=struct.pack(">hi", 0, 0))
    return Batch(offset, [data], producer_id=producer_id, producer_epoch=0, transactional=True, control=True).encode()


def old_message(offset: int, magic: int = 1) -> bytes:
    """A message as brokers before 0.11 wrote it."""
    body = struct.pack(">bb", magic, 0) + (struct.pack(">q", TIME) if magic else b"") + struct.pack(">ii", -1, -1)
    return struct.pack(">qiI", offset, len(body) + 4, zlib.crc32(body)) + body


def varint(value: int) -> bytes:
    """A zig-zag varint."""
    bits = (value << 1) ^ (value >> 63)
    out = bytearray()
    while bits > 0x7F:
        out.append(bits & 0x7F | 0x80)
        bits >>= 7
    out.append(bits)
    return bytes(out)


def compressed(data: bytes, codec: str, *, xerial: bool = False) -> bytes:
    if codec == "none":
        return data
    if codec == "snappy" and xerial:
        blocks = [bytes(pa.compress(data[at : at + 1000], codec="snappy")) for at in range(0, len(data), 1000)]
        return b"\x82SNAPPY\0" + struct.pack(">ii", 1, 1) + b"".join(struct.pack(">i", len(b)) + b for b in blocks)
    return bytes(pa.compress(data, codec=codec))


def write_segment(folder: Path, base_offset: int, batches: Iterable[bytes], *, tail: bytes = b"") -> Path:
    """A segment with the name that a broker gives it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{base_offset:020}.log"
    path.write_bytes(b"".join(batches) + tail)
    return path


def many_batches(first: int, batches: int, *, size: int = 3, codec: str = "none") -> list[bytes]:
    """Batches with offsets one after the other, each record with its offset as value."""
    return [
        Batch(
            base,
            [Data(f"{base + index}".encode(), timestamp_delta=index) for index in range(size)],
            codec=codec,
            base_timestamp=TIME + base,
        ).encode()
        for base in range(first, first + batches * size, size)
    ]


def _record(record: Data, offset_delta: int) -> bytes:
    body = bytes(1) + varint(record.timestamp_delta) + varint(offset_delta) + _sized(record.key) + _sized(record.value)
    body += varint(len(record.headers)) + b"".join(_sized(key) + _sized(value) for key, value in record.headers)
    return varint(len(body)) + body


def _sized(data: bytes | None) -> bytes:
    return varint(-1) if data is None else varint(len(data)) + data
