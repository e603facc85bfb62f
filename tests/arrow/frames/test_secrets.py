"""Secrets in whole, damaged or cut frames are shown only on request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow.catalog import Catalog
from messagegen_arrow.frames.decoding import FrameReader
from messagegen_arrow.frames.messages import FrameMessages
from messagegen_arrow.frames.split import FrameBatch
from messagegen_kafka import SaslAuthenticateRequest, SaslAuthenticateResponse
from tests.arrow.support.capture_traffic import Wire, conversation, request, response, rows, sized, write_packets
from tests.arrow.support.reference.plan_walk import codecs_of, table_of, walk_encode

PASSWORD = b"hunter2"
LOGIN = request(7, SaslAuthenticateRequest(auth_bytes=b"\0alice\0" + PASSWORD * 5), 2)
ANSWER = response(7, SaslAuthenticateResponse(auth_bytes=PASSWORD * 5), 2)


def read_captured(path: Path, **more: Any) -> list[dict[str, Any]]:
    found = rows(path)
    batch = FrameBatch(
        pa.array([row.frame for row in found], pa.binary()),
        pa.array([row.direction for row in found], pa.string()),
        pa.array([row.api_key for row in found], pa.int16()),
        pa.array([row.api_version for row in found], pa.int16()),
        errors=pa.array([row.problem and {"message": row.problem, "path": "", "offset": 0} for row in found]),
        raws=pa.array([row.raw for row in found], pa.binary()),
    )
    shown: list[dict[str, Any]] = FrameReader(FrameMessages.of(), {}, is_json=True, **more).read(batch).to_pylist()
    return shown


@pytest.mark.parametrize("cut", ["request", "response"])
def test_secrets_of_a_truncated_login_are_hidden(tmp_path: Path, cut: str) -> None:
    wire = Wire()
    wire.open()
    wire.say(conversation(1))
    login, answer = sized(LOGIN), sized(ANSWER)
    wire.packet(True, login, snaplen=len(login) - 5 if cut == "request" else None)
    wire.packet(False, answer, snaplen=len(answer) - 5 if cut == "response" else None)
    wire.close()
    path = write_packets(tmp_path / "a.pcap", wire.packets)
    assert PASSWORD in repr(read_captured(path, include_secrets=True)).encode()
    shown = read_captured(path)
    assert PASSWORD not in repr(shown).encode()
    (damaged,) = [row for row in shown if row["_error"] is not None]
    assert damaged["_raw"] == b"<redacted>"


def test_raw_bytes_of_a_damaged_message_without_secrets_are_shown(tmp_path: Path) -> None:
    wire = Wire()
    wire.open()
    wire.say(conversation(1))
    wire.packet(True, sized(request(2)), snaplen=30)
    wire.close()
    (damaged,) = [row for row in read_captured(write_packets(tmp_path / "a.pcap", wire.packets)) if row["_error"]]
    assert damaged["_raw"] == request(2)[:26]


@pytest.mark.parametrize("api_key", [None, 51, 999])
def test_bytes_of_unknown_messages_are_hidden_by_default(api_key: int | None) -> None:
    batch = FrameBatch(
        pa.array([PASSWORD], pa.binary()),
        pa.array(["response"]),
        pa.array([api_key], pa.int16()),
        pa.array([0], pa.int16()),
    )
    for include_secrets, expected in ((False, b"<redacted>"), (True, PASSWORD)):
        reader = FrameReader(FrameMessages.of(), {}, is_json=True, include_secrets=include_secrets)
        (row,) = reader.read(batch).to_pylist()
        assert row["_error"] is not None
        assert row["_raw"] == expected


def field(name: str, type_: str, **others: Any) -> dict[str, Any]:
    return {"name": name, "type": type_, "versions": "0+", "about": "A field.", **others}


def catalog_of(folder: Path, name: str, api_key: int, *fields: dict[str, Any]) -> Catalog:
    spec: dict[str, Any] = {
        "apiKey": api_key,
        "type": "request" if name.endswith("Request") else "response",
        "name": name,
        "validVersions": "0",
        "flexibleVersions": "0+",
        "fields": fields,
    }
    if name.endswith("Request"):
        spec["listeners"] = ["broker"]
    (folder / f"{name}.json").write_text(json.dumps(spec))
    return Catalog.of_specs(folder / f"{name}.json")


def read_one(catalog: Catalog, value: dict[str, Any], cut: int = 0, **more: Any) -> dict[str, Any]:
    (table,) = catalog
    plan = table_of(table.plan)
    body = walk_encode(plan, built(plan.roots[0], value), 0)
    head = b"" if table.kind == "response" else bytes([0, table.api_key or 0, 0, 0])
    data = head + b"\0\0\0\1" + (b"" if table.kind == "response" else b"\xff\xff") + b"\0" + body
    batch = FrameBatch(
        pa.array([data[: len(data) - cut]], pa.binary()),
        pa.array([table.kind]),
        pa.array([table.api_key], pa.int16()),
        pa.array([0], pa.int16()),
    )
    options: Any = more
    (row,) = FrameReader(FrameMessages.of(catalog), options, is_json=True).read(batch).to_pylist()
    found: dict[str, Any] = row
    return found


def built(layout: Any, value: dict[str, Any]) -> Any:
    codecs: Any = codecs_of(layout)
    return layout.cls(
        **{
            name: (tuple(built(codecs[name].element.layout, one) for one in each) if isinstance(each, list) else each)
            for name, each in value.items()
        }
    )


CONFIG = [field("Name", "string"), field("Value", "string", nullableVersions="0+"), field("IsSensitive", "bool")]


def test_configs_are_hidden_by_their_name_or_the_sensitive_flag(tmp_path: Path) -> None:
    results = field("Results", "[]Result", fields=[field("Configs", "[]Config", fields=CONFIG)])
    catalog = catalog_of(tmp_path, "DescribeConfigsResponse", 32, results)
    configs = [
        {"name": "plain", "value": "hunter2", "is_sensitive": True},
        {"name": "ssl.key.password", "value": "hunter2", "is_sensitive": False},
        {"name": "retention.ms", "value": "1000", "is_sensitive": False},
    ]
    row = read_one(catalog, {"results": [{"configs": configs}, {"configs": []}]})
    first, second = json.loads(row["bodyJson"])["results"]
    assert [config["value"] for config in first["configs"]] == ["<redacted>", "<redacted>", "1000"]
    assert second["configs"] == []
    assert read_one(catalog, {"results": [{"configs": configs}]}, cut=3)["_raw"] == b"<redacted>"
    with pytest.raises(
        ValueError,
        match=r"results\.configs\.value of DescribeConfigsResponse may be secret, .* other fields; add results",
    ):
        read_one(catalog, {"results": [{"configs": configs}]}, fields=["results.configs.value"])


def test_fields_that_a_spec_declares_sensitive_are_hidden(tmp_path: Path) -> None:
    login = field("Login", "[]Login", fields=[field("User", "string"), field("Pin", "int32", sensitive=True)])
    token = field("Token", "bytes", sensitive=True)
    catalog = catalog_of(tmp_path, "OwnRequest", 120, login, token)
    row = read_one(catalog, {"login": [{"user": "alice", "pin": 4711}], "token": PASSWORD})
    assert json.loads(row["bodyJson"]) == {"login": [{"user": "alice"}]}
    with_tags = read_one(catalog, {"login": [{"user": "alice", "pin": 4711}]}, unknown_tagged_fields=True)
    assert "4711" not in with_tags["bodyJson"]
    damaged = read_one(catalog, {"login": [{"user": "alice", "pin": 4711}], "token": PASSWORD}, cut=2)
    assert damaged["_raw"] == b"<redacted>"
    assert PASSWORD not in repr(damaged).encode()


def test_an_embedded_request_is_not_shown(tmp_path: Path) -> None:
    catalog = catalog_of(tmp_path, "EnvelopeRequest", 58, field("RequestData", "bytes"), field("Client", "string"))
    row = read_one(catalog, {"request_data": PASSWORD, "client": "c"})
    assert json.loads(row["bodyJson"]) == {"client": "c"}
