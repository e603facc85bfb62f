"""Frames are found in connections despite gaps, late starts, encryption, foreign protocols and unknown roles."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.capture.connections import Assembler, ConnectionRow
from messagegen_arrow.capture.packets import Packet
from messagegen_arrow.capture.segments import tcp_segment
from messagegen_arrow.capture.settings import CaptureSettings
from tests.arrow.support.capture_traffic import (
    Wire,
    conversation,
    frames,
    frames_of,
    problems,
    read,
    request,
    response,
    rows,
    sized,
    write_packets,
    write_pcap,
)
from tests.broker.pcap import Network

SAID = conversation(6)
NETWORKS = [
    Network(),
    Network(segment_size=7, reordered=0.3, retransmitted=0.3, first_sequence=2**32 - 20),
    Network(segment_size=1, reordered=0.5, retransmitted=0.5),
    Network(segment_size=40, reordered=0.9, retransmitted=0.1, seed=5),
]


@pytest.mark.parametrize("network", NETWORKS)
def test_frames_are_assembled_and_responses_are_paired_with_requests(tmp_path: Path, network: Network) -> None:
    found = read(write_pcap(tmp_path / "a.pcap", SAID, network))
    assert sorted(frames(each.row for each in found), key=str) == sorted(frames_of(SAID), key=str)
    assert {each.connection.connection for each in found} == {"127.0.0.1:40000 > 127.0.0.1:9092 #1"}
    assert {(each.connection.client, each.connection.broker) for each in found} == {
        ("127.0.0.1:40000", "127.0.0.1:9092")
    }
    for _, _, row in found:
        assert (row.api_key, row.api_version, row.client_id, row.problem) == (3, 9, "tests", None)
        assert row.frame is not None
        assert row.size == len(row.frame)
        assert (row.request_time is None) == (row.direction == "request")


def test_a_request_captured_after_its_response_is_paired_with_it(tmp_path: Path) -> None:
    wire = Wire()
    wire.open()
    wire.say([(True, sized(request(1))), (False, sized(response(1)))])
    wire.packets[3], wire.packets[4] = wire.packets[4], wire.packets[3]
    found = rows(write_packets(tmp_path / "a.pcap", wire.packets))
    assert [(row.direction, row.api_key) for row in found] == [("request", 3), ("response", 3)]


def test_requests_with_the_same_correlation_id_are_paired_in_order(tmp_path: Path) -> None:
    said = [(True, sized(request(0, version=version))) for version in (5, 9, 9)]
    said += [(False, sized(response(0, version=version))) for version in (5, 9, 9)]
    found = rows(write_pcap(tmp_path / "a.pcap", said))
    assert [row.api_version for row in found] == [5, 9, 9, 5, 9, 9]


def test_frames_are_found_in_a_capture_that_begins_within_a_connection(tmp_path: Path) -> None:
    wire = Wire()
    wire.packet(False, b"the end of a response")
    wire.packet(True, b"the end of a request")
    wire.say(SAID)
    wire.close()
    found = rows(write_packets(tmp_path / "a.pcap", wire.packets))
    assert frames(row for row in found if row.frame) == frames_of(SAID)
    assert problems(found) == ["MID_STREAM", "MID_STREAM"]
    skipped = {row.direction: row.problem for row in found if row.problem}
    assert (skipped["request"] or "").endswith("; 20 bytes are skipped")
    assert (skipped["response"] or "").endswith("; 21 bytes are skipped")


def test_a_frame_is_found_if_its_size_was_sent_in_a_separate_packet(tmp_path: Path) -> None:
    wire = Wire()
    for is_client, data in SAID:
        wire.packet(is_client, data[:4])
        wire.packet(is_client, data[4:])
    assert frames(rows(write_packets(tmp_path / "a.pcap", wire.packets))) == frames_of(SAID)


def test_a_gap_within_a_frame_loses_only_that_frame(tmp_path: Path) -> None:
    wire = Wire()
    wire.open()
    long = sized(request(1, client_id="x" * 50))
    wire.packet(True, long[:30])
    wire.packet(True, long[30:40], is_lost=True)
    # Neither request starts at the start of a packet, so only the size of the damaged frame shows where they are.
    wire.packet(True, long[40:] + sized(request(2)) + sized(request(3)))
    wire.close()
    found = rows(write_packets(tmp_path / "a.pcap", wire.packets))
    assert problems(found) == ["MISSING_BYTES"]
    assert [row.correlation_id for row in found] == [1, 2, 3]
    assert (found[0].frame, found[0].raw, found[0].size) == (None, long[4:30], len(long) - 4)
    assert [row.frame for row in found[1:]] == [request(2), request(3)]


def test_reading_resumes_at_the_first_plausible_frame_after_a_gap(tmp_path: Path) -> None:
    wire = Wire()
    wire.open()
    wire.say(SAID[:2])
    for is_client, data in SAID[2:8]:
        wire.packet(is_client, data, is_lost=True)
    wire.packet(True, b"no frame")
    wire.say(SAID[8:])
    wire.close()
    found = rows(write_packets(tmp_path / "a.pcap", wire.packets))
    whole = sorted(frames(row for row in found if row.frame), key=str)
    assert whole == sorted(frames_of(SAID[:2] + SAID[8:]), key=str)
    assert problems(found) == ["MISSING_BYTES", "MISSING_BYTES"]


def test_an_incomplete_frame_keeps_its_captured_bytes(tmp_path: Path) -> None:
    found = rows(write_pcap(tmp_path / "a.pcap", [(True, sized(request(1))[:-3]), (False, b"\0\0")]))
    assert problems(found) == ["CUT_OFF", "CUT_OFF"]
    assert found[0].raw == request(1)[:-3]


@pytest.mark.parametrize("size", [-1, 3, 2_000])
def test_an_impossible_size_is_an_error_and_allocates_nothing(tmp_path: Path, size: int) -> None:
    bad = size.to_bytes(4, "big", signed=True) + b"rest"
    said = [(True, sized(request(1))), (True, bad), (True, sized(request(2))), (True, sized(request(3)))]
    found = rows(write_pcap(tmp_path / "a.pcap", said), max_frame_bytes=1_000)
    assert problems(found) == ["BAD_SIZE"]
    assert [row.frame for row in found if row.frame] == [request(1), request(2), request(3)]


TLS_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(40)


@pytest.mark.parametrize("is_open", [True, False])
def test_an_encrypted_connection_is_one_row(tmp_path: Path, is_open: bool) -> None:
    wire = Wire()
    if is_open:
        wire.open()
    wire.say([(True, TLS_HELLO), (False, TLS_HELLO), (True, b"\x17\x03\x03\x00\x05secret"), (False, TLS_HELLO)])
    wire.close()
    found = rows(write_packets(tmp_path / "a.pcap", wire.packets))
    assert problems(found) == ["TLS"]
    assert found[0].raw is None


def test_a_connection_with_a_foreign_protocol_is_one_row_without_bytes(tmp_path: Path) -> None:
    said = [(True, b"GET / HTTP/1.1\r\nAuthorization: secret\r\n\r\n"), (False, b"HTTP/1.1 200 OK\r\n\r\n")] * 3
    found = rows(write_pcap(tmp_path / "a.pcap", said))
    assert problems(found) == ["NOT_KAFKA"]
    assert (found[0].frame, found[0].raw) == (None, None)


def test_retransmissions_after_the_end_open_no_new_connection(tmp_path: Path) -> None:
    wire = Wire()
    wire.open()
    wire.say(SAID)
    wire.close()
    path = write_packets(tmp_path / "a.pcap", [*wire.packets, *wire.packets[3:-2]])
    assert frames(rows(path)) == frames_of(SAID)


def test_named_ports_identify_the_broker_without_a_handshake(tmp_path: Path) -> None:
    wire = Wire(client_port=9000, broker_port=19092)
    wire.say([(False, sized(response(9))), *SAID])
    path = write_packets(tmp_path / "a.pcap", wire.packets)
    found = read(path, ports={19092})
    assert {each.connection.client for each in found} == {"10.0.0.1:9000"}
    assert problems(each.row for each in found) == ["MID_STREAM"]


def test_connections_without_a_named_broker_port_are_ignored(tmp_path: Path) -> None:
    path = write_pcap(tmp_path / "a.pcap", [(True, b"GET / HTTP/1.1\r\n\r\n")])
    assert rows(path, ports={9093}) == []
    assert problems(rows(path, ports={9092})) == ["NOT_KAFKA"]


def test_at_most_max_connections_are_kept(tmp_path: Path) -> None:
    packets = []
    for number in range(5):
        wire = Wire(client_port=40000 + number)
        wire.open()
        wire.say([(True, sized(request(1)))])
        packets += wire.packets
    assert len(rows(write_packets(tmp_path / "a.pcap", packets), max_connections=2)) == 5


def test_responses_that_wait_for_requests_take_bounded_memory(tmp_path: Path) -> None:
    wire = Wire()
    wire.open()
    wire.packet(True, sized(request(1)), is_lost=True)
    for number in range(1, 40):
        wire.packet(False, sized(response(number)))
        wire.packet(True, sized(request(number + 1)), is_lost=True)
    found = rows(write_packets(tmp_path / "a.pcap", wire.packets), max_reorder_bytes=2_000)
    assert set(problems(found)) == {"UNPAIRED", "MISSING_BYTES"}
    assert sum(row.frame is not None for row in found) == 39


@given(st.data())
def test_a_damaged_capture_contains_only_sent_frames_and_errors(data: st.DataObject) -> None:
    """Even if packets are lost, doubled or moved, a frame without an error is one of the frames that were sent."""
    wire = Wire()
    wire.open()
    sizes = st.integers(1, 40)
    for is_client, said in SAID[:8]:
        at = 0
        while at < len(said):
            end = at + data.draw(sizes)
            wire.packet(is_client, said[at:end])
            at = end
    packets = data.draw(st.permutations(wire.packets[3:]))[data.draw(st.integers(0, 5)) :]
    assembler = Assembler(CaptureSettings())
    found: list[ConnectionRow] = []
    for number, packet in enumerate([*wire.packets[:3], *packets, *packets[:3]]):
        segment = tcp_segment(Packet(number, 101, packet))
        assert segment is not None
        found += assembler.add(segment)
    found += assembler.finish()
    sent = set(frames_of(SAID))
    for _, row in found:
        if row.problem is None:
            assert (row.direction, row.frame) in sent
            assert row.api_key == 3
