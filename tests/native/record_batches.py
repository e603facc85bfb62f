"""Writes record batches of magic 2 (KIP-98) independently of our code, together with the rows of their log."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import Any, Final

from tests.support.varints import uvarint

try:
    pa: Any = import_module("pyarrow")
    crc32c: Any = import_module("crc32c")
except ImportError as error:
    # The benchmarks have both packages, but not pytest.
    import pytest

    pytest.skip(f"{error.name} is not installed: record batches are made with it", allow_module_level=True)

CODECS: Final = ("none", "gzip", "snappy", "lz4", "zstd")
"""The codecs, indexed by their numbers."""

COLUMNS: Final = [
    "offset",
    "timestamp",
    "timestampType",
    "key",
    "value",
    "headers",
    "leaderEpoch",
    "producerId",
    "producerEpoch",
    "sequence",
    "isTransactional",
    "isControl",
    "codec",
    "batchOffset",
    "batchPosition",
    "_error",
]

HEADER_SIZE: Final = 61
LOG_APPEND_TIME: Final = 0x08
TRANSACTIONAL: Final = 0x10
CONTROL: Final = 0x20


@dataclass(frozen=True)
class Record:
    offset_delta: int = 0
    timestamp_delta: int = 0
    key: bytes | None = None
    value: bytes | None = b"value"
    headers: tuple[tuple[bytes, bytes | None], ...] = ()

    @cached_property
    def encoded(self) -> bytes:
        body = bytearray(b"\0")
        body += varint(self.timestamp_delta) + varint(self.offset_delta) + sized(self.key) + sized(self.value)
        body += varint(len(self.headers))
        for key, value in self.headers:
            body += sized(key) + sized(value)
        return varint(len(body)) + bytes(body)


@dataclass(frozen=True)
class Batch:
    records: tuple[Record, ...] = (Record(),)
    base_offset: int = 0
    codec: str = "none"
    attributes: int = 0
    """The attribute bits, without the codec."""
    base_timestamp: int = 1_700_000_000_000
    leader_epoch: int = 3
    producer_id: int = -1
    producer_epoch: int = -1
    base_sequence: int = -1
    snappy_block: int = 0
    """The block size of snappy-java's frame in bytes; 0 means one block without a frame."""
    change: Mapping[str, Any] = field(default_factory=dict)
    """Wrong values for ``payload``, ``codec_number``, ``count``, ``crc``, ``last_offset_delta``, ``max_timestamp``."""

    @property
    def max_timestamp(self) -> int:
        return self.base_timestamp + max((record.timestamp_delta for record in self.records), default=-1)

    @property
    def last_offset_delta(self) -> int:
        return max((record.offset_delta for record in self.records), default=0)

    @cached_property
    def encoded(self) -> bytes:
        payload = self.change.get("payload", b"".join(record.encoded for record in self.records))
        checked: bytes = struct.pack(
            ">hiqqqhii",
            self.attributes | self.change.get("codec_number", CODECS.index(self.codec)),
            self.change.get("last_offset_delta", self.last_offset_delta),
            self.base_timestamp,
            self.change.get("max_timestamp", self.max_timestamp),
            self.producer_id,
            self.producer_epoch,
            self.base_sequence,
            self.change.get("count", len(self.records)),
        )
        checked += self.change.get("compressed", compress(self.codec, payload, self.snappy_block))
        crc = self.change.get("crc", crc32c.crc32c(checked))
        head: bytes = struct.pack(">qiibI", self.base_offset, len(checked) + 9, self.leader_epoch, 2, crc)
        return head + checked

    def rows(self, position: int) -> list[dict[str, Any]]:
        """Return the rows of a batch that begins at a position."""
        return [self._row(record, position) for record in self.records]

    def _row(self, record: Record, position: int) -> dict[str, Any]:
        appended = bool(self.attributes & LOG_APPEND_TIME)
        sequence = (self.base_sequence + record.offset_delta) % (1 << 31) if self.base_sequence >= 0 else -1
        return {
            "offset": self.base_offset + record.offset_delta,
            "timestamp": self.max_timestamp if appended else self.base_timestamp + record.timestamp_delta,
            "timestampType": int(appended),
            "key": record.key,
            "value": record.value,
            "headers": [{"key": key.decode(errors="replace"), "value": value} for key, value in record.headers],
            "leaderEpoch": self.leader_epoch,
            "producerId": self.producer_id,
            "producerEpoch": self.producer_epoch,
            "sequence": sequence,
            "isTransactional": bool(self.attributes & TRANSACTIONAL),
            "isControl": bool(self.attributes & CONTROL),
            "codec": self.codec,
            "batchOffset": self.base_offset,
            "batchPosition": position,
            "_error": None,
        }


def varint(value: int) -> bytes:
    """Return a zig-zag varint."""
    return uvarint((value << 1) ^ (value >> 63))


def sized(data: bytes | None) -> bytes:
    return varint(-1) if data is None else varint(len(data)) + data


def compress(codec: str, data: bytes, snappy_block: int = 0) -> bytes:
    if codec == "none":
        return data
    if codec == "gzip":
        return gzip.compress(data, mtime=0)
    if codec == "snappy" and snappy_block:
        blocks = [data[start : start + snappy_block] for start in range(0, len(data), snappy_block)]
        pieces = [compress("snappy", block) for block in blocks]
        framed = b"".join(struct.pack(">i", len(piece)) + piece for piece in pieces)
        return b"\x82SNAPPY\0" + struct.pack(">ii", 1, 1) + framed
    compressed: bytes = pa.compress(data, codec=codec, asbytes=True)
    return compressed


def log(batches: Sequence[Batch]) -> tuple[bytes, list[dict[str, Any]]]:
    """Return the bytes of batches with ascending offsets, and their rows."""
    data, rows = bytearray(), []
    for batch in batches:
        rows += batch.rows(len(data))
        data += batch.encoded
    return bytes(data), rows


def in_order(batches: Sequence[Batch]) -> list[Batch]:
    """Return the batches with the base offsets that they get in a log."""
    placed, offset = [], 0
    for batch in batches:
        placed.append(replace(batch, base_offset=offset))
        offset += batch.last_offset_delta + 1
    return placed
