"""Record batches of other libraries are read, and ours by them; each is skipped where it is not installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from messagegen_kafka import Record, RecordBatch, RecordHeader, read_records
from tests.runtime.records.made import CODECS

Row = tuple[int, bytes | None, bytes | None, list[tuple[str, bytes | None]]]

ROWS: list[Row] = [
    (1_700_000_000_000, b"key", b"value " * 50, [("trace", b"1"), ("é", b"")]),
    (1_700_000_000_900, None, b"", []),
    (1_700_000_099_000, b"", None, []),
]
HAS_KIO = find_spec("kio") is not None

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # by kafka-python
CODEC_ROWS = [*enumerate(CODECS)]

libraries = pytest.mark.parametrize(
    "library",
    [
        pytest.param(name, marks=pytest.mark.skipif(find_spec(module) is None, reason=f"{name} is not installed"))
        for name, module in (("kafka-python", "kafka"), ("aiokafka", "aiokafka"))
    ],
)


def records(magic: int) -> tuple[Record, ...]:
    return tuple(
        Record(
            offset=offset,
            timestamp=timestamp if magic else -1,
            key=key,
            value=value,
            headers=tuple(RecordHeader(key=name, value=content) for name, content in headers) if magic == 2 else (),
        )
        for offset, (timestamp, key, value, headers) in enumerate(ROWS)
    )


def write(library: str, magic: int, codec: int) -> bytes:
    """The rows as a library writes them."""
    if library == "kafka-python":
        memory = import_module("kafka.record.memory_records")
        builder = memory.MemoryRecordsBuilder(magic=magic, compression_type=codec, batch_size=1 << 20)
        for timestamp, key, value, headers in ROWS:
            builder.append(timestamp if magic else None, key, value, headers if magic == 2 else [])
        builder.close()
        return bytes(builder.buffer())
    default = import_module(f"aiokafka.record.{'default' if magic == 2 else 'legacy'}_records")
    if magic < 2:
        builder = default.LegacyRecordBatchBuilder(magic=magic, compression_type=codec, batch_size=1 << 20)
        for offset, (timestamp, key, value, _) in enumerate(ROWS):
            builder.append(offset, timestamp if magic else None, key, value)
        return bytes(builder.build())
    builder = default.DefaultRecordBatchBuilder(2, codec, 0, -1, -1, -1, 1 << 20)
    for offset, (timestamp, key, value, headers) in enumerate(ROWS):
        builder.append(offset, timestamp, key, value, headers)
    return bytes(builder.build())


def read(library: str, data: bytes) -> list[Row]:
    """The rows as a library reads them."""
    name = "kafka" if library == "kafka-python" else "aiokafka"
    memory: Callable[[bytes], Any] = import_module(f"{name}.record.memory_records").MemoryRecords
    reader, found = memory(data), []
    while (batch := reader.next_batch()) is not None:
        assert batch.validate_crc()
        found += [(one.timestamp, one.key, one.value, list(one.headers)) for one in batch]
    return found


@libraries
@pytest.mark.parametrize(("number", "codec"), CODEC_ROWS)
def test_batches(library: str, number: int, codec: str) -> None:
    (batch,) = read_records(write(library, 2, number))
    assert (batch.records, batch.compression, batch.max_timestamp) == (records(2), codec, ROWS[2][0])
    ours = RecordBatch.of(records(2), compression=codec)  # type: ignore[arg-type]
    assert read(library, ours.to_bytes()) == ROWS


@libraries
@pytest.mark.parametrize("magic", [0, 1])
@pytest.mark.parametrize(("number", "codec"), CODEC_ROWS[:4])
def test_message_sets(library: str, magic: int, number: int, codec: str) -> None:
    try:
        data = write(library, magic, number)
    except Exception as error:
        if type(error).__name__ == "UnsupportedCodecError":
            pytest.skip(f"{library} does not write it: {error}")
        raise
    batches = [*read_records(data)]
    assert tuple(record for batch in batches for record in batch.records) == records(magic)
    assert {(batch.magic, batch.compression) for batch in batches} == {(magic, codec)}


@pytest.mark.skipif(not HAS_KIO, reason="kio is not installed")
def test_kio() -> None:
    kio: Any = import_module("kio.records.readers")
    data = RecordBatch.of(records(2)).to_bytes()
    batch, size = kio.read_batch(data, 0)
    assert size == len(data)
    assert [(one.key, one.value) for one in batch.records] == [(key, value) for _, key, value, _ in ROWS]
    assert [len(one.headers) for one in batch.records] == [2, 0, 0]
