"""Kafka's own classes write batches that we read, and read the batches that the other tests make."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.native.record_batches import (
    CODECS,
    LOG_APPEND_TIME,
    TRANSACTIONAL,
    Batch,
    Record,
    in_order,
    log,
)
from tests.native.record_logs import read
from tests.oracle.jars import compiled_classes, java_command, run

pytestmark = pytest.mark.java

Row = dict[str, Any]
Kafka = Callable[[str, Path], list[Row]]


@pytest.fixture(scope="module")
def kafka() -> Kafka:
    """Runs ``RecordBatches.java``; gives the lines that it prints."""
    classes = compiled_classes("record-batches", [Path(__file__).parent / "java" / "RecordBatches.java"])

    def ask(verb: str, file: Path) -> list[Row]:
        out = run(java_command("RecordBatches", verb, str(file), classes=[classes]), "RecordBatches")
        return [json.loads(line) for line in out.splitlines()]

    return ask


def in_hex(row: Row) -> Row:
    """A row of ours as Java's lines are written."""
    headers = [{"key": header["key"].encode().hex(), "value": as_hex(header["value"])} for header in row["headers"]]
    plain = {re.sub("[A-Z]", lambda big: f"_{big[0].lower()}", name): value for name, value in row.items() if name != "_error"}
    return {**plain, "key": as_hex(row["key"]), "value": as_hex(row["value"]), "headers": headers}


def as_hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def test_what_kafka_writes_is_read_as_kafka_reads_it(kafka: Kafka, tmp_path: Path) -> None:
    kafka("write", tmp_path / "log")
    expected = kafka("read", tmp_path / "log")
    assert {row["codec"] for row in expected} == {*CODECS}
    assert {row["is_control"] for row in expected} == {row["timestamp_type"] == 1 for row in expected} == {True, False}
    found = read((tmp_path / "log").read_bytes())
    assert all(row["_error"] is None for row in found)
    assert [in_hex(row) for row in found] == expected


def test_kafka_reads_the_batches_of_the_tests(kafka: Kafka, tmp_path: Path) -> None:
    random = Random(11)
    made = []
    for number in range(40):
        records, delta = [], 0
        for _ in range(random.randrange(1, 30)):
            headers = tuple((b"h%d" % index, random.choice([None, b"", b"v"])) for index in range(random.randrange(3)))
            key, value = (random.choice([None, random.randbytes(random.randrange(99))]) for _ in "kv")
            records.append(Record(delta, random.randrange(-(1 << 35), 1 << 35), key, value, headers))
            delta += random.randrange(1, 1_000)
        codec = CODECS[number % 5]
        attributes = random.choice([0, LOG_APPEND_TIME, TRANSACTIONAL])
        sequence = random.choice([-1, 0, (1 << 31) - 9])
        batch = Batch(tuple(records), codec=codec, attributes=attributes, producer_id=7, base_sequence=sequence)
        # Kafka reads snappy in snappy-java's frame and without.
        made.append(replace(batch, producer_epoch=1, snappy_block=random.choice([0, 50, 1 << 15])))
    data, expected = log(in_order(made))
    (tmp_path / "log").write_bytes(data)
    assert kafka("read", tmp_path / "log") == [in_hex(row) for row in expected]
