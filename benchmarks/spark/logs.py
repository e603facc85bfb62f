"""Measures how fast one core converts log segments of each codec to Arrow columns, compared with other readers.

``python -m benchmarks.spark.logs FOLDER ROUNDS`` prints one line of JSON.
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
from messagegen_arrow import read_log
from messagegen_arrow.engine import native_engine

LOGS: Final = "logs"
CODECS: Final = ("none", "gzip", "snappy", "lz4", "zstd")
FIVE_COLUMNS: Final = "record reader, 5 columns"
AIOKAFKA: Final = "aiokafka, 5 columns"
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
_START: Final = 1_700_000_000_000


def log_folder(folder: Path, codec: str) -> Path:
    """Return the folder of the partition with records in ``codec``."""
    return folder / "logs" / f"records-{codec}-0"


def record_count(folder: Path) -> int:
    """Return the number of records in each partition."""
    return int((folder / "logs" / "count").read_text(encoding="ascii"))


def write_logs(folder: Path, scale: float) -> None:
    """Write a segment for each codec with aiokafka's batch builder: records of about 100 bytes, 200 in each batch."""
    count = max(_RECORDS_A_BATCH, int(_RECORDS * scale) // _RECORDS_A_BATCH * _RECORDS_A_BATCH)
    for codec in range(len(CODECS)):
        path = log_folder(folder, CODECS[codec])
        path.mkdir(parents=True)
        with (path / f"{0:020}.log").open("wb") as segment:
            for base in range(0, count, _RECORDS_A_BATCH):
                segment.write(_batch(codec, base))
    (folder / "logs" / "count").write_text(str(count), encoding="ascii")


def new_batch(codec: int = 0) -> Any:
    """Return aiokafka's builder of a batch. ``codec`` is a position in ``CODECS``."""
    return import_module("aiokafka.record._crecords").DefaultRecordBatchBuilder(
        magic=2,
        compression_type=codec,
        is_transactional=0,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        batch_size=1 << 30,
    )


def _batch(codec: int, base: int) -> bytes:
    builder = new_batch(codec)
    # Every codec gets the same records, which repeat words like real records.
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
    """Measure in a new process, and return the seconds by codec and contestant. All take turns in each round."""
    found = json.loads(run_python("-m", "benchmarks.spark.logs", str(folder), str(rounds), pure=False))
    return [Measure.of((LOGS, codec, contestant), amount, seconds) for codec, contestant, amount, seconds in found]


def measure_here(folder: Path, rounds: int) -> list[tuple[str, str, int, list[float]]]:
    """Measure in this process, and return the codec, contestant, number of records and seconds of each round."""
    found: list[tuple[str, str, int, list[float]]] = []
    count = record_count(folder)
    for codec in CODECS:
        (segment,) = log_folder(folder, codec).glob("*.log")
        seconds: defaultdict[str, list[float]] = defaultdict(list)
        for _ in range(rounds):
            for name, read in READERS.items():
                seconds[name].append(_timed(read, segment, count))
        found += [(codec, name, count, seconds[name]) for name in READERS]
    return found


def _timed(read: Callable[[Path], int], segment: Path, expected: int) -> float:
    start = time.perf_counter()
    records = read(segment)
    seconds = time.perf_counter() - start
    if records != expected:
        raise ValueError(f"{records} records were read, not {expected}")
    return seconds


def five_columns(segment: Path) -> int:
    """Read a segment with the pipeline, and return the number of records."""
    return sum(len(table) for table in read_log(segment, columns=_COLUMNS))


def _aiokafka_records(data: bytes) -> Any:
    batches = import_module("aiokafka.record._crecords").MemoryRecords(data)
    while batches.has_next():
        batch = batches.next_batch()
        if not batch.validate_crc():
            raise ValueError("a checksum is wrong")
        yield from batch


def _to_arrow(records: Any) -> int:
    """Convert records to the same five columns, 32,768 at a time like the pipeline's reader. Return their number."""
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


READERS: Final[dict[str, Callable[[Path], int]]] = {
    FIVE_COLUMNS: five_columns,
    AIOKAFKA: lambda segment: _to_arrow(_aiokafka_records(segment.read_bytes())),
}


def main() -> None:
    """Print the result of ``measure_here``. The arguments are the folder of ``write_logs`` and the number of rounds."""
    if native_engine() is None:
        raise SystemExit("error: the native engine is not installed: `make bench-spark` builds it where cargo is")
    found = measure_here(Path(sys.argv[1]), int(sys.argv[2]))
    print(json.dumps(found))  # noqa: T201 - the numbers are what the process is for


if __name__ == "__main__":
    main()
