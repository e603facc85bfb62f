"""In logs from a real broker, batches and records equal the output of DumpLogSegments and of a consumer."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.arrow.support.log_reading import Source, rows, tasks
from tests.broker import java
from tests.broker.fixtures import BusyBroker
from tests.broker.records import consume

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]

BATCH = re.compile(
    r"baseOffset: (?P<base>\d+) lastOffset: \d+ count: (?P<count>\S+) .*? position: (?P<position>\d+) .*?"
    r"compresscodec: (?P<codec>\w+) .*?isvalid: (?P<valid>\w+)"
)
RECORD = re.compile(
    r"\| offset: (?P<offset>\d+) (?:(?P<type>CreateTime|LogAppendTime): (?P<time>-?\d+)) keySize: (?P<key_size>-?\d+) "
    r"valueSize: (?P<value_size>-?\d+) sequence: (?P<sequence>-?\d+) headerKeys: \[(?P<headers>.*?)\](?P<rest>.*)",
    re.DOTALL,
)
EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True)
class Logs:
    """The folder of a stopped broker, the number of records of each topic, and the committed records of ``ledger``."""

    folder: Path
    records: int
    committed: list[tuple[int, int]]


@pytest.fixture(scope="module")
def logs(busy_broker: BusyBroker, tmp_path_factory: pytest.TempPathFactory) -> Logs:
    cluster, folder = busy_broker.cluster, tmp_path_factory.mktemp("logs") / "data"
    cluster.start_all()
    committed = [(each.partition, each.offset) for each in consume(cluster.bootstrap(), "ledger", 1, "read_committed")]
    cluster.stop()
    shutil.copytree(cluster.log_dir(), folder)
    return Logs(folder, busy_broker.records, sorted(committed))


def dumped(printed: str) -> list[dict[str, Any]]:
    """Return the output of DumpLogSegments for each record, together with its output for the batch."""
    batch: dict[str, str] = {}
    found: list[dict[str, Any]] = []
    for line in re.split(r"\n(?=\| offset:|baseOffset:)", printed):
        if match := BATCH.search(line):
            batch = match.groupdict()
            for flag in ("isTransactional", "isControl", "producerId", "producerEpoch", "partitionLeaderEpoch"):
                told = re.search(rf"{flag}: (\S+)", line)
                assert told is not None
                batch[flag] = told[1]
            assert batch["valid"] == "true"
        elif match := RECORD.match(line):
            found.append(batch | match.groupdict())
    return found


def as_dumped(row: dict[str, Any]) -> dict[str, Any]:
    """Return one of our rows in the form of DumpLogSegments."""

    def size(value: bytes | None) -> str:
        return "-1" if value is None else str(len(value))

    return {
        "base": str(row["batchOffset"]),
        "position": str(row["batchPosition"]),
        "codec": row["codec"],
        "isTransactional": str(row["isTransactional"]).lower(),
        "isControl": str(row["isControl"]).lower(),
        "producerId": str(row["producerId"]),
        "producerEpoch": str(row["producerEpoch"]),
        "partitionLeaderEpoch": str(row["leaderEpoch"]),
        "offset": str(row["offset"]),
        "type": ("CreateTime", "LogAppendTime")[row["timestampType"]],
        "time": str((row["timestamp"] - EPOCH) // timedelta(milliseconds=1)),
        "key_size": size(row["key"]),
        "value_size": size(row["value"]),
        "sequence": str(row["sequence"]),
        "headers": ",".join(header["key"] for header in row["headers"]),
    }


def test_every_record_of_every_log_equals_the_output_of_dump_log_segments(logs: Logs) -> None:
    files = sorted(file for pattern in ("*-*/*.log", "*-*/*.checkpoint") for file in logs.folder.glob(pattern))
    codecs, count = set(), 0
    for file, printed in java.dump_logs(files, "--print-data-log").items():
        expected = dumped(printed)
        found = rows(file, includeControl="true", mode="FAILFAST")
        ours = [as_dumped(row) for row in found]
        assert ours == [{key: told[key] for key in ours[0]} for told in expected], file
        for row, told in zip(found, expected, strict=True):
            if not row["isControl"] and not row["topic"].startswith("__"):
                key = "" if row["key"] is None else f" key: {row['key'].decode()}"
                value = "" if row["value"] is None else f" payload: {row['value'].decode()}"
                assert told["rest"].rstrip("\n") == key + value
        codecs |= {row["codec"] for row in found}
        count += len(found)
    assert codecs == {"none", "gzip", "snappy", "lz4", "zstd"}
    assert count > 9 * logs.records
    assert {file.suffix for file in files} == {".log", ".checkpoint"}


def test_committed_records_equal_the_records_of_a_consumer(logs: Logs) -> None:
    found = rows(logs.folder, topics="ledger", isolationLevel="read_committed")
    assert sorted((row["partition"], row["offset"]) for row in found) == logs.committed
    assert len(logs.committed) == logs.records * 4 // 6
    assert len(rows(logs.folder, topics="ledger")) == logs.records + 1


def test_the_index_of_a_broker_contains_batch_positions(logs: Logs) -> None:
    whole = rows(logs.folder / "__cluster_metadata-0")
    assert len(tasks(logs.folder / "__cluster_metadata-0", maxPartitionBytes="1000")) > 3
    assert rows(logs.folder / "__cluster_metadata-0", maxPartitionBytes="1000") == whole


def test_a_stream_over_the_folder_returns_the_same_records_as_a_query(logs: Logs) -> None:
    stream = Source(logs.folder, includeControl="true")
    offsets: dict[str, Any] = stream.initial()
    found: list[dict[str, Any]] = []
    while (end := json.loads(json.dumps(stream.latest(offsets, max_bytes=20_000)))) != offsets:
        for task in stream.tasks_between(offsets, end):
            found += [row for table in stream.read(task) for row in table.to_pylist()]
        offsets = end
    place = ("topic", "partition", "offset")
    expected = rows(logs.folder, includeControl="true")
    assert sorted(tuple(row[name] for name in place) for row in found) == sorted(
        tuple(row[name] for name in place) for row in expected
    )
