"""The libraries that people read columns with take every stream as it is, as often as they like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pytest

import messagegen_kafka as kafka
from messagegen_arrow import (
    ColumnStream,
    decode_internal_topics,
    decode_messages,
    from_kafka_frame,
    read_capture,
    read_log,
    read_messages,
)
from tests.arrow.support.broker_folder import COMMITS, FRAMES, ORDERS, order, write_capture, write_log_dir

STREAMS: dict[str, tuple[int, Callable[[Path, Path], ColumnStream]]] = {
    "messages": (2, lambda _log, _pcap: read_messages([order(1), order(2)], kafka.OffsetCommitValue, 3)),
    "records": (ORDERS, lambda log, _pcap: read_log(log, topics="orders")),
    "values": (ORDERS, lambda log, _pcap: decode_messages(read_log(log / "orders-0"), "value", "OffsetCommitValue", 3)),
    "types": (
        COMMITS + 2,
        lambda log, _pcap: decode_internal_topics(read_log(log / "__consumer_offsets-0"), ["OffsetCommit"]),
    ),
    "json": (COMMITS + 3, lambda log, _pcap: decode_internal_topics(read_log(log, topics_pattern="__.*"))),
    "capture": (FRAMES, lambda _log, pcap: read_capture(pcap)),
    "frames": (FRAMES, lambda _log, pcap: from_kafka_frame(read_capture(pcap))),
    "responses": (FRAMES // 2, lambda _log, pcap: from_kafka_frame(read_capture(pcap), "MetadataResponse")),
}

READERS: dict[str, Callable[[ColumnStream], list[dict[str, Any]]]] = {
    "pyarrow": lambda stream: pa.table(stream).to_pylist(),
    "polars": lambda stream: pl.DataFrame(stream).to_dicts(),
    "pandas": lambda stream: pa.table(stream).to_pandas().to_dict("records"),
    "duckdb": lambda stream: duckdb.from_arrow(stream).to_arrow_table().to_pylist(),
}


@pytest.fixture(scope="module")
def log_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_log_dir(tmp_path_factory.mktemp("streams") / "data")


@pytest.fixture(scope="module")
def pcap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_capture(tmp_path_factory.mktemp("captures") / "a.pcap")


@pytest.mark.parametrize("library", READERS)
@pytest.mark.parametrize("name", STREAMS)
def test_a_library_reads_all_rows_and_columns_twice(library: str, name: str, log_dir: Path, pcap: Path) -> None:
    count, open_stream = STREAMS[name]
    stream = open_stream(log_dir, pcap)
    first = READERS[library](stream)
    assert len(first) == count
    assert list(first[0]) == stream.schema.names
    assert repr(READERS[library](stream)) == repr(first)
