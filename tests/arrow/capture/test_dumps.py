"""Frame dumps: JSON lines in the form of the tests' capturing proxy, and in other forms."""

from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.capture.files import CapturePathError, find_captures
from messagegen_arrow.capture.framing import has_size
from messagegen_kafka import ProduceRequest, SaslHandshakeRequest
from tests.arrow.support.capture_traffic import (
    conversation,
    frames,
    frames_of,
    problems,
    read,
    request,
    response,
    rows,
    sized,
    write_dump,
)

SAID = conversation(4)


def lines(**more: Any) -> list[dict[str, Any]]:
    return [
        {"conn": 1, "dir": direction, "t": number / 4, "hex": frame.hex(), **more}
        for number, (direction, frame) in enumerate(frames_of(SAID))
    ]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_frames_get_the_api_key_and_version_from_their_line(tmp_path: Path, name: str) -> None:
    path = write_dump(tmp_path / name, lines(api_key=3, api_version=9, anything=["else"]))
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(path.read_bytes()))
    found = read(path)
    assert frames(each.row for each in found) == frames_of(SAID)
    assert [each.row.time for each in found] == [number * 250_000 for number in range(8)]
    assert [each.row.request_time for each in found][:4] == [None, 0, None, 500_000]
    assert {each.connection.connection for each in found} == {"1"}
    assert {(each.row.api_key, each.row.api_version, each.row.problem) for each in found} == {(3, 9, None)}


def test_responses_without_api_key_are_paired(tmp_path: Path) -> None:
    found = rows(write_dump(tmp_path / "a.jsonl", lines()))
    assert {(row.api_key, row.api_version, row.client_id) for row in found} == {(3, 9, "tests")}


def test_an_unpaired_response_gets_the_api_key_and_version_from_its_line(tmp_path: Path) -> None:
    line = {"conn": "a", "dir": "response", "hex": response(1).hex(), "api_key": 18, "api_version": 4}
    (row,) = rows(write_dump(tmp_path / "a.jsonl", [line]))
    assert (row.api_key, row.api_version, row.correlation_id, row.problem, row.time) == (18, 4, 1, None, None)


def test_a_response_without_a_known_request_is_unpaired(tmp_path: Path) -> None:
    line = {"conn": 1, "dir": "response", "hex": response(1).hex(), "api_key": None, "api_version": None}
    found = rows(write_dump(tmp_path / "a.jsonl", [line]))
    assert problems(found) == ["UNPAIRED"]
    assert found[0].frame == response(1)


@pytest.mark.parametrize("order", [(3, 1, 2), (2, 3, 1), (3, 2, 1)])
def test_responses_in_a_different_order_than_the_requests_are_paired(tmp_path: Path, order: tuple[int, ...]) -> None:
    said = [("request", request(number)) for number in (1, 2, 3)]
    said += [("response", response(number)) for number in (*order, 1)]
    dump = [
        {"conn": 1, "dir": direction, "t": number, "hex": data.hex()} for number, (direction, data) in enumerate(said)
    ]
    found = rows(write_dump(tmp_path / "a.jsonl", dump))
    responses = [(row.correlation_id, row.api_key, row.request_time) for row in found[3:6]]
    assert responses == [(number, 3, 1_000_000 * (number - 1)) for number in order]
    # The second response to request 1 is unpaired, because the first response has already answered it.
    assert problems(found) == ["UNPAIRED"]
    assert found[-1].problem is not None


def test_the_oldest_waiting_requests_are_forgotten_above_the_limit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("messagegen_arrow.capture.dialogue.MOST_WAITING", 2)
    said = [("request", request(1, client_id="x" * 1001)), *(("request", request(number)) for number in (2, 3, 4, 5))]
    said += [("response", response(number)) for number in (5, 4, 3, 2, 1)]
    dump = [{"conn": 1, "dir": direction, "hex": data.hex()} for direction, data in said]
    found = rows(write_dump(tmp_path / "a.jsonl", dump))
    assert [row.correlation_id for row in found if row.problem is not None] == [3, 2, 1]


def test_sasl_tokens_in_frame_dumps_are_hidden(tmp_path: Path) -> None:
    asked = request(0, SaslHandshakeRequest(mechanism="PLAIN"), 0)
    said = [("request", asked), ("response", bytes(10)), ("request", b"\0alice\0hunter2"), ("response", b"")]
    dump = [{"conn": 1, "dir": direction, "hex": data.hex()} for direction, data in said]
    found = rows(write_dump(tmp_path / "a.jsonl", dump))
    assert problems(found) == ["SASL_TOKEN", "SASL_TOKEN"]
    assert "hunter2" not in repr(found[2])


EXPECTED = 'expected a line such as {"conn": 1, "dir": "request", "hex": "..."}'
BAD_LINES = {
    "{": f"it is not valid JSON; {EXPECTED}",
    "[" * 100_000: f"it is not valid JSON; {EXPECTED}",
    "[]": f"it is not a JSON object; {EXPECTED}",
    '{"conn": 1, "hex": "00"}': f"it lacks conn, dir or hex; {EXPECTED}",
    '{"conn": 1, "dir": "request"}': f"it lacks conn, dir or hex; {EXPECTED}",
    '{"conn": 1, "dir": "up", "hex": "00"}': 'dir must be "request" or "response"',
    json.dumps({"conn": 1, "dir": "request", "hex": sized(request(1)).hex()}): (
        "its hex begins with the 4-byte size of the frame; write hex without it"
    ),
    '{"conn": true, "dir": "request"}': "conn must be int or str",
    '{"conn": 1, "dir": "request", "hex": "0g"}': "hex must have hexadecimal digits only",
    '{"conn": 1, "dir": "request", "t": 1e99, "hex": ""}': "t must be a time in seconds",
    '{"conn": 1, "dir": "response", "hex": "00000001", "api_key": 99999, "api_version": 1}': (
        "api_key and api_version are numbers of 16 bits"
    ),
    '{"conn": 1, "dir": "request", "hex": "' + "00" * 2000 + '"}': "its frame has 2000 bytes (max_frame_bytes is 1000)",
    '{"conn": 1, "dir": "request", "hex": "' + "00" * 600_000 + '"}': "it is longer than 1050576 bytes",
}


@pytest.mark.parametrize("line", BAD_LINES, ids=BAD_LINES.values())
def test_a_bad_line_is_a_row_with_a_reason_and_affects_no_other_row(tmp_path: Path, line: str) -> None:
    path = write_dump(tmp_path / "a.jsonl", lines())
    good = path.read_text("ascii")
    path.write_text(f"{good}\n{line}\n{good}", "ascii")
    found = rows(path, max_frame_bytes=1000)
    assert frames(row for row in found if row.frame) == frames_of(SAID) * 2
    assert [row.problem for row in found if row.problem] == [f"BAD_LINE: line 10 is not a frame: {BAD_LINES[line]}"]


@given(api_key=st.integers(1, 3), version=st.integers(0, 25), correlation_id=st.integers(0, 2**31 - 1))
def test_no_frame_without_its_size_looks_like_one_with_it(api_key: int, version: int, correlation_id: int) -> None:
    head = struct.pack(">hhih", api_key, version, correlation_id, -1)
    # This length is the most doubtful, because the first four bytes fit it.
    length = int.from_bytes(head[:4]) + 4
    assert not has_size(head.ljust(length, b"\0"))


@pytest.mark.parametrize("version", ProduceRequest.VALID_VERSIONS)
def test_the_shortest_produce_request_is_not_mistaken_for_a_frame_with_its_size(version: int) -> None:
    assert not has_size(request(1, ProduceRequest(), version, None))


@pytest.mark.parametrize("body", [b"", bytes(70_000)])
def test_a_frame_with_its_size_is_detected(body: bytes) -> None:
    assert has_size(sized(request(7) + body))
    assert not has_size(request(7) + body)


def test_a_frame_that_is_too_short_for_a_header_is_kept(tmp_path: Path) -> None:
    found = rows(write_dump(tmp_path / "a.jsonl", [{"conn": 1, "dir": "request", "hex": "0003"}]))
    assert problems(found) == ["BAD_HEADER"]
    assert found[0].raw == b"\0\3"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/nowhere/a.pcap", "/nowhere/a.pcap does not exist"),
        ("/nowhere/*.pcap", "does not exist"),
    ],
)
def test_paths_without_captures_are_errors(path: str, message: str) -> None:
    with pytest.raises(CapturePathError, match=message.replace("*", r"\*")):
        find_captures([path])
