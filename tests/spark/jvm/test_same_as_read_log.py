"""The source in the JVM and ``read_log`` return the same rows, because both use the engine's planner and reader."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from messagegen_arrow import read_log
from messagegen_kafka import OffsetCommitValue
from tests.arrow.log.old_messages import LINES
from tests.arrow.support.log_changes import cut_out, log_of, positions
from tests.arrow.support.log_data import Batch, Data, many_batches, marker, write_segment

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

pytestmark = pytest.mark.spark

Load = Callable[..., "DataFrame"]
Row = dict[str, Any]


def of_spark(load: Load, path: Path, shown: list[str], **options: str) -> list[Row]:
    rows = load(path, **options).select(*shown).collect()
    return sorted((plain(row.asDict(recursive=True)) for row in rows), key=str)


def of_read_log(path: Path, shown: list[str], **options: str) -> list[Row]:
    stream = read_log(path, columns=",".join(shown), **options).reader()
    return sorted((plain(row) for batch in stream for row in batch.to_pylist()), key=str)


def plain(row: Row) -> Row:
    return {name: bytes(value) if isinstance(value, bytearray) else value for name, value in row.items()}


RECORD = ["topic", "partition", "offset", "timestampType", "key", "value", "codec", "batchOffset", "_error", "_raw"]


def test_old_messages_and_damage_have_the_same_rows_as_in_read_log(load: Load, tmp_path: Path) -> None:
    for number, line in enumerate(LINES):
        write_segment(tmp_path / f"old-{number}", 100, [bytes.fromhex(line["hex"])])
    log = log_of(tmp_path / "cut-0", 3, 10)
    path = log.folder / f"{0:020}.log"
    places = positions(log, path)
    cut_out(path, places[30], places[33])
    write_segment(tmp_path / "pipe-0", 0, many_batches(0, 1))
    os.mkfifo(tmp_path / "pipe-0" / f"{3:020}.log")
    found = of_read_log(tmp_path, RECORD, mode="PERMISSIVE")
    errors = [row["_error"]["message"] for row in found if row["_error"]]
    assert len(errors) == 2
    assert len(found) == sum(len(line["rows"]) for line in LINES) + 118 + 3 + 2
    assert of_spark(load, tmp_path, RECORD, mode="PERMISSIVE") == found


def test_limits_refuse_the_same_messages_as_in_read_log(load: Load, tmp_path: Path) -> None:
    values = [Data(b"\0\0\0" + bytes([count]) + b"\0\1a" * count) for count in (1, 2)]
    write_segment(tmp_path / "requests-0", 0, [Batch(records=values).encode()])
    options = {"message": "MetadataRequest", "version": "0", "mode": "PERMISSIVE", "limits": "1,10000,32,1000000"}
    found = of_read_log(tmp_path, ["message", "_error"], **options)
    assert sorted(row["_error"] is None for row in found) == [False, True]
    assert of_spark(load, tmp_path, ["message", "_error"], **options) == found


@pytest.mark.parametrize("mode", ["PERMISSIVE", "DROPMALFORMED"])
@pytest.mark.parametrize("options", [{"version": "3"}, {}, {"version": "3", "names": "snake"}])
def test_messages_equal_the_messages_of_read_log(
    load: Load, tmp_path: Path, mode: str, options: dict[str, str]
) -> None:
    commits = [OffsetCommitValue(offset=number, metadata="m").encode(version=3) for number in range(3)]
    values = [*commits, b"\0\3" + commits[0], b"", None]
    write_segment(
        tmp_path / "commits-0",
        0,
        [Batch(records=[Data(value) for value in values]).encode(), marker(6, 5, commit=True)],
    )
    names = ["offset", "message", "isControl", "_error", "_raw"]
    all_options = {"message": "OffsetCommitValue", "includeControl": "true", "mode": mode, **options}
    found = of_read_log(tmp_path, names, **all_options)
    assert 0 < len([row for row in found if row["message"]]) < len(values)
    assert of_spark(load, tmp_path, names, **all_options) == found
