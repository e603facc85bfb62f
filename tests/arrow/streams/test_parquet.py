"""Streams can be written to Parquet files, which refuse a null in a field that is not nullable.

Messages that are null or malformed, and structs that are null, have fields without values.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from messagegen_arrow import (
    MessageTable,
    decode_internal_topics,
    decode_messages,
    from_kafka_frame,
    read_capture,
    read_log,
    read_messages,
)
from tests.arrow.support.broker_folder import write_capture, write_log_dir
from tests.arrow.support.messages import all_tables, random_bytes


def same_in_parquet(table: pa.Table) -> None:
    """Write a table, and compare the rows that are read back."""
    file = BytesIO()
    parquet.write_table(table, file)
    # Compared as text, because NaN does not equal itself.
    assert repr(parquet.read_table(file).to_pylist()) == repr(table.to_pylist())


def rows_of(table: MessageTable, seed: int) -> list[dict[str, Any]]:
    """Return messages in each version, including null and damaged messages."""
    random = Random(seed)
    rows: list[dict[str, Any]] = []
    for version in table.versions:
        data = random_bytes(random, table, version)
        values = [data, None, data + b"more than the message"]
        rows += [{"version": version, "value": value} for value in values]
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["PERMISSIVE", "DROPMALFORMED"])
def test_messages_of_all_kinds_survive_a_round_trip_through_parquet(mode: str) -> None:
    for table in all_tables():
        rows = pa.Table.from_pylist(rows_of(table, seed=3))
        for into in ("message", None):
            options: dict[str, Any] = {"unknown_tagged_fields": True, "include_secrets": True}
            decoded = decode_messages(rows, "value", table, "version", mode, into=into, keep=(), **options)
            same_in_parquet(pa.table(decoded))


@pytest.mark.slow
def test_messages_of_one_version_survive_a_round_trip_through_parquet() -> None:
    for table in all_tables():
        last = table.versions[-1]
        values = [row["value"] for row in rows_of(table, seed=4) if row["version"] == last]
        same_in_parquet(pa.table(read_messages(values, table, last)))


def test_internal_topics_survive_a_round_trip_through_parquet(tmp_path: Path) -> None:
    log = write_log_dir(tmp_path / "data")
    types = ["OffsetCommit", "GroupMetadata", "ConsumerGroupMetadata"]
    same_in_parquet(pa.table(decode_internal_topics(read_log(log, topics="__consumer_offsets"), types)))


@pytest.mark.parametrize("message", ["MetadataResponse", None])
def test_frames_survive_a_round_trip_through_parquet(tmp_path: Path, message: str | None) -> None:
    capture = write_capture(tmp_path / "a.pcap")
    same_in_parquet(pa.table(from_kafka_frame(read_capture(capture), message)))
