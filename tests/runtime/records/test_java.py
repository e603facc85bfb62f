"""We read what Kafka's own classes write, and they read what we write, with each kind of compression."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from messagegen_kafka import (
    ControlRecord,
    EndTxnMarker,
    LeaderChangeMessage,
    Record,
    RecordBatch,
    RecordHeader,
    read_records,
)
from tests.oracle.jars import compiled_classes, java_command, run
from tests.runtime.records.engines import ENGINES, running
from tests.runtime.records.made import CODECS, outcomes

pytestmark = pytest.mark.java

Row = dict[str, Any]
SOURCE = Path(__file__).with_name("RecordBatches.java")


def kafka(verb: str, file: Path) -> list[Row]:
    classes = compiled_classes("record-batches", [SOURCE])
    out = run(java_command("RecordBatches", verb, str(file), classes=[classes]), "RecordBatches")
    return [json.loads(line) for line in out.splitlines()]


def as_hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def as_row(batch: RecordBatch, size: int) -> Row:
    """Return a batch in the form of Java's lines."""
    return {
        "base_offset": batch.base_offset,
        "magic": batch.magic,
        "compression": batch.compression,
        "timestamp_type": batch.timestamp_type,
        "is_transactional": batch.is_transactional,
        "is_control": batch.is_control,
        "partition_leader_epoch": batch.partition_leader_epoch,
        "producer_id": batch.producer_id,
        "producer_epoch": batch.producer_epoch,
        "base_sequence": batch.base_sequence,
        "last_offset": batch.last_offset,
        "max_timestamp": batch.max_timestamp,
        "size": size,
        "delete_horizon": batch.base_timestamp if batch.has_delete_horizon else None,
        "records": [
            {
                "offset": record.offset,
                "timestamp": record.timestamp,
                "key": as_hex(record.key),
                "value": as_hex(record.value),
                "headers": [{"key": one.key.encode().hex(), "value": as_hex(one.value)} for one in record.headers],
            }
            for record in batch.records
        ],
    }


def random_batches() -> list[RecordBatch]:
    random = Random(12)
    made = []
    for number in range(25):
        records = []
        for _ in range(random.randrange(1, 30)):
            key, value = (random.choice([None, random.randbytes(random.randrange(99)), bytes(70_000)]) for _ in "kv")
            headers = tuple(RecordHeader(key=f"é{index}", value=key) for index in range(random.randrange(3)))
            records.append(Record(timestamp=random.randrange(-1, 1 << 42), key=key, value=value, headers=headers))
        sequence = random.choice([-1, 0, (1 << 31) - 9])
        batch = RecordBatch.of(
            records,
            compression=CODECS[number % 5],
            base_offset=1000 * number,
            partition_leader_epoch=number,
            producer_id=-1 if sequence < 0 else 7,
            producer_epoch=1,
            base_sequence=sequence,
            is_transactional=sequence == 0,
            **random.choice([{}, {"has_delete_horizon": True, "base_timestamp": 1 << 40}]),
        )
        made.append(batch)
    abort = ControlRecord(type="ABORT", message=EndTxnMarker(coordinator_epoch=3)).to_record(timestamp=5)
    return [*made, RecordBatch.of([abort], is_control=True, is_transactional=True, producer_id=7, base_offset=90_000)]


@pytest.mark.slow
def test_kafka_reads_the_batches_of_each_engine(tmp_path: Path) -> None:
    made = random_batches()
    expected, data = [], b""
    for engine in ENGINES:
        with running(engine):
            for batch in made:
                written = batch.to_bytes()
                data += written
                expected.append(as_row(batch, len(written)))
    (tmp_path / "log").write_bytes(data)
    assert kafka("read", tmp_path / "log") == expected


@pytest.mark.slow
def test_each_engine_reads_the_batches_of_kafka(tmp_path: Path) -> None:
    kafka("write", tmp_path / "log")
    data = (tmp_path / "log").read_bytes()
    expected = kafka("read", tmp_path / "log")
    sizes = [row["size"] for row in expected]
    assert {row["compression"] for row in expected} == {*CODECS}
    for engine in ENGINES:
        with running(engine):
            *batches, stopped, position = outcomes(data)
            found = [as_row(batch, size) for batch, size in zip(batches, sizes, strict=True)]
            assert (found, stopped, position) == (expected, "end", len(data))
    marker, change = [ControlRecord.of(batch.records[0]) for batch in [*read_records(data)][-2:]]
    assert marker.type == "ABORT"
    assert isinstance(marker.message, EndTxnMarker)
    assert change.type == "LEADER_CHANGE"
    assert isinstance(change.message, LeaderChangeMessage)
    assert change.message.leader_id == 4
