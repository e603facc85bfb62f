"""Memory does not grow with the input: the peak is the same after multiplying records, frames and messages by ten."""

from __future__ import annotations

import gc
import struct
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from messagegen_arrow import (
    ColumnStream,
    decode_internal_topics,
    decode_messages,
    from_kafka_frame,
    read_capture,
    read_log,
    read_messages,
)
from messagegen_arrow.capture import columns as capture_columns
from messagegen_arrow.streams import messages
from tests.arrow.support.broker_folder import order
from tests.arrow.support.capture_traffic import conversation, write_pcap
from tests.arrow.support.internal_records import commit
from tests.arrow.support.log_data import Batch, Data, write_segment

_BATCH = 100


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the size of the parts that are read at a time, so that small inputs have many parts."""
    monkeypatch.setattr(capture_columns, "_MOST_ROWS", 40)
    monkeypatch.setattr(messages, "_MOST_ROWS", 1000)


def write_log(folder: Path, batches: int, data: Data) -> Path:
    encoded = Batch(0, [data] * _BATCH).encode()
    # The checksum does not cover the base offset.
    return write_segment(folder, 0, (struct.pack(">q", n * _BATCH) + encoded[8:] for n in range(batches))).parent


def of_records(tmp_path: Path, times: int) -> ColumnStream:
    folder = write_log(tmp_path / f"orders-{times}", 100 * times, Data(order(1)))
    return decode_messages(read_log(folder, max_records_per_batch=500), "value", "OffsetCommitValue", 3)


def of_internal_topics(tmp_path: Path, times: int) -> ColumnStream:
    record = commit()
    folder = write_log(tmp_path / f"__consumer_offsets-{times}", 100 * times, Data(record.value, record.key))
    return decode_internal_topics(read_log(folder, max_records_per_batch=500))


def of_frames(tmp_path: Path, times: int) -> ColumnStream:
    return from_kafka_frame(read_capture(write_pcap(tmp_path / f"{times}.pcap", conversation(120 * times))))


def of_messages(_tmp_path: Path, times: int) -> ColumnStream:
    def values() -> Iterator[bytes]:
        return (order(number) for number in range(10_000 * times))

    return read_messages(values(), "OffsetCommitValue", 3)


def peak(stream: ColumnStream) -> tuple[int, int]:
    """Return the peak memory of Arrow and Python in bytes while the stream is read, and its number of rows."""
    gc.collect()
    tracemalloc.start()
    most = count = 0
    before = pa.total_allocated_bytes()
    for batch in stream:
        count += batch.num_rows
        most = max(most, pa.total_allocated_bytes() - before)
    _, of_python = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most + of_python, count


@pytest.mark.slow
@pytest.mark.parametrize("make", [of_records, of_internal_topics, of_frames, of_messages])
def test_ten_times_the_input_takes_no_more_memory(make: Callable[[Path, int], ColumnStream], tmp_path: Path) -> None:
    peak(make(tmp_path, 1))
    small, count = peak(make(tmp_path, 1))
    large, more = peak(make(tmp_path, 10))
    assert more == 10 * count
    assert large < 1.5 * small + (1 << 18)
