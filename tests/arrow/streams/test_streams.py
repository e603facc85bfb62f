"""Streams: columns, rows, damage, secrets, and invalid arguments."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import messagegen_kafka as kafka
from messagegen_arrow import (
    ColumnStream,
    MalformedMessageError,
    StreamReadError,
    decode_internal_topics,
    decode_messages,
    from_kafka_frame,
    read_capture,
    read_log,
    read_messages,
)
from messagegen_arrow.capture.files import CapturePathError
from messagegen_arrow.options import OptionError
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
from tests.arrow.support.internal_records import COMMIT_KEY, commit, metadata_record
from tests.arrow.support.log_data import TIME

VALUE = "OffsetCommitValue"


def rows(stream: ColumnStream) -> list[dict[str, Any]]:
    table = pa.table(stream)
    table.validate(full=True)
    assert table.schema == stream.schema
    found: list[dict[str, Any]] = table.to_pylist()
    return found


class TestMessages:

    @pytest.mark.parametrize(
        "values",
        [
            [order(1), None, order(2)],
            pa.array([order(1), None, order(2)]),
            pa.array([order(1), None, order(2)], pa.large_binary()),
            pa.chunked_array([[order(1), None], [order(2)]], pa.binary()),
            pa.array([order(1), None, order(2)], pa.binary_view()),
        ],
        ids=["list", "array", "large", "chunked", "view"],
    )
    def test_values_can_be_lists_or_arrow_arrays(self, values: Any) -> None:
        stream = read_messages(values, VALUE, 3, fields=["offset"])
        assert [row["offset"] for row in rows(stream)] == [1, None, 2]
        assert [row["offset"] for row in rows(stream)] == [1, None, 2]

    def test_each_value_can_have_its_own_version(self) -> None:
        old = kafka.OffsetCommitValue(offset=5, expire_timestamp=9).encode(version=1)
        for versions in ([3, 1], pa.array([3, 1])):
            found = rows(read_messages([order(1), old], VALUE, versions))
            assert [(row["offset"], row["expireTimestamp"]) for row in found] == [(1, None), (5, 9)]
        with pytest.raises(ValueError, match="fewer versions than values"):
            list(read_messages([order(1), old], VALUE, [3]))
        with pytest.raises(ValueError, match="more versions than values"):
            list(read_messages([order(1)], VALUE, [3, 1]))

    def test_an_iterator_is_read_once(self) -> None:
        stream = read_messages(iter([order(1)]), VALUE, 3)
        assert len(rows(stream)) == 1
        with pytest.raises(StreamReadError, match="an iterator can be read only once; keep what was read"):
            rows(stream)

    def test_secrets_are_hidden_by_default(self) -> None:
        login = kafka.SaslAuthenticateRequest(auth_bytes=b"hunter2").encode(version=2)
        values = [login, login[:-2], login + b"hunter2"]
        hidden = rows(read_messages(values, kafka.SaslAuthenticateRequest, 2))
        assert b"hunter" not in repr(hidden).encode()
        assert [row["_raw"] for row in hidden] == [None, b"<redacted>", b"<redacted>"]
        shown = rows(read_messages(values, kafka.SaslAuthenticateRequest, 2, include_secrets=True))
        assert shown[0]["authBytes"] == b"hunter2"
        assert shown[2]["_raw"] == values[2]
        with pytest.raises(ValueError, match="is secret; include_secrets=True shows it"):
            read_messages(values, kafka.SaslAuthenticateRequest, 2, fields=["authBytes"])

    def test_columns_that_are_not_binary_are_refused(self) -> None:
        with pytest.raises(TypeError, match="expected a column of bytes, not of int64"):
            read_messages(pa.array([1]), VALUE, 3)
        with pytest.raises(TypeError, match=r"expected Arrow columns, such as .* not list; read_messages takes bytes"):
            decode_messages([order(1)], "value", VALUE, 3)
        with pytest.raises(LookupError, match="did you mean OffsetCommitValue"):
            read_messages([], "OffsetCommitValeu", 3)
        with pytest.raises(LookupError, match="has versions 0 to 4, not 9"):
            read_messages([], VALUE, 9)


class TestLogs:
    @pytest.fixture
    def log_dir(self, tmp_path: Path) -> Path:
        return write_log_dir(tmp_path / "data")

    @pytest.mark.parametrize(
        ("options", "offsets"),
        [
            ({"starting_offset": 2, "endingOffset": 4}, [2, 3]),
            ({"startingOffsets": {"orders": {"0": 4}}, "assign": {"orders": [0]}}, [4, 5]),
            ({"starting_timestamp": datetime.fromtimestamp(TIME / 1000 + 1, UTC)}, []),
            (
                {"ending_timestamp": datetime.fromtimestamp(TIME / 1000 + 1, UTC), "partitions": [0, 1]},
                [0, 1, 2, 3, 4, 5],
            ),
        ],
    )
    def test_options_equal_the_options_of_the_spark_source(
        self, log_dir: Path, options: Any, offsets: list[int]
    ) -> None:
        stream = read_log(log_dir / "orders-0", columns=["offset"], includeControl=True, **options)
        assert stream.schema.names == ["offset"]
        assert [row["offset"] for row in rows(stream)] == offsets

    def test_values_are_decoded_to_messages(self, log_dir: Path) -> None:
        records = read_log(log_dir / "orders-0", columns="offset,value,_error,_raw")
        with pytest.raises(ValueError, match=r"two columns named offset; leave them out of keep="):
            decode_messages(records, "value", VALUE, 3, into=None)
        found = rows(decode_messages(records, "value", VALUE, 3, fields=["offset"]))
        nothing: dict[str, Any] = {"_error": None, "_raw": None}
        assert found == [{"offset": number, "message": {"offset": number}, **nothing} for number in range(ORDERS)]
        found = rows(decode_messages(records, "value", VALUE, 3, fields=["offset"], keep=["offset"]))
        assert found == [{"offset": number, "message": {"offset": number, **nothing}} for number in range(ORDERS)]

    def test_appended_records_are_returned_when_a_stream_is_read_again(self, tmp_path: Path) -> None:
        stream = read_log(write_orders(tmp_path, 2))
        assert len(rows(stream)) == 2
        write_orders(tmp_path, 5)
        assert len(rows(stream)) == 5

    def test_an_open_file_is_read_once(self, log_dir: Path) -> None:
        data = (log_dir / "orders-0" / f"{0:020}.log").read_bytes()
        stream = read_log(io.BytesIO(data), columns="offset,topic,path")
        assert rows(stream) == [{"offset": number, "topic": None, "path": "-"} for number in range(ORDERS)]
        with pytest.raises(StreamReadError, match="can be read only once"):
            rows(stream)
        with pytest.raises(OptionError, match="an open file has no topic and partition; remove the option topics"):
            read_log(io.BytesIO(data), topics="orders")
        with pytest.raises(TypeError, match="expected paths, or exactly one open file"):
            read_log(io.BytesIO(data), log_dir)


class TestInternalTopics:
    def test_keys_and_values_are_decoded_to_json(self, tmp_path: Path) -> None:
        log = read_log(write_log_dir(tmp_path), topics="__consumer_offsets", columns="topic,offset,key,value")
        found = rows(decode_internal_topics(log))
        assert [row["recordType"] for row in found] == ["OffsetCommit"] * (COMMITS + 1) + ["GroupMetadata"]
        assert json.loads(found[1]["key"]) == COMMIT_KEY
        assert json.loads(found[1]["value"])["offset"] == 1
        assert [row["isTombstone"] for row in found] == [False] * COMMITS + [True, False]

    def test_the_topic_of_an_open_file_is_a_parameter(self, tmp_path: Path) -> None:
        data = (write_topic(tmp_path, [commit(4)]) / f"{0:020}.log").read_bytes()
        found = rows(decode_internal_topics(read_log(io.BytesIO(data)), topic="__consumer_offsets"))
        assert found[0]["recordType"] == "OffsetCommit"

    def test_secrets_are_hidden(self, tmp_path: Path) -> None:
        config = kafka.ConfigRecord(resource_name="b", name="ssl.key.password", value="hunter2")
        folder = write_topic(tmp_path, [metadata_record(config)])
        found = rows(decode_internal_topics(read_log(folder), keep=[]))
        assert "hunter2" not in repr(found)
        assert json.loads(found[0]["value"])["value"] == "<redacted>"

    def test_missing_columns_and_unknown_types_and_ordinary_topics_are_refused(self, tmp_path: Path) -> None:
        log = read_log(write_log_dir(tmp_path), topics="orders")
        with pytest.raises(MalformedMessageError, match="the topic orders is not an internal topic with known records"):
            list(decode_internal_topics(log, mode="FAILFAST"))
        with pytest.raises(
            ValueError, match="no column topic; the columns are key, value; if all records are of one topic"
        ):
            decode_internal_topics(read_log(tmp_path / "orders-0", columns="key,value"))
        with pytest.raises(LookupError, match="did you mean OffsetCommit"):
            decode_internal_topics(log, ["OffsetComit"])


class TestCaptures:
    @pytest.fixture
    def pcap(self, tmp_path: Path) -> Path:
        return write_capture(tmp_path / "a.pcap")

    def test_one_message_and_its_fields_can_be_selected(self, pcap: Path) -> None:
        stream = from_kafka_frame(read_capture(pcap), kafka.MetadataResponse, fields=["brokers.host"], keep=["time"])
        assert stream.schema.names[:2] == ["time", "apiName"]
        assert [row["body"] for row in rows(stream)] == [{"brokers": [{"host": "b1"}]}] * (FRAMES // 2)
        assert rows(from_kafka_frame(read_capture(pcap), "FetchResponse")) == []

    def test_an_open_file_is_read_once(self, pcap: Path) -> None:
        stream = read_capture(io.BytesIO(pcap.read_bytes()))
        assert len(rows(stream)) == FRAMES
        with pytest.raises(StreamReadError):
            rows(stream)

    def test_wrong_arguments_are_errors(self, pcap: Path) -> None:
        with pytest.raises(ValueError, match="versions= and fields= require message="):
            from_kafka_frame(read_capture(pcap), fields=["topics"])
        with pytest.raises(ValueError, match=r"no column apiKey, .*; read_capture returns frames"):
            from_kafka_frame(read_capture(pcap, columns=["frame", "direction"]))
        with pytest.raises(ValueError, match="max_connections must be from 1 to"):
            read_capture(pcap, max_connections=0)
        with pytest.raises(CapturePathError, match="no path was given"):
            read_capture()
        with pytest.raises(CapturePathError, match="does not exist"):
            read_capture(pcap.with_name("b.pcap"))
