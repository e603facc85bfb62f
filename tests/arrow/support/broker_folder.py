"""Writes a small, intact broker folder and capture, for tests of streams and `messagegen-data dump`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from messagegen_kafka import OffsetCommitValue
from tests.arrow.support.capture_traffic import conversation, write_pcap
from tests.arrow.support.internal_records import Record, commit, group_record, scram_record
from tests.arrow.support.log_data import Batch, Data, write_segment

ORDERS = 6
"""The number of records in ``orders-0``; each value is an ``OffsetCommitValue`` in version 3 with its own offset."""
COMMITS = 3
FRAMES = 8


def order(offset: int) -> bytes:
    """Return a value in ``orders``."""
    return OffsetCommitValue(offset=offset, metadata=f"order {offset}", commit_timestamp=1).encode(version=3)


def write_orders(log_dir: Path, count: int = ORDERS, damaged: Iterable[int] = ()) -> Path:
    """Write the folder ``orders-0`` with a batch for each record; ``damaged`` batches have a wrong checksum."""
    batches = [Batch(offset, [Data(order(offset), b"k", [(b"h", b"x")])]).encode() for offset in range(count)]
    for offset in damaged:
        batches[offset] = batches[offset][:-1] + bytes([batches[offset][-1] ^ 1])
    return write_segment(log_dir / "orders-0", 0, batches).parent


def write_topic(log_dir: Path, records: Iterable[Record]) -> Path:
    """Write the folder of an internal topic, and return it."""
    chosen = list(records)
    batches = [Batch(offset, [Data(each.value, each.key)]).encode() for offset, each in enumerate(chosen)]
    return write_segment(log_dir / f"{chosen[0].topic}-0", 0, batches).parent


def write_log_dir(log_dir: Path) -> Path:
    """Write a folder with orders, commits, a tombstone, a group and a user, and return its path."""
    write_orders(log_dir)
    tombstone = Record("__consumer_offsets", commit().key, None)
    write_topic(log_dir, [*(commit(offset) for offset in range(COMMITS)), tombstone, group_record()])
    write_topic(log_dir, [scram_record()])
    return log_dir


def write_capture(path: Path) -> Path:
    """Write a capture with Metadata requests and responses, and return it."""
    return write_pcap(path, conversation(FRAMES // 2))
