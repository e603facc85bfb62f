from __future__ import annotations

import gzip
import json
import socket
import struct
import threading
from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from messagegen_kafka import MetadataResponse, ResponseHeader
from tests.broker import Cluster
from tests.broker.capture import Capture
from tests.broker.frames import FrameFile
from tests.broker.pcap import Network, PcapFile, ip_packets
from tests.broker.ports import HOST, free_ports
from tests.broker.tools import JavaTools

SYN = 0x02
PATIENCE = 60
"""Seconds that only a test that fails waits."""
HARD = Network(segment_size=7, reordered=0.3, retransmitted=0.3, first_sequence=2**32 - 20)


def packets(path: Path) -> list[Any]:
    """The TCP packets of a file."""
    return [packet.data for packet in ip_packets(path)]


def reassembled(path: Path) -> dict[tuple[int, int], bytes]:
    """The stream of each (source port, target port): every segment laid where its sequence number says."""
    first: dict[tuple[int, int], int] = {}
    streams: defaultdict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    for packet in packets(path):
        key = (packet.sport, packet.dport)
        if packet.flags & SYN:
            first[key] = packet.seq + 1
        at = (packet.seq - first[key]) % 2**32
        for offset, byte in enumerate(packet.data):
            assert streams[key].setdefault(at + offset, byte) == byte
    for stream in streams.values():
        assert sorted(stream) == list(range(len(stream)))
    return {key: bytes(stream[at] for at in sorted(stream)) for key, stream in streams.items()}


@pytest.mark.parametrize("network", [Network(), HARD])
def test_streams_can_be_put_together_again(tmp_path: Path, network: Network) -> None:
    file = PcapFile(tmp_path / "a.pcap", network)
    connection, other = file.open(40000, 9092), file.open(40001, 9092)
    up, down = bytes(range(256)) * 20, b"answer" * 100
    connection.data(up, from_client=True)
    other.data(b"else", from_client=True)
    connection.data(down, from_client=False)
    connection.close()
    other.close()
    file.close()
    streams = reassembled(tmp_path / "a.pcap")
    assert streams == {(40000, 9092): up, (9092, 40000): down, (40001, 9092): b"else"}


def test_hard_networks_are_hard(tmp_path: Path) -> None:
    file = PcapFile(tmp_path / "a.pcap", HARD)
    connection = file.open(40000, 9092)
    connection.data(bytes(700), from_client=True)
    connection.close()
    file.close()
    sent = [packet.seq for packet in packets(tmp_path / "a.pcap") if packet.data]
    steps = [(after - before) % 2**32 for before, after in pairwise(sent)]
    assert sum(step > 2**31 for step in steps) > 10, "packets come late"
    assert len(sent) > 110, "packets come again"
    assert min(sent) < 1000 < max(sent), "sequence numbers wrap around"


def ones_complement_sum(data: bytes) -> int:
    """RFC 1071; 0xffff over a header with its checksum means that it is right."""
    total = sum(struct.unpack(f">{(len(data) + 1) // 2}H", data + bytes(len(data) % 2)))
    return total % 0xFFFF or 0xFFFF


def test_packets_have_right_checksums(tmp_path: Path) -> None:
    file = PcapFile(tmp_path / "a.pcap", Network())
    file.open(40000, 9092).data(b"odd", from_client=True)
    file.close()
    found = ip_packets(tmp_path / "a.pcap")
    assert len(found) == 5
    for packet in found:
        pseudo_header = struct.pack(">4s4sBBH", packet.src, packet.dst, 0, packet.p, packet.len - 20)
        assert packet.sum
        assert packet.data.sum
        assert ones_complement_sum(bytes(packet)[:20]) == 0xFFFF
        assert ones_complement_sum(pseudo_header + bytes(packet.data)) == 0xFFFF


def framed(body: bytes) -> bytes:
    return struct.pack(">i", len(body)) + body


def read_lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def test_frames_are_cut_and_paired(tmp_path: Path) -> None:
    file = FrameFile(tmp_path / "f.gz")
    connection = file.open(1)
    first, second = struct.pack(">hhi", 3, 12, 7) + b"body", struct.pack(">hhi", 18, 4, 8)
    for byte in framed(first) + framed(second):
        connection.data(bytes([byte]), from_client=True)
    answers = framed(struct.pack(">i", 8)) + framed(struct.pack(">i", 7) + b"x") + framed(struct.pack(">i", 9))
    connection.data(answers, from_client=False)
    connection.data(b"\xff\xff\xff\xff" + framed(first), from_client=True)
    file.close()
    lines = read_lines(tmp_path / "f.gz")
    assert [(line["dir"], line["api_key"], line["api_version"], line["correlation_id"]) for line in lines] == [
        ("request", 3, 12, 7),
        ("request", 18, 4, 8),
        ("response", 18, 4, 8),
        ("response", 3, 12, 7),
        ("response", None, None, 9),
    ]
    assert bytes.fromhex(lines[0]["hex"]) == first


def echo_server() -> tuple[socket.socket, int]:
    server = socket.create_server((HOST, 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                while data := connection.recv(1000):
                    connection.sendall(data)

    threading.Thread(target=serve, daemon=True).start()
    return server, server.getsockname()[1]


def test_the_proxy_forwards_both_ways_and_ends_with_its_block(tmp_path: Path) -> None:
    server, target = echo_server()
    (port,) = free_ports(1)
    frame = framed(struct.pack(">hhi", 3, 12, 7) + bytes(100_000))
    # Not as many packets as a network as hard as that makes of so many bytes: the proxy would take seconds for them.
    network = replace(HARD, segment_size=1000)
    with closing(server):
        with Capture({port: target}, pcap=tmp_path / "a.pcap", frames=tmp_path / "f.gz", network=network) as capture:
            with socket.create_connection((HOST, port), timeout=PATIENCE) as client:
                client.sendall(frame)
                client.shutdown(socket.SHUT_WR)
                client_port = client.getsockname()[1]
                assert b"".join(iter(lambda: client.recv(65536), b"")) == frame
            left_open = socket.create_connection((HOST, port), timeout=PATIENCE)
            left_open.sendall(b"\0")
            assert left_open.recv(1) == b"\0"
        assert left_open.recv(1) == b""
        left_open.close()
    assert capture.connections == 2
    streams = reassembled(tmp_path / "a.pcap")
    assert streams[client_port, port] == streams[port, client_port] == frame
    assert [line["dir"] for line in read_lines(tmp_path / "f.gz")] == ["request", "response"]


def test_nothing_is_left_where_the_block_fails(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    with (
        pytest.raises(KeyError),
        Capture({port: port}, pcap=tmp_path / "a.pcap", frames=tmp_path / "f.gz"),
    ):
        raise KeyError
    assert not list(tmp_path.iterdir())


def test_a_taken_port_is_an_error(tmp_path: Path) -> None:
    server, taken = echo_server()
    with (
        closing(server),
        pytest.raises(OSError, match="address already in use"),
        Capture({taken: 1}, pcap=tmp_path / "a.pcap", frames=tmp_path / "f.gz"),
    ):
        pass
    assert not list(tmp_path.iterdir())


def test_clients_of_the_captured_listener_are_written_down(
    broker: Cluster, java_tools: JavaTools, tmp_path: Path, topic_name: str
) -> None:
    frames = tmp_path / "f.gz"
    with Capture.of(broker, pcap=tmp_path / "a.pcap", frames=frames) as capture:
        topics = [{"name": topic_name}]
        java_tools.call("createTopics", broker, listener="CAPTURED", topics=topics)
        records = [{"topic": topic_name, "value": "seen"}]
        java_tools.call("produce", broker, listener="CAPTURED", records=records)
    lines = read_lines(frames)
    assert capture.frame_count == len(lines)
    assert {0, 3, 18, 19} <= {line["api_key"] for line in lines}
    assert any(b"seen" in bytes.fromhex(line["hex"]) for line in lines if line["api_key"] == 0)
    metadata = next(line for line in lines if line["api_key"] == 3 and line["dir"] == "response")
    data, version = bytes.fromhex(metadata["hex"]), metadata["api_version"]
    _, start = ResponseHeader.decode_from(data, version=MetadataResponse.header_version(version))
    response, _ = MetadataResponse.decode_from(data, start, version=version)
    assert [each.port for each in response.brokers] == [broker.capture_port()]
