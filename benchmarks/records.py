"""Measures record batches, objects to bytes and back, with messagegen and other Python libraries.

``python -m benchmarks.records`` prints one line of JSON: microseconds of CPU time per batch, by operation and workload,
and by library. ``MESSAGEGEN_PURE`` selects messagegen's engine, and disables aiokafka's extension. All libraries take
turns in one process.
"""

from __future__ import annotations

import gc
import io
import json
import math
import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import Any, Final

from benchmarks.processes import AIOKAFKA, KAFKA_PYTHON, KIO, NATIVE, PURE, has_native, run_python

AIOKAFKA_PURE: Final = "aiokafka without its extension"
PURE_PEERS: Final = (KAFKA_PYTHON, AIOKAFKA_PURE, KIO)
"""The other libraries that are pure Python, apart from the checksum."""

_SECONDS: Final = 6.0
_BASE: Final = 1_700_000_000_000
_MAGIC: Final = 2
_BYTES: Final = 1 << 24

Row = tuple[int, bytes, bytes, list[tuple[str, bytes]]]
Calls = dict[str, Callable[[], object]]

_HEADERS: Final = [("trace", b"0123456789abcdef"), ("kind", b"reading")]
_WORKLOADS: Final[dict[str, list[Row]]] = {
    "1 record of 1 kB": [(_BASE, b"k" * 10, b"v" * 1000, [])],
    "200 records of 100 B": [(_BASE + 7 * index, b"key%05d" % index, b"v" * 100, []) for index in range(200)],
    "200 records with 2 headers": [
        (_BASE + 7 * index, b"key%05d" % index, b"v" * 100, _HEADERS) for index in range(200)
    ],
}


def measure() -> dict[str, dict[str, float]]:
    """Return the microseconds of the best call, by "operation, workload" and by library."""
    found: dict[str, dict[str, float]] = {}
    for pure in (True, False) if has_native() else (True,):
        times = json.loads(run_python("-m", "benchmarks.records", pure=pure))
        for what, by_library in times.items():
            row = found.setdefault(what, {})
            for library, microseconds in by_library.items():
                row[library] = min(microseconds, row.get(library, math.inf))
    return found


def _ours(rows: list[Row]) -> tuple[Calls, bytes]:
    kafka: Any = import_module("messagegen_kafka")
    records = [
        kafka.Record(
            timestamp=timestamp,
            key=key,
            value=value,
            headers=tuple(kafka.RecordHeader(key=name, value=content) for name, content in headers),
        )
        for timestamp, key, value, headers in rows
    ]
    batch = kafka.RecordBatch.of(records)
    data: bytes = batch.to_bytes()
    return {"encode": batch.to_bytes, "decode": lambda: list(kafka.read_records(data))}, data


def _kafka_python(rows: list[Row], data: bytes) -> Calls:
    memory: Any = import_module("kafka.record.memory_records")

    def encode() -> bytes:
        builder = memory.MemoryRecordsBuilder(magic=_MAGIC, compression_type=0, batch_size=_BYTES)
        for timestamp, key, value, headers in rows:
            builder.append(timestamp, key, value, headers)
        builder.close()
        return bytes(builder.buffer())

    return {"encode": encode, "decode": partial(_read, memory, data)}


def _aiokafka(rows: list[Row], data: bytes) -> Calls:
    memory: Any = import_module("aiokafka.record.memory_records")
    default: Any = import_module("aiokafka.record.default_records")

    def encode() -> bytes:
        builder = default.DefaultRecordBatchBuilder(
            magic=_MAGIC,
            compression_type=0,
            is_transactional=0,
            producer_id=-1,
            producer_epoch=-1,
            base_sequence=-1,
            batch_size=_BYTES,
        )
        for offset, (timestamp, key, value, headers) in enumerate(rows):
            builder.append(offset, timestamp, key, value, headers)
        return bytes(builder.build())

    return {"encode": encode, "decode": partial(_read, memory, data)}


def _read(memory: Any, data: bytes) -> list[Any]:
    """Return the records in ``data``. kafka-python and aiokafka need the same calls."""
    records, found = memory.MemoryRecords(data), []
    while (batch := records.next_batch()) is not None:
        assert batch.validate_crc()
        found += list(batch)
    return found


def _kio(rows: list[Row], data: bytes) -> Calls:
    schema: Any = import_module("kio.records.schema")
    readers: Any = import_module("kio.records.readers")
    writers: Any = import_module("kio.records.writers")
    records = tuple(
        schema.Record(
            attributes=0,
            timestamp=datetime.fromtimestamp(timestamp / 1000, UTC),
            offset=offset,
            key=key,
            value=value,
            headers=tuple(schema.RecordHeader(key=name.encode(), value=content) for name, content in headers),
        )
        for offset, (timestamp, key, value, headers) in enumerate(rows)
    )
    batch = schema.NewRecordBatch(producer_id=-1, producer_epoch=-1, base_sequence=-1, records=records, attributes=0)

    def encode() -> bytes:
        buffer = io.BytesIO()
        writers.write_new_batch(buffer, batch)
        return buffer.getvalue()

    return {"encode": encode, "decode": lambda: readers.read_batch(data, 0)[0]}


def _contestants(rows: list[Row]) -> Iterator[tuple[str, Calls]]:
    pure = bool(os.environ.get("MESSAGEGEN_PURE"))
    if pure:
        os.environ["AIOKAFKA_NO_EXTENSIONS"] = "1"
    ours, data = _ours(rows)
    yield PURE if pure else NATIVE, ours
    yield KAFKA_PYTHON, _kafka_python(rows, data)
    yield AIOKAFKA_PURE if pure else AIOKAFKA, _aiokafka(rows, data)
    yield KIO, _kio(rows, data)


def _best(calls: Calls) -> dict[str, float]:
    """Return the CPU time of the best sample of each call, in microseconds. The calls take turns."""
    best: dict[str, float] = dict.fromkeys(calls, math.inf)
    loops = {name: _loops(call) for name, call in calls.items()}
    deadline = time.perf_counter() + _SECONDS
    gc.disable()
    while time.perf_counter() < deadline:
        for name, call in calls.items():
            start = time.process_time_ns()
            for _ in range(loops[name]):
                call()
            best[name] = min(best[name], (time.process_time_ns() - start) / loops[name] / 1000)
    gc.enable()
    return best


def _loops(call: Callable[[], object]) -> int:
    """Return the number of calls that take about 10 ms after a warm-up."""
    call()
    start = time.process_time_ns()
    call()
    return max(1, 10_000_000 // max(time.process_time_ns() - start, 1))


def main() -> None:
    """Print the times."""
    found = {}
    for workload, rows in _WORKLOADS.items():
        contestants = dict(_contestants(rows))
        for operation in ("encode", "decode"):
            found[f"{operation}, {workload}"] = _best({name: calls[operation] for name, calls in contestants.items()})
    print(json.dumps(found))  # noqa: T201 - the numbers are what the process is for


if __name__ == "__main__":
    main()
