"""In real traffic of Apache's clients, every frame is found in the reshaped packets, and decoded as in Java."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow import Catalog, decode_arrow, encode_arrow
from messagegen_arrow.capture.dialogue import FrameRow
from messagegen_arrow.frames.decoding import FrameReader
from messagegen_arrow.frames.messages import FrameMessages
from messagegen_arrow.frames.split import FrameBatch, FrameParts, split_frames
from tests.arrow.support.capture_traffic import problems, read, rows
from tests.arrow.support.reference.frames import parse_frame
from tests.broker.fixtures import BusyBroker
from tests.oracle import Oracle, Question, official_specs

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]

_MOST_APIS = 28
"""The minimum number of APIs in the traffic."""


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """A catalog of all official client specs."""
    folder = tmp_path_factory.mktemp("specs")
    for name, text in official_specs()["kafka-clients"].items():
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return Catalog.of_specs(folder)


def meaning(row: FrameRow) -> tuple[Any, ...]:
    return row.direction, row.api_key, row.api_version, row.correlation_id, row.client_id, row.frame


def whole(path: Path) -> list[FrameRow]:
    return [row for row in rows(path) if row.frame is not None]


def test_both_captures_of_the_same_traffic_have_the_same_frames(busy_broker: BusyBroker) -> None:
    of_packets, of_dump = read(busy_broker.pcap), whole(busy_broker.frames)
    assert Counter(meaning(each.row) for each in of_packets if each.row.frame) == Counter(map(meaning, of_dump))
    # The capture may end in the middle of a frame.
    assert set(problems(each.row for each in of_packets)) <= {"CUT_OFF"}
    assert set(problems(of_dump)) == set()
    assert all(row.api_key is not None for row in of_dump)


def batch_of(found: list[FrameRow]) -> FrameBatch:
    return FrameBatch(
        pa.array([row.frame for row in found], pa.binary()),
        pa.array([row.direction for row in found]),
        pa.array([row.api_key for row in found], pa.int16()),
        pa.array([row.api_version for row in found], pa.int16()),
    )


def test_headers_and_bodies_are_encoded_to_the_same_bytes(busy_broker: BusyBroker, catalog: Catalog) -> None:
    found = whole(busy_broker.pcap)
    messages = FrameMessages.of(catalog)
    count, names = 0, set()
    for parts in split_frames(messages, batch_of(found)):
        assert isinstance(parts, FrameParts)
        header = messages.headers[parts.direction]
        for table, version, values in (
            (header, parts.header_version, parts.headers),
            (parts.table, parts.version, parts.bodies),
        ):
            decoded = decode_arrow(values, table, version, unknown_tagged_fields=True)
            assert decoded.field("_error").null_count == len(values)
            again, _ = encode_arrow(decoded, table, version)
            assert again.equals(values), (table.name, version)
        count += len(parts.rows)
        names.add(parts.table.name)
    assert count == len(found)
    assert len({name for name in names if name.endswith("Request")}) >= _MOST_APIS


def test_bodies_equal_the_bodies_that_java_decodes(busy_broker: BusyBroker, catalog: Catalog, oracle: Oracle) -> None:
    found = whole(busy_broker.pcap)
    messages = FrameMessages.of(catalog)
    shown = FrameReader(messages, {}, is_json=True, include_secrets=True).read(batch_of(found)).to_pylist()
    questions = []
    for row in found:
        assert row.frame is not None
        assert row.api_key is not None
        assert row.api_version is not None
        answered = None if row.direction == "request" else (row.api_key, row.api_version)
        parsed = parse_frame(row.frame, answered, messages=messages)
        questions.append(Question("decode", parsed.message, parsed.version, hex=parsed.body.hex()))
    for question, row, answer in zip(questions, shown, oracle.ask_all(questions), strict=True):
        assert json.loads(row["bodyJson"]) == answer.json, question
