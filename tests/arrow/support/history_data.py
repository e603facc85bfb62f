"""Logs for histories: rows in memory, and folders with a record every second."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pyarrow as pa

import messagegen_kafka as kafka
from tests.arrow.support.internal_records import OFFSETS, Record, coordinator_record, metadata_record
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment

EPOCH = datetime.fromtimestamp(0, UTC)
ORDERS, PAYMENTS = UUID(int=1), UUID(int=2)
ORDERS_ID, PAYMENTS_ID = "AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAg"

_LOG = pa.schema(
    [
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("offset", pa.int64()),
        ("timestamp", pa.timestamp("us", "UTC")),
        ("key", pa.binary()),
        ("value", pa.binary()),
        ("isControl", pa.bool_()),
        ("path", pa.string()),
    ]
)


def at_second(seconds: int) -> datetime:
    return EPOCH + timedelta(seconds=seconds)


def log_rows(
    records: Sequence[Record], path: str = "/data/x-0/00000000000000000000.log", start: int = 0, *, batch: int = 2
) -> pa.Table:
    """Return rows of the file ``path``, in batches: a record every second, from offset ``start`` on."""
    rows = [
        (each.topic, 0, start + at, at_second(start + at), each.key, each.value, each.is_control, path)
        for at, each in enumerate(records)
    ]
    whole = pa.Table.from_pylist([dict(zip(_LOG.names, row, strict=True)) for row in rows], _LOG)
    return pa.Table.from_batches(whole.to_batches(max_chunksize=batch), _LOG)


def write_log(folder: Path, records: Sequence[Record], first: int = 0, *, name: str | None = None) -> Path:
    """Write a segment with a batch for each record, one every second; ``name`` is the file name."""
    batches = [
        Batch(
            offset, [Data(record.value, record.key)], base_timestamp=TIME + 1000 * offset, control=record.is_control
        ).encode()
        for offset, record in enumerate(records, start=first)
    ]
    path = write_segment(folder, first, batches)
    return path if name is None else path.rename(folder / name)


def second(number: int) -> datetime:
    """Return the time of the record with this offset."""
    return EPOCH + timedelta(milliseconds=TIME + 1000 * number)


def write_broker(folder: Path, *, damaged: bool = False) -> Path:
    """Write a small broker's logs: commits of a group that consumes ``orders``, metadata, and a transaction."""

    def commit(offset: int, at: int) -> Record:
        key = {"group": "billing", "topic": "orders", "partition": 0}
        value = kafka.OffsetCommitValue(offset=offset, commit_timestamp=TIME + 1000 * at)
        return coordinator_record(OFFSETS, "OffsetCommit", key, value, 3)

    def state(status: int) -> Record:
        value = kafka.TransactionLogValue(producer_id=7, transaction_status=status, transaction_timeout_ms=60_000)
        key = {"transactional_id": "ledger"}
        return coordinator_record("__transaction_state", "TransactionLog", key, value)

    group = coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, kafka.GroupMetadataValue(), 3)
    commits = [group, commit(2, at=4), commit(5, at=6), commit(9, at=20)]
    if damaged:
        commits.append(Record(OFFSETS, commits[1].key, (commits[1].value or b"")[:-1]))
    configs = [
        kafka.ConfigRecord(resource_type=2, resource_name="orders", name="retention.ms", value=value)
        for value in ("3600000", "7200000")
    ]
    topic = kafka.TopicRecord(name="orders", topic_id=ORDERS)
    write_log(folder / f"{OFFSETS}-0", commits)
    write_log(folder / "orders-0", [Record("orders", None, b"an order")] * 10)
    write_log(folder / "__cluster_metadata-0", [metadata_record(each) for each in (topic, *configs)])
    write_log(folder / "__transaction_state-0", [state(1), state(4)])
    return folder
