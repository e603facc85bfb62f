"""Both engines read back the batches that they have written."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given

from messagegen_kafka import EncodeError, Record, RecordBatch, RecordHeader, read_records
from tests.runtime.records.engines import ENGINES, engines, running
from tests.runtime.records.made import CODECS, batches
from tests.support.profiles import examples


@examples(120)
@given(batch=batches())
def test_written_records_are_read(batch: RecordBatch) -> None:
    written = []
    for engine in ENGINES:
        with running(engine):
            written.append(batch.to_bytes())
    # The engines may use different versions of a compressor, whose outputs differ.
    assert batch.compression != "none" or len(set(written)) == 1
    for engine in ENGINES:
        with running(engine):
            reader = read_records(b"".join(written))
            assert [*reader] == [batch] * len(written)
            assert (reader.stopped, reader.position) == ("end", sum(map(len, written)))


@engines
def test_a_batch_for_a_produce_request_is_read_back(engine: str) -> None:
    records = [Record(timestamp=time, value=b"v", offset=99) for time in (5, 9, 7)]
    with running(engine):
        batch = RecordBatch.of(records, base_offset=10, producer_id=4, producer_epoch=1, base_sequence=(1 << 31) - 2)
        (again,) = read_records(batch.to_bytes(), min_offset=12)
        assert [*read_records(batch.to_bytes(), min_offset=13)] == []
    assert again == batch
    assert hash(again) == hash(batch)
    assert [record.offset for record in again.records] == [10, 11, 12]
    assert (again.last_offset, again.base_timestamp, again.max_timestamp) == (12, 5, 9)
    assert copy.copy(batch) == pickle.loads(pickle.dumps(batch)) == batch
    with pytest.raises(ValueError, match="at least one record"):
        RecordBatch.of([])


@engines
def test_delete_horizons_and_append_times_are_read_back(engine: str) -> None:
    record = Record(timestamp=5, value=b"v")
    with running(engine):
        batch = RecordBatch.of([record], has_delete_horizon=True, base_timestamp=1_700)
        (again,) = read_records(batch.to_bytes())
        assert again == batch
        assert (again.has_delete_horizon, again.base_timestamp, again.records) == (True, 1_700, (record,))
        batch = RecordBatch.of([record, Record(timestamp=8)], timestamp_type="LogAppendTime")
        (again,) = read_records(batch.to_bytes())
    assert not again.has_delete_horizon
    assert [found.timestamp for found in again.records] == [8, 8]


@engines
def test_offsets_and_timestamps_beyond_64_bits_wrap_as_in_java(engine: str) -> None:
    highest = (1 << 63) - 1
    record = Record(offset=highest - 3, timestamp=highest, value=b"v")
    batch = RecordBatch(base_offset=highest - 3, base_timestamp=highest, max_timestamp=highest, records=(record,))
    with running(engine):
        data = bytearray(batch.to_bytes())
        data[0:8] = highest.to_bytes(8, "big")
        data[63] = data[64] = 2  # Encoded differences of 1.
        (again,) = read_records(bytes(data), check_crcs=False)
    assert (again.records[0].offset, again.records[0].timestamp) == (-(1 << 63), -(1 << 63))


class Odd:
    """An object of the wrong type, in place of bytes or a record."""

    def __len__(self) -> int:
        return 1


# Type checkers would refuse these invalid values.
batch_of: Any = RecordBatch
record_of: Any = Record
header_of: Any = RecordHeader

WRONG = [
    (batch_of(magic=1), "magic", "expected 2, got 1"),
    (batch_of(magic=2.0), "magic", "expected an int of 8 bits, got 2.0"),
    (batch_of(compression="brotli"), "compression", "expected one of none, gzip, snappy, lz4, zstd, got 'brotli'"),
    (batch_of(timestamp_type="NoTimestampType"), "timestamp_type", "expected one of CreateTime, LogAppendTime"),
    (batch_of(producer_epoch=1 << 15), "producer_epoch", "expected an int of 16 bits, got 32768"),
    (batch_of(base_offset=None), "base_offset", "expected an int of 64 bits, got None"),
    (batch_of(records="abc"), "records", "expected a tuple of Record, got 'abc'"),
    (batch_of(records=(Odd(),)), "records[0]", "expected a Record, got an object of type Odd"),
    (batch_of(records=(record_of(key="k"),)), "records[0].key", "expected bytes or None, got 'k'"),
    (batch_of(records=(record_of(), record_of(value=5))), "records[1].value", "expected bytes or None, got 5"),
    (
        batch_of(records=(record_of(offset=1 << 31),)),
        "records[0].offset",
        "whose difference from the batch's base offset fits in 32 bits, got 2147483648",
    ),
    (batch_of(records=(record_of(offset=1.5),)), "records[0].offset", "expected an int of 64 bits"),
    (batch_of(records=(record_of(timestamp=1 << 63),)), "records[0].timestamp", "got 9223372036854775808"),
    (batch_of(records=(record_of(headers=7),)), "records[0].headers", "expected a tuple of headers, got 7"),
    (batch_of(records=(record_of(headers=((b"k", b"v"),)),)), "records[0].headers[0]", "expected a RecordHeader, got"),
    (
        batch_of(records=(record_of(headers=(header_of(key=5),)),)),
        "records[0].headers[0].key",
        "expected a str, got 5",
    ),
    (
        batch_of(records=(record_of(headers=(header_of(key="\ud800"),)),)),
        "records[0].headers[0].key",
        "expected a str that is valid Unicode",
    ),
    (
        batch_of(records=(record_of(headers=(header_of(key="k", value="v"),)),)),
        "records[0].headers[0].value",
        "expected bytes or None, got 'v'",
    ),
]


@engines
@pytest.mark.parametrize(("batch", "path", "reason"), WRONG, ids=[f"{path}-{reason[:20]}" for _, path, reason in WRONG])
def test_unwritable_records_are_errors(engine: str, batch: RecordBatch, path: str, reason: str) -> None:
    with running(engine), pytest.raises(EncodeError) as caught:
        batch.to_bytes()
    assert (caught.value.path, reason in caught.value.reason) == (path, True)


@engines
@pytest.mark.parametrize("codec", CODECS)
def test_callers_can_pass_their_own_compression_functions(engine: str, codec: str) -> None:
    batch = RecordBatch.of([Record(value=b"v")], compression=codec)  # type: ignore[arg-type]
    with running(engine):
        data = batch.to_bytes(compressors={codec: lambda data: b"own" + data})
        reader = read_records(data, decompressors={codec: lambda data, _: data[3:]})
        assert codec == "none" or [*reader] == [batch]
