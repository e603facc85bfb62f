"""Logs for the jobs of the pipeline, and what they should make of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds

from messagegen_kafka import OffsetCommitKey, OffsetCommitValue
from tests.arrow.support.log_data import TIME, Batch, Data, write_segment

VERSION = 3
_PER_BATCH = 100


def commit(number: int) -> bytes:
    """A message with a number of its own."""
    return OffsetCommitValue(offset=number, metadata=f"m{number}", commit_timestamp=TIME + number).encode(
        version=VERSION
    )


def write_commits(folder: Path, records: int, *, segment_records: int = 10_000, bad: Iterable[int] = ()) -> None:
    """A partition with segments of messages that are numbered by offset; those at ``bad`` offsets are cut short."""
    wrong = frozenset(bad)

    def value(number: int) -> bytes:
        return commit(number)[:-3] if number in wrong else commit(number)

    for first in range(0, records, segment_records):
        last = min(first + segment_records, records)
        batches = [
            Batch(base, [Data(value(number)) for number in range(base, min(base + _PER_BATCH, last))]).encode()
            for base in range(first, last, _PER_BATCH)
        ]
        write_segment(folder, first, batches)


def group_record(group: str, topic: str, partition: int, offset: int) -> Data:
    """A record of ``__consumer_offsets``."""
    key = b"\x00\x01" + OffsetCommitKey(group=group, topic=topic, partition=partition).encode(version=0)
    value = OffsetCommitValue(offset=offset, commit_timestamp=TIME + offset).encode(version=VERSION)
    return Data(VERSION.to_bytes(2, "big") + value, key)


def read_output(folder: Path) -> list[dict[str, Any]]:
    """All rows that a job wrote, in the order of topic, partition and offset; without Spark."""
    files = sorted(path for path in folder.rglob("*.parquet") if not _is_hidden(path.relative_to(folder)))
    table: pa.Table = ds.dataset(
        [str(path) for path in files], partition_base_dir=str(folder), partitioning="hive"
    ).to_table()
    rows: list[dict[str, Any]] = table.sort_by([("partition", "ascending"), ("offset", "ascending")]).to_pylist()
    return rows


def unit_names(folder: Path) -> list[str]:
    """The units that are done."""
    return sorted(path.name for path in folder.glob("unit=*"))


def written_job(folder: Path) -> Any:
    """What the output says of its job."""
    return json.loads((folder / "_job.json").read_text())


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(("_", ".")) for part in path.parts)
