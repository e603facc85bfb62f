"""Popular libraries for columns accept every stream unchanged, and can read it repeatedly."""

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
from tests.arrow.support.log_data import Batch, Data, write_segment

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


UNNESTED: dict[str, Callable[[ColumnStream], list[dict[str, Any]]]] = {
    "polars": lambda stream: pl.DataFrame(stream).unnest("message").to_dicts(),
    "duckdb": lambda stream: (
        duckdb.from_arrow(stream).project("* EXCLUDE (message), unnest(message)").to_arrow_table().to_pylist()
    ),
}


@pytest.mark.parametrize("library", UNNESTED)
def test_an_unnested_message_shares_the_error_column_of_its_log(library: str, tmp_path: Path) -> None:
    batches = [Batch(0, [Data(order(7)), Data(b"no")]).encode(), Batch(2, [Data(order(8))]).encode()]
    batches[1] = batches[1][:-1] + bytes([batches[1][-1] ^ 1])
    write_segment(tmp_path / "orders-0", 0, batches)
    records = read_log(tmp_path, mode="PERMISSIVE", columns="partition,value,_error,_raw")
    good, bad, damaged = UNNESTED[library](decode_messages(records, "value", "OffsetCommitValue", 3, fields=["offset"]))
    assert good == {"partition": 0, "offset": 7, "_error": None, "_raw": None}
    assert (bad["offset"], bad["_error"]["path"], bad["_raw"]) == (None, "message.offset", b"no")
    assert (damaged["offset"], damaged["_error"]["path"], damaged["_raw"]) == (None, "crc", batches[1])


def test_an_existing_error_column_of_another_type_is_kept() -> None:
    table = pa.table({"value": [order(1), b"no"], "_error": ["mine", None]})
    good, bad = pa.table(decode_messages(table, "value", "OffsetCommitValue", 3, fields=["offset"])).to_pylist()
    assert good == {"_error": "mine", "message": {"offset": 1, "_error": None, "_raw": None}}
    assert (bad["_error"], bad["message"]["_raw"]) == (None, b"no")


def test_decoding_errors_are_added_to_the_error_column_of_a_data_frame() -> None:
    error = {"message": "lost", "path": "crc", "offset": 9}
    frame = pl.DataFrame({"value": [order(1), b"no", None], "_error": [None, None, error]})
    found = pa.table(decode_messages(frame, "value", "OffsetCommitValue", 3, into=None, fields=["offset"])).to_pylist()
    assert [row["offset"] for row in found] == [1, None, None]
    assert [row["_error"] and row["_error"]["path"] for row in found] == [None, "offset", "crc"]
    assert [row["_raw"] for row in found] == [None, b"no", None]


@pytest.mark.parametrize("library", READERS)
@pytest.mark.parametrize("name", STREAMS)
def test_each_library_can_read_all_rows_and_columns_repeatedly(
    library: str, name: str, log_dir: Path, pcap: Path
) -> None:
    count, open_stream = STREAMS[name]
    stream = open_stream(log_dir, pcap)
    first = READERS[library](stream)
    assert len(first) == count
    assert list(first[0]) == stream.schema.names
    assert repr(READERS[library](stream)) == repr(first)
