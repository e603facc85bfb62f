"""Frames are split one by one and in columns. Both ways agree, and encoding returns the same bytes."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow import Catalog, MessageTable, default_catalog
from messagegen_arrow.clients.releases import known_releases
from messagegen_arrow.columns.model import ColumnOptions
from messagegen_arrow.frames.decoding import FrameReader
from messagegen_arrow.frames.messages import NEVER_ON_A_WIRE, FrameError, FrameMessages
from messagegen_arrow.frames.split import FrameBatch, UnreadFrames, split_frames
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    RequestHeader,
    ResponseHeader,
    SaslAuthenticateRequest,
)
from tests.arrow.support.capture_traffic import request, response
from tests.arrow.support.messages import as_kafkas_json
from tests.arrow.support.reference.frames import parse_frame
from tests.arrow.support.reference.plan_walk import table_of, walk_encode
from tests.native.random_messages import Maker


def messages_of(catalog: Catalog) -> list[MessageTable]:
    sent = [table for table in catalog if table.name not in NEVER_ON_A_WIRE]
    return [table for table in sent if table.kind in ("request", "response")]


def test_proposed_messages_are_not_found_by_api_keys_that_kafka_reassigned() -> None:
    header = RequestHeader(request_api_key=50, request_api_version=0, correlation_id=1, client_id="client")
    with pytest.raises(FrameError, match="50"):
        parse_frame(header.encode(version=2) + b"\x00\x00")


def random_frame(random: Random, table: MessageTable, version: int) -> bytes:
    """Return a frame of a random message, with random tagged fields in its header."""
    header_version = table.header_version(version)
    tags = ((7, b"tagged"), (300, bytes(130))) if random.random() < 0.3 else ()
    header: Any
    if table.kind == "request":
        client_id = random.choice([None, "", "client", "ü" * 40])
        header = RequestHeader(
            request_api_key=table.api_key or 0,
            request_api_version=version,
            correlation_id=random.randrange(-(2**31), 2**31),
            client_id=client_id,
        )
    else:
        header = ResponseHeader(correlation_id=random.randrange(2**31))
    if header_version >= (2 if table.kind == "request" else 1):
        header.unknown_tagged_fields = tags
    frame = bytearray()
    header.encode_into(frame, version=header_version)
    parsed = table_of(table.plan)
    return bytes(frame) + walk_encode(parsed, Maker(random).message(parsed.roots[version]), version)


def some_frames(seed: int, count: int = 3) -> list[tuple[MessageTable, int, bytes]]:
    random = Random(seed)
    found = [
        (table, version, random_frame(random, table, version))
        for table in messages_of(default_catalog())
        for version in table.versions
        for _ in range(count)
    ]
    random.shuffle(found)
    return found


def batch(rows: Sequence[tuple[str, int | None, int | None, bytes | None]], **more: Any) -> FrameBatch:
    directions, api_keys, versions, data = zip(*rows, strict=True)
    # Use an array that begins inside its buffers, like a batch in Spark.
    arrays = [
        pa.array([None, *column, None], type_).slice(1, len(rows))
        for column, type_ in (
            (data, pa.binary()),
            (directions, pa.string()),
            (api_keys, pa.int16()),
            (versions, pa.int16()),
        )
    ]
    return FrameBatch(*arrays, **more)


def batch_of(found: Sequence[tuple[MessageTable, int, bytes]]) -> FrameBatch:
    return batch([(table.kind, table.api_key, version, data) for table, version, data in found])


def read(frames: FrameBatch, *, message: str | None = None, **more: Any) -> list[dict[str, Any]]:
    known = FrameMessages.of()
    if message is not None:
        known = known.only(default_catalog().message(message))
    options: ColumnOptions = more.pop("options", {})
    reader = FrameReader(known, options, is_json=message is None, **more)
    rows: list[dict[str, Any]] = pickle.loads(pickle.dumps(reader)).read(frames).to_pylist()
    return rows


@pytest.mark.slow
def test_frames_in_columns_equal_frames_parsed_one_by_one() -> None:
    found = some_frames(1)
    known = FrameMessages.of()
    rows = read(batch_of(found), include_secrets=True)
    for (table, version, data), row in zip(found, rows, strict=True):
        answered = None if table.kind == "request" else (table.api_key or 0, version)
        parsed = parse_frame(data, answered, messages=known)
        assert row["_error"] is None
        assert (parsed.message, parsed.api_version) == (table.name, version)
        assert row["apiName"] == table.name.removesuffix("Request").removesuffix("Response")
        assert (row["messageVersion"], row["header"]["version"]) == (parsed.version, parsed.header_version)
        assert row["header"]["correlationId"] == parsed.header.correlation_id
        if parsed.header_version == (2 if table.kind == "request" else 1):
            assert tuple(row["header"]["_unknownTaggedFields"]) == parsed.header.unknown_tagged_fields
        if table.kind == "request":
            assert row["header"]["clientId"] == parsed.header.client_id
            assert (row["header"]["requestApiKey"], row["header"]["requestApiVersion"]) == (table.api_key, version)
        body = json.loads(row["bodyJson"])
        cls, made_in = generated(table), parsed.version
        shown = cls.decode(parsed.body, version=made_in).to_json(version=made_in)
        # A struct may differ from its default only by unknown tagged fields, which these columns do not have.
        known_part = cls.from_json(shown, version=made_in)
        assert body == as_kafkas_json(known_part.to_json(version=made_in))


def generated(table: MessageTable) -> Any:
    import messagegen_kafka  # noqa: PLC0415 - its messages are asked for by name

    return getattr(messagegen_kafka, table.name)


@pytest.mark.parametrize("asked", [4, 5])
def test_a_response_to_an_unsupported_version_is_decoded_in_version_0(asked: int) -> None:
    data = response(7, ApiVersionsResponse(error_code=35), 0)
    parsed = parse_frame(data, (18, asked))
    assert (parsed.version, parsed.api_version, parsed.header_version) == (0, asked, 0)
    assert ApiVersionsResponse.decode(parsed.body, version=0).error_code == 35
    good = response(8, ApiVersionsResponse(), 4)
    rows = read(batch([("response", 18, asked, data), ("response", 18, 4, good)]))
    assert [row["messageVersion"] for row in rows] == [0, 4]
    assert json.loads(rows[0]["bodyJson"]) == {"errorCode": 35, "apiKeys": []}
    assert rows[1]["_error"] is None


def test_an_api_versions_request_newer_than_the_specs_is_an_error() -> None:
    newest = ApiVersionsRequest.VALID_VERSIONS[-1]
    data = b"\0\x12" + (newest + 1).to_bytes(2, "big") + request(1, ApiVersionsRequest(), newest)[4:]
    with pytest.raises(FrameError, match=f"ApiVersionsRequest has versions 0 to {newest} here, not {newest + 1}"):
        parse_frame(data)


def test_each_bad_frame_is_one_row_with_its_reason() -> None:
    good = response(1)
    rows = read(
        batch(
            [
                ("response", 3, 9, good),
                ("response", 3, 9, good[:-4]),
                ("response", 3, 9, good + b"\0"),
                ("response", 3, 9, b"\0\0"),
                ("response", 3, 99, good),
                ("response", 88, 0, good),
                ("response", None, None, good),
                ("elsewhere", 3, 9, good),
                ("request", 3, 9, request(5)[:9]),
                ("response", 3, 9, None),
            ]
        )
    )
    errors = [row["_error"] and (row["_error"]["path"], row["_error"]["message"]) for row in rows]
    assert errors[0] is None
    assert errors[1] is not None
    assert errors[1][0].startswith("body.")
    assert errors[2] is None
    assert (rows[2]["bodyJson"], rows[2]["remark"]) == (
        rows[0]["bodyJson"],
        "bytes after the body, which Kafka ignores: 1",
    )
    assert {row["remark"] for number, row in enumerate(rows) if number != 2} == {None}
    assert errors[3] is not None
    assert errors[3][0] == "header.correlationId"
    first, last = (release.rpartition(".")[0] for release in (known_releases()[0], known_releases()[-1]))
    every = f"kafka:{first}..{last}"
    specs = f"pass --specs {every}, or catalog=Catalog.of_specs('{every}'), which has the versions of these releases"
    assert errors[4] == ("", f"MetadataResponse has versions 0 to 13 here, not 99: {specs}")
    newest = f"kafka:{known_releases()[-1]}"
    specs = f"pass --specs {newest}, or catalog=Catalog.of_specs('{newest}'); for messages that Kafka removed, {every}"
    assert errors[5] == ("", f"unknown response with API key 88 (StreamsGroupHeartbeat): {specs}")
    assert [error and error[1].split(":")[0] for error in errors[6:8]] == ["unknown API key and version"] * 2
    assert errors[8] is not None
    assert errors[8][0] == "header.clientId"
    assert errors[9] is None
    assert all((row["_raw"] is not None) == (row["_error"] is not None) for row in rows)
    assert rows[9] == dict.fromkeys(rows[9])


def test_the_error_for_an_unknown_api_asks_for_its_spec() -> None:
    (row,) = read(batch([("request", 500, 0, request(1))]))
    advice = "Kafka has no such API; pass its spec with --specs, or in catalog="
    assert row["_error"]["message"] == f"unknown request with API key 500: {advice}"


@pytest.mark.slow
def test_extra_bytes_after_a_body_get_a_remark() -> None:
    """librdkafka's ApiVersionsRequest version 0 has such bytes, and Java's readers accept them."""
    found = some_frames(7, count=1)
    extra = batch([(table.kind, table.api_key, version, data + b"\0\0\0\0") for table, version, data in found])
    for row, plain in zip(read(extra, include_secrets=True), read(batch_of(found), include_secrets=True), strict=True):
        assert row.pop("remark") == "bytes after the body, which Kafka ignores: 4"
        assert plain.pop("remark") is None
        assert row == plain


TAGS_SPEC = """{
  "apiKey": 44, "type": "request", "name": "IncrementalAlterConfigsRequest", "validVersions": "0-1",
  "flexibleVersions": "1+", "listeners": ["broker"],
  "fields": [
    { "name": "Parts", "type": "[]Part", "versions": "0+", "about": "Parts.", "fields": [
      { "name": "Index", "type": "int8", "versions": "0+", "about": "Number." },
      { "name": "Leader", "type": "Leader", "versions": "1+", "taggedVersions": "1+", "tag": 0,
        "about": "Leader.", "fields": [
        { "name": "Id", "type": "int8", "versions": "1+", "about": "Number." }
      ]}
    ]}
  ]
}"""


def test_unknown_tagged_fields_are_in_json_on_request(tmp_path: Path) -> None:
    (tmp_path / "IncrementalAlterConfigsRequest.json").write_text(TAGS_SPEC)
    catalog = Catalog.of_specs(tmp_path)
    # Part 1 has no unknown fields, part 2 has unknown fields of its own, and part 3 has them in its leader, whose id is
    # the default.
    parts = "04 01 00  02 02 46020102 80a8d6b90700  03 01 0005 00 01 470178"
    data = bytes.fromhex(f"002c0001 00000001 ffff 00 {parts} 00")
    frames = batch([("request", 44, 1, data), ("request", 44, 0, bytes.fromhex("002c0000 00000001 ffff 00000001 07"))])
    reader = FrameReader(FrameMessages.of(catalog), {"unknown_tagged_fields": True}, is_json=True)
    new, old = (json.loads(text) for text in reader.read(frames).column("bodyJson").to_pylist())
    assert new["parts"] == [
        {"index": 1},
        {"index": 2, "_unknownTaggedFields": [{"tag": 70, "data": "AQI="}, {"tag": 2_000_000_000, "data": ""}]},
        {"index": 3, "leader": {"id": 0, "_unknownTaggedFields": [{"tag": 71, "data": "eA=="}]}},
    ]
    assert old == {"parts": [{"index": 7}]}
    plain = FrameReader(FrameMessages.of(catalog), {}, is_json=True).read(frames).column("bodyJson").to_pylist()
    assert json.loads(plain[0])["parts"][1] == {"index": 2}


def test_secrets_have_no_column_and_no_raw_bytes() -> None:
    message = SaslAuthenticateRequest(auth_bytes=b"\0alice\0hunter2")
    data = request(1, message, 2)
    rows = read(batch([("request", 36, 2, data), ("request", 36, 2, data[:-4])]))
    assert json.loads(rows[0]["bodyJson"]) == {}
    assert rows[1]["_error"] is not None
    assert rows[1]["_raw"] == b"<redacted>"
    assert "hunter2" not in repr(rows)
    shown = read(batch([("request", 36, 2, data)]), include_secrets=True)
    assert json.loads(shown[0]["bodyJson"]) == message.to_json(version=2)
    with pytest.raises(
        ValueError, match="auth_bytes of SaslAuthenticateRequest is secret; include_secrets=True shows it"
    ):
        read(batch([("request", 36, 2, data)]), message="SaslAuthenticateRequest", options={"fields": ["authBytes"]})


def test_a_message_name_resolves_an_ambiguous_api_key(tmp_path: Path) -> None:
    spec = TAGS_SPEC.replace("44", "3").replace("IncrementalAlterConfigsRequest", "OtherRequest")
    (tmp_path / "OtherRequest.json").write_text(spec)
    both = default_catalog() | Catalog.of_specs(tmp_path)
    with pytest.raises(FrameError, match="ambiguous API key 3: MetadataRequest and OtherRequest"):
        parse_frame(request(1), catalog=both)
    known = FrameMessages.of(both).only(both.message("MetadataRequest"))
    assert parse_frame(request(1), messages=known).message == "MetadataRequest"


def test_only_requests_and_responses_can_be_bodies() -> None:
    known = FrameMessages.of()
    with pytest.raises(ValueError, match="TopicRecord is neither a request nor a response"):
        known.only(default_catalog().message("TopicRecord"))


@pytest.mark.slow
def test_damaged_frames_are_read_or_have_an_error() -> None:
    random = Random(4)
    found = some_frames(4)
    damaged = []
    for table, version, data in found:
        cut = bytearray(data[: random.randrange(len(data) + 1)])
        if cut:
            cut[random.randrange(len(cut))] ^= 1 << random.randrange(8)
        damaged.append((table, version, bytes(cut)))
    rows = read(batch_of([*damaged, *found]))
    assert [row["_error"] for row in rows[len(damaged) :]] == [None] * len(found)
    assert all((row["header"] is None) <= (row["_error"] is not None) for row in rows)


def test_errors_of_unreadable_frames_name_their_rows() -> None:
    (unread,) = split_frames(FrameMessages.of(), batch([("response", 77, 0, b"")]))
    assert isinstance(unread, UnreadFrames)
    assert unread.rows.tolist() == [0]
