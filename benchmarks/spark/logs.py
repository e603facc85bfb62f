"""Log segments of every codec, and how fast one core turns them into Arrow columns, beside other readers.

``python -m benchmarks.spark.logs FOLDER ROUNDS`` prints one JSON line.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from benchmarks.measures import Measure
from benchmarks.processes import run_python
from benchmarks.spark.names import (
    AIOKAFKA,
    AIOKAFKA_OBJECTS,
    ALL_COLUMNS,
    CODECS,
    FIVE_COLUMNS,
    KAFKA_PYTHON_RECORDS,
    LOGS,
    OFFSETS,
)
from messagegen_arrow import read_log
from messagegen_arrow.engine import native_engine

_COLUMNS: Final = ("offset", "timestamp", "key", "value", "headers")
_TYPES: Final = (
    pa.int64(),
    pa.int64(),
    pa.binary(),
    pa.binary(),
    pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())])),
)
_RECORDS: Final = 400_000
_RECORDS_A_BATCH: Final = 200
_FEW: Final = 20_000
"""So many records are read by what takes seconds for all."""
_START: Final = 1_700_000_000_000


def log_folder(folder: Path, codec: str) -> Path:
    """The folder of the one partition with that codec."""
    return folder / "logs" / f"records-{codec}-0"


def record_count(folder: Path) -> int:
    """How many records each partition has."""
    return int((folder / "logs" / "count").read_text(encoding="ascii"))


def write_logs(folder: Path, scale: float) -> None:
    """Writes a segment for each codec: records of about 100 bytes, 200 to a batch, by aiokafka's batch builder."""
    count = max(_FEW, int(_RECORDS * scale))
    for codec in range(len(CODECS)):
        path = log_folder(folder, CODECS[codec])
        path.mkdir(parents=True)
        with (path / f"{0:020}.log").open("wb") as segment:
            for base in range(0, count, _RECORDS_A_BATCH):
                segment.write(_batch(codec, base))
    (folder / "logs" / "count").write_text(str(count), encoding="ascii")


def _batch(codec: int, base: int) -> bytes:
    builder = import_module("aiokafka.record._crecords").DefaultRecordBatchBuilder(
        magic=2,
        compression_type=codec,
        is_transactional=0,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        batch_size=1 << 30,
    )
    # The same records for every codec, and words that repeat, as records do.
    chance = random.Random(base)  # noqa: S311 - data, no secrets
    for number in range(_RECORDS_A_BATCH):
        words = b"|".join(_WORDS[chance.randrange(len(_WORDS))] for _ in range(6))
        value = b"%b|%012d" % (words, chance.randrange(10**12))
        builder.append(number, _START + base + number, b"user-%08d" % chance.randrange(10**8), value, [])
    batch = bytearray(builder.build())
    batch[:8] = base.to_bytes(8, "big")
    return bytes(batch)


_WORDS: Final = [random.Random(word).randbytes(5).hex().encode() for word in range(500)]  # noqa: S311 - data


def measure(folder: Path, rounds: int) -> list[Measure]:
    """Seconds by codec and contestant, in a process of its own, everybody in turn in each round."""
    found = json.loads(run_python("-m", "benchmarks.spark.logs", str(folder), str(rounds), pure=False))
    return [Measure.of((LOGS, codec, contestant), amount, seconds) for codec, contestant, amount, seconds in found]


def measure_here(folder: Path, rounds: int) -> list[tuple[str, str, int, list[float]]]:
    """Codec, contestant, records and the seconds of each round, for this process."""
    found: list[tuple[str, str, int, list[float]]] = []
    count = record_count(folder)
    for codec in CODECS:
        (segment,) = log_folder(folder, codec).glob("*.log")
        data = segment.read_bytes()
        few = data[: _size_of_first(data, _FEW)]
        readers: dict[str, tuple[Callable[[Any], int], Any, int]] = {
            name: (read, segment, count) for name, read in OURS.items()
        }
        readers |= {name: (read, data, count) for name, read in _QUICK.items()}
        readers |= {name: (read, few, _FEW) for name, read in _SLOW.items()}
        seconds: defaultdict[str, list[float]] = defaultdict(list)
        for _ in range(rounds):
            for name, (read, of, expected) in readers.items():
                seconds[name].append(_timed(read, of, expected))
        found += [(codec, name, expected, seconds[name]) for name, (_, _, expected) in readers.items()]
    return found


def _timed(read: Callable[[Any], int], data: Any, expected: int) -> float:
    start = time.perf_counter()
    records = read(data)
    seconds = time.perf_counter() - start
    if records != expected:
        raise ValueError(f"{records} records were read, not {expected}")
    return seconds


def _size_of_first(data: bytes, records: int) -> int:
    position = 0
    for _ in range(0, records, _RECORDS_A_BATCH):
        position += 12 + int.from_bytes(data[position + 8 : position + 12], "big")
    return position


def _drained(segment: Path, *columns: str) -> int:
    log = read_log(segment, columns=columns) if columns else read_log(segment)
    return sum(len(table) for table in log)


def _five_columns(segment: Path) -> int:
    return _drained(segment, *_COLUMNS)


def _offsets(segment: Path) -> int:
    return _drained(segment, "offset")


def _aiokafka_records(data: bytes) -> Any:
    batches = import_module("aiokafka.record._crecords").MemoryRecords(data)
    while batches.has_next():
        batch = batches.next_batch()
        if not batch.validate_crc():
            raise ValueError("a checksum is wrong")
        yield from batch


def _kafka_python_records(data: bytes) -> Any:
    batches = import_module("kafka.record").MemoryRecords(data)
    while batches.has_next():
        batch = batches.next_batch()
        if not batch.validate_crc():
            raise ValueError("a checksum is wrong")
        yield from batch


def _to_arrow(records: Any) -> int:
    """Objects to the same five columns, 32,768 at a time as in the reader of logs."""
    count = 0
    records = iter(records)
    while part := list(islice(records, 32_768)):
        columns = (
            [record.offset for record in part],
            [record.timestamp for record in part],
            [record.key for record in part],
            [record.value for record in part],
            [[{"key": key, "value": value} for key, value in record.headers] for record in part],
        )
        arrays = [pa.array(column, type_) for column, type_ in zip(columns, _TYPES, strict=True)]
        count += len(pa.RecordBatch.from_arrays(arrays, _COLUMNS))
    return count


OURS: Final[dict[str, Callable[[Path], int]]] = {
    ALL_COLUMNS: _drained,
    FIVE_COLUMNS: _five_columns,
    OFFSETS: _offsets,
}
"""How the pipeline reads; each gives the number of records."""

_QUICK: Final = {
    AIOKAFKA: lambda data: _to_arrow(_aiokafka_records(data)),
    AIOKAFKA_OBJECTS: lambda data: sum(1 for _ in _aiokafka_records(data)),
}
_SLOW: Final = {
    KAFKA_PYTHON_RECORDS: lambda data: _to_arrow(_kafka_python_records(data)),
}


def main() -> None:
    """Prints what ``measure`` reads; the arguments are the folder of ``write_logs`` and the number of rounds."""
    if native_engine() is None:
        raise SystemExit("error: the native engine is not installed: `make bench-spark` builds it where cargo is")
    found = measure_here(Path(sys.argv[1]), int(sys.argv[2]))
    print(json.dumps(found))  # noqa: T201 - the numbers are what the process is for


if __name__ == "__main__":
    main()
