"""Messages that contain only topic ids get topic names from the MetadataResponses in the same capture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest

from messagegen_arrow import Catalog, default_catalog, from_kafka_frame, read_capture
from messagegen_arrow.cli import command as cli
from messagegen_kafka import MetadataRequest, MetadataResponse
from messagegen_kafka.metadata_response import MetadataResponseTopic
from tests.arrow.support.capture_traffic import request, response, sized, write_pcap

ORDERS, PAYMENTS, UNKNOWN = UUID(int=1), UUID(int=2), UUID(int=3)
ORDERS_ID, UNKNOWN_ID = "AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAw"
SPEC = """{
  "apiKey": 1, "type": "request", "name": "FetchRequest", "validVersions": "12-13", "flexibleVersions": "12+",
  "listeners": ["broker"],
  "fields": [
    { "name": "MaxBytes", "type": "int32", "versions": "0+", "about": "Bytes." },
    { "name": "Topics", "type": "[]FetchTopic", "versions": "0+", "about": "Topics.", "fields": [
      { "name": "Topic", "type": "string", "versions": "0-12", "ignorable": true, "entityType": "topicName",
        "about": "Name." },
      { "name": "TopicId", "type": "uuid", "versions": "13+", "ignorable": true, "about": "Id." },
      { "name": "Partitions", "type": "[]int32", "versions": "0+", "about": "Partitions." }
    ]}
  ]
}"""


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    (tmp_path / "FetchRequest.json").write_text(SPEC)
    return tmp_path


def metadata(number: int, *topics: tuple[str | None, UUID], version: int = 12) -> tuple[bytes, bytes]:
    """Return a request and its response."""
    named = tuple(MetadataResponseTopic(name=name, topic_id=topic_id) for name, topic_id in topics)
    answer = MetadataResponse(topics=named)
    return request(number, MetadataRequest(topics=None), version), response(number, answer, version)


def fetch(number: int, *topics: UUID | str) -> bytes:
    """Return a request: version 13 for ids, or version 12 for names."""
    version = 13 if isinstance(topics[0], UUID) else 12
    frame = bytes([0, 1, 0, version]) + number.to_bytes(4, "big") + b"\xff\xff\0" + b"\0\0\0\1"
    frame += bytes([len(topics) + 1])
    for topic in topics:
        frame += topic.bytes if isinstance(topic, UUID) else bytes([len(topic) + 1]) + topic.encode()
        frame += b"\1\0"
    return frame + b"\0"


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    asked, told = metadata(1, ("orders", ORDERS), ("payments", PAYMENTS), (None, UNKNOWN))
    said = [
        (True, sized(asked)),
        (False, sized(told)),
        (True, sized(fetch(2, ORDERS, PAYMENTS), fetch(3, ORDERS, UNKNOWN), fetch(4, UNKNOWN), fetch(5, "a"))),
    ]
    return write_pcap(tmp_path / "a.pcap", said)


def topics_of(stream: Any, column: str) -> list[Any]:
    rows = pa.table(stream).to_pylist()
    assert {row["_error"] for row in rows} == {None}
    bodies = [json.loads(row[column]) if column == "bodyJson" else row[column] for row in rows]
    return [[topic.get("topic") for topic in body["topics"]] for body in bodies if "maxBytes" in body]


NAMES: Sequence[Any] = [["orders", "payments"], ["orders", None], [None], ["a"]]


def test_topic_ids_get_names_in_json(specs: Path, capture: Path) -> None:
    catalog = default_catalog() | Catalog.of_specs(specs)
    assert topics_of(from_kafka_frame(read_capture(capture), catalog=catalog), "bodyJson") == NAMES


@pytest.mark.parametrize("uuid", ["string", "binary"])
def test_topic_ids_get_names_in_columns(specs: Path, capture: Path, uuid: Any) -> None:
    catalog = default_catalog() | Catalog.of_specs(specs)
    stream = from_kafka_frame(read_capture(capture), "FetchRequest", catalog=catalog, uuid=uuid)
    assert topics_of(stream, "body") == NAMES
    # The types do not depend on learned names.
    assert pa.table(stream).schema == stream.schema


def test_a_version_without_topic_names_gets_no_name_column(specs: Path, tmp_path: Path) -> None:
    catalog = default_catalog() | Catalog.of_specs(specs)
    asked, told = metadata(1, ("orders", ORDERS))
    path = write_pcap(
        tmp_path / "a.pcap", [(True, sized(asked)), (False, sized(told)), (True, sized(fetch(2, ORDERS)))]
    )
    stream = from_kafka_frame(read_capture(path), "FetchRequest", catalog=catalog, versions=13)
    first, *_ = pa.table(stream).column("body").to_pylist()
    assert first["topics"][0] == {"topicId": ORDERS_ID, "partitions": []}


def test_names_are_added_only_to_selected_fields(specs: Path, capture: Path) -> None:
    catalog = default_catalog() | Catalog.of_specs(specs)
    stream = from_kafka_frame(read_capture(capture), "FetchRequest", catalog=catalog, fields=["topics.topicId"])
    first, *_ = pa.table(stream).column("body").to_pylist()
    assert first == {"topics": [{"topicId": ORDERS_ID}, {"topicId": "AAAAAAAAAAAAAAAAAAAAAg"}]}


def test_topic_names_are_learned_even_from_hidden_frames(
    specs: Path, capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--specs", str(specs / "FetchRequest.json"), "--message", "FetchRequest", "--columns", "body"]
    assert cli.run(["dump", str(capture), *arguments]) == 0
    bodies = [json.loads(line)["body"] for line in capsys.readouterr().out.splitlines()]
    assert bodies[0]["topics"][0] == {"topicId": ORDERS_ID, "partitions": [], "topic": "orders"}
    assert [[topic.get("topic") for topic in body["topics"]] for body in bodies] == NAMES
    assert bodies[3] == {"maxBytes": 1, "topics": [{"topic": "a", "partitions": []}]}


def test_names_are_not_learned_from_other_captures(specs: Path, capture: Path, tmp_path: Path) -> None:
    catalog = default_catalog() | Catalog.of_specs(specs)
    other = write_pcap(tmp_path / "b.pcap", [(True, sized(fetch(1, ORDERS)))])
    assert topics_of(from_kafka_frame(read_capture(other), catalog=catalog), "bodyJson") == [[None]]
