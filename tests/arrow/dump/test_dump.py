"""In a dump, lines have Kafka's JSON form, tables fit, rows are counted, and files are whole or missing."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka as kafka
from messagegen_arrow import Catalog, default_catalog
from messagegen_arrow.capture.files import EXPECTED_LINE
from messagegen_arrow.dump.captures import section_of_captures
from messagegen_arrow.dump.logs import sections_of_logs
from messagegen_arrow.dump.new_file import new_file
from messagegen_arrow.dump.places import are_captures
from messagegen_arrow.dump.request import DumpRequest, Section
from messagegen_arrow.dump.rows import Tally
from messagegen_arrow.dump.texts import json_lines, table_lines
from messagegen_arrow.streams.stream import ColumnStream
from tests.arrow.support.broker_folder import (
    COMMITS,
    FRAMES,
    ORDERS,
    order,
    write_capture,
    write_log_dir,
    write_orders,
    write_topic,
)
from tests.arrow.support.internal_records import metadata_record
from tests.arrow.support.log_data import Batch, Data, write_segment
from tests.arrow.support.messages import as_kafkas_json, java_messages


def asked(catalog: Catalog | None = None, **more: Any) -> DumpRequest:
    return DumpRequest(catalog=catalog or default_catalog(), **more)


def lines(sections: list[Section]) -> list[dict[str, Any]]:
    texts = [text for each in sections for batch in each.stream for text in json_lines(batch, each).to_pylist()]
    return [json.loads(text) for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize("messages", java_messages(), ids=lambda each: each.name)
def test_values_are_written_as_the_generated_class_writes_json(messages: Any, tmp_path: Path) -> None:
    cls = getattr(kafka, messages.name)
    compared = 0
    for version in sorted(set(messages.versions)):
        of_version = [data for data, each in zip(messages.data, messages.versions, strict=True) if each == version]
        decoded = [(data, cls.decode(data, version=version).to_json(version=version)) for data in of_version]
        # JSON does not contain unknown tagged fields, but it contains a struct that has some.
        known = [
            (data, value)
            for data, value in decoded
            if cls.from_json(value, version=version).encode(version=version) == data
        ]
        batch = Batch(records=[Data(data) for data, _ in known])
        folder = write_segment(tmp_path / f"t{version}-0", 0, [batch.encode()] * bool(known)).parent
        request = asked(messages=(messages.name,), version=version, include_secrets=True)
        found = lines(sections_of_logs([str(folder)], request))
        assert [row["message"] for row in found] == [as_kafkas_json(value) for _, value in known]
        compared += len(known)
    assert compared > len(messages.data) / 4


class TestLogs:
    def test_a_folder_with_topics_of_all_kinds_is_dumped(self, tmp_path: Path) -> None:
        found = lines(sections_of_logs([str(write_log_dir(tmp_path))], asked()))
        orders, rest = found[:ORDERS], found[ORDERS:]
        assert orders[1] == {
            "topic": "orders",
            "partition": 0,
            "offset": 1,
            "timestamp": "2023-11-14T22:13:20.000Z",
            "key": "aw==",
            "value": b64encode(order(1)).decode(),
            "headers": [{"key": "h", "value": "eA=="}],
        }
        types = [row["recordType"] for row in rest]
        assert sorted(types) == sorted(
            ["UserScramCredentialRecord", *["OffsetCommit"] * (COMMITS + 1), "GroupMetadata"]
        )
        commits = [row for row in rest if row["recordType"] == "OffsetCommit"]
        assert commits[2]["key"] == {"group": "billing", "topic": "orders", "partition": 3}
        assert commits[2]["value"]["offset"] == 2
        assert commits[3]["value"] is None
        assert "salt" not in json.dumps(rest)

    def test_unreadable_rows_name_their_position(self, tmp_path: Path) -> None:
        folder = write_orders(tmp_path, damaged=[1])
        request = asked(messages=("OffsetCommitValue",), version=4, fields=("offset",), columns=("offset", "message"))
        first, second, *_ = lines(sections_of_logs([str(folder)], request))
        assert first["message"] is None
        assert first["_error"]["path"].startswith("message.")
        assert second["_error"]["path"] == "crc"
        assert second["path"] == str(folder / f"{0:020}.log")
        assert second["batchPosition"] > 0
        good = lines(sections_of_logs([str(folder)], asked()))[0]
        assert not {"_error", "_raw", "path", "batchPosition"} & good.keys()

    def test_damage_of_metadata_shows_no_secrets(self, tmp_path: Path) -> None:
        record = metadata_record(kafka.ConfigRecord(resource_name="b", name="ssl.key.password", value="hunter2"))
        folder = write_topic(tmp_path, [record])
        file = folder / f"{0:020}.log"
        assert b"hunter2" in file.read_bytes()
        assert "hunter2" not in json.dumps(lines(sections_of_logs([str(folder)], asked())))
        file.write_bytes(file.read_bytes()[:-1] + b"\1")
        (row,) = lines(sections_of_logs([str(folder)], asked()))
        assert row["_raw"]["value"] == "PHJlZGFjdGVkPg=="


class TestCaptures:
    def test_options_select_messages_and_fields_and_columns(self, tmp_path: Path) -> None:
        pcap = write_capture(tmp_path / "a.pcap")
        found = lines([section_of_captures([str(pcap)], asked())])
        assert len(found) == FRAMES
        assert found[0]["apiName"] == "Metadata"
        assert found[0]["body"]["topics"][0]["name"] == "orders"
        request = asked(messages=("MetadataResponse", "FetchRequest"), columns=("direction",))
        assert lines([section_of_captures([str(pcap)], request)]) == [{"direction": "response"}] * (FRAMES // 2)
        request = asked(messages=("MetadataResponse",), fields=("clusterId",), columns=("body",))
        assert lines([section_of_captures([str(pcap)], request)]) == [{"body": {"clusterId": "c"}}] * (FRAMES // 2)
        request = asked(messages=("MetadataResponse",), fields=("clusterId",), columns=("body",), typed=True)
        section = section_of_captures([str(pcap)], request)
        assert pa.table(section.stream).column("body").to_pylist() == [{"clusterId": "c"}] * (FRAMES // 2)
        with pytest.raises(ValueError, match="--fields needs one --message"):
            section_of_captures([str(pcap)], asked(fields=("topics",)))

    def test_timestamps_select_frames(self, tmp_path: Path) -> None:
        pcap = str(write_capture(tmp_path / "a.pcap"))
        times = [row["time"] for row in lines([section_of_captures([pcap], asked())])]
        middle = f"{times[4][:23]}Z"
        before = lines([section_of_captures([pcap], asked(options={"endingTimestamp": middle}))])
        after = lines([section_of_captures([pcap], asked(options={"startingTimestamp": middle}))])
        assert len(before) + len(after) == FRAMES
        assert after[-1]["time"] == times[-1]


def test_logs_are_distinguished_from_captures(tmp_path: Path) -> None:
    log_dir = write_log_dir(tmp_path / "logs")
    segment = log_dir / "orders-0" / f"{0:020}.log"
    (tmp_path / "captures").mkdir()
    capture = write_capture(tmp_path / "captures" / "a.pcap")
    assert not are_captures([str(log_dir), str(log_dir / "orders-0"), str(segment)])
    assert are_captures([str(capture), str(capture.parent)])
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"empty holds no Kafka logs.*; .*empty holds no captures"):
        are_captures([str(tmp_path / "empty")])
    segment.rename(tmp_path / "renamed.bin")
    (row,) = lines([section_of_captures([str(tmp_path / "renamed.bin")], asked(columns=("apiName",)))])
    expected = f"expected pcap, pcapng or {EXPECTED_LINE}; segments are named *.log"
    assert row["_error"]["message"] == f"BAD_FILE: it is not a capture; {expected}"


@given(st.lists(st.booleans(), max_size=12), st.integers(1, 5), st.none() | st.integers(0, 13))
def test_rows_are_counted_up_to_a_limit(errors: list[bool], size: int, limit: int | None) -> None:
    type_ = pa.struct([("message", pa.string()), ("path", pa.string()), ("offset", pa.int64())])
    rows = [
        {"path": "f", "n": n, "_error": {"message": f"no {n}", "path": "", "offset": 0} if is_error else None}
        for n, is_error in enumerate(errors)
    ]
    schema = pa.schema([("path", pa.string()), ("n", pa.int64()), ("_error", type_)])
    batches = [pa.RecordBatch.from_pylist(rows[at : at + size], schema) for at in range(0, len(rows), size)]
    tally = Tally()
    found = [n for batch in tally.counted(batches, limit) for n in batch.column("n").to_pylist()]
    assert found == list(range(len(errors)))[:limit]
    assert (tally.rows, tally.malformed) == (len(found), sum(errors[:limit]))
    assert tally.first == (f"f: no {errors.index(True)}" if True in errors[:limit] else "")


def lines_of(columns: dict[str, list[Any]], width: int) -> list[str]:
    batch = pa.record_batch(columns)
    return list(table_lines(iter([batch]), Section(ColumnStream(batch.schema, lambda: iter([batch]))), width))


class TestTables:

    def test_wide_texts_are_cut_until_the_table_fits(self) -> None:
        columns: dict[str, list[Any]] = {"number": [1234567890], "name": ["short"], "a": ["a" * 25], "b": ["b" * 20]}
        for width in range(57, 90):
            title, row = lines_of(columns, width)
            assert len(row) <= width, width
            assert title.split() == ["number", "name", "a", "b"]
            assert row.startswith("1234567890  short  aaaaaaaaa")
        assert lines_of(columns, 57)[1] == "1234567890  short  aaaaaaaaaaaaaaaaaaa...  bbbbbbbbbbb..."

    def test_ideographs_take_two_columns_and_accents_none(self) -> None:
        names = ["東京", "Ko\u0308ln", "京" * 20]
        assert lines_of({"name": names, "n": [1, 2, 3]}, 80) == [
            f"name{' ' * 23}  n",
            f"東京{' ' * 23}  1",
            f"Ko\u0308ln{' ' * 23}  2",
            f"{'京' * 12}...  3",
        ]
        assert lines_of({"n": [1, 2, 3], "name": names}, 16)[3] == f"3  {'京' * 5}..."

    def test_columns_are_not_cut_if_the_table_cannot_fit(self) -> None:
        columns: dict[str, list[Any]] = {"number": [1234567890], "name": ["n" * 20]}
        assert lines_of(columns, 20)[1] == f"1234567890  {'n' * 20}"

    def test_cells_show_nulls_and_bytes_and_long_texts_and_errors(self) -> None:
        type_ = pa.struct([("message", pa.string()), ("path", pa.string()), ("offset", pa.int64())])
        batch = pa.record_batch(
            {
                "n": pa.array([1, None, 3]),
                "b": pa.array([b"text", b"\xff\0", None], pa.binary()),
                "s": pa.array(["a long text of more than 27 characters", "a\nb", ""]),
                "_error": pa.array([None, None, {"message": "no", "path": "crc", "offset": 1}], type_),
            }
        )
        section = Section(ColumnStream(batch.schema, lambda: iter([batch])))
        assert list(table_lines(iter([batch]), section, 41)) == [
            "n  b       s",
            "1  text    a long text of more than 27...",
            "   0xff00  a\\u000ab",
            "3          crc: no",
        ]


def interrupted(path: Path) -> None:
    with new_file(path) as file:
        file.write(b"half")
        raise KeyboardInterrupt


class TestFiles:

    def test_a_file_is_complete_or_missing(self, tmp_path: Path) -> None:
        path = tmp_path / "a"
        with pytest.raises(KeyboardInterrupt):
            interrupted(path)
        assert list(tmp_path.iterdir()) == []
        with new_file(path) as file:
            file.write(b"whole")
        assert list(tmp_path.iterdir()) == [path]
        with pytest.raises(FileExistsError), new_file(path):
            pass
        assert path.read_bytes() == b"whole"
