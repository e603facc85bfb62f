"""Traffic to capture: frames of requests and responses, and packets that carry them."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import dpkt  # type: ignore[import-untyped]  # it comes without types

from messagegen_arrow.capture.dialogue import FrameRow
from messagegen_arrow.capture.reading import CaptureRow, read_captures
from messagegen_arrow.capture.settings import CaptureSettings
from messagegen_kafka import (
    MetadataRequest,
    MetadataResponse,
)
from messagegen_kafka.metadata_request import MetadataRequestTopic
from messagegen_kafka.metadata_response import MetadataResponseBroker
from tests.broker.pcap import Network, PcapFile

CLIENT_PORT = 40000
BROKER_PORT = 9092
SYN, ACK, FIN = 0x02, 0x10, 0x01


def request(correlation_id: int, body: Any = None, version: int = 9, client_id: str | None = "tests") -> bytes:
    """Return a frame without its size."""
    message: Any = MetadataRequest(topics=(MetadataRequestTopic(name="orders"),)) if body is None else body
    return bytes(message.encode_frame(version=version, correlation_id=correlation_id, client_id=client_id)[4:])


def response(correlation_id: int, body: Any = None, version: int = 9) -> bytes:
    """Return a frame without its size."""
    brokers = (MetadataResponseBroker(node_id=1, host="b1", port=9092),)
    message: Any = MetadataResponse(brokers=brokers, cluster_id="c") if body is None else body
    return bytes(message.encode_frame(version=version, correlation_id=correlation_id)[4:])


def sized(*frames: bytes) -> bytes:
    """Return frames as on the wire, each after its size."""
    return b"".join(struct.pack(">i", len(frame)) + frame for frame in frames)


Said = tuple[bool, bytes]
"""Whether the client sent the bytes, and the bytes."""


def conversation(count: int, first: int = 1) -> list[Said]:
    """Return requests and their responses, as wire bytes."""
    said: list[Said] = []
    for number in range(first, first + count):
        said += [(True, sized(request(number))), (False, sized(response(number)))]
    return said


def frames_of(said: Iterable[Said]) -> list[tuple[str, bytes]]:
    """Return the expected rows for a conversation of whole frames, as direction and frame."""
    return [("request" if is_client else "response", data[4:]) for is_client, data in said]


def write_pcap(
    path: Path, said: Iterable[Said], network: Network | None = None, client_port: int = CLIENT_PORT
) -> Path:
    """Write one connection, with its handshake and its end, and return the file."""
    file = PcapFile(path, network or Network())
    connection = file.open(client_port, BROKER_PORT)
    for is_client, data in said:
        connection.data(data, from_client=is_client)
    connection.close()
    file.close()
    return path


@dataclass
class Wire:
    """Packets of one connection. They are written one by one, and can be omitted, cut and moved."""

    client: str = "10.0.0.1"
    broker: str = "10.0.0.2"
    client_port: int = CLIENT_PORT
    broker_port: int = BROKER_PORT
    client_sequence: int = 1000
    broker_sequence: int = 5000

    def __post_init__(self) -> None:
        self.packets: list[bytes] = []

    def open(self) -> None:
        self._add(True, SYN, b"", acknowledged=0)
        self.client_sequence += 1
        self._add(False, SYN | ACK, b"")
        self.broker_sequence += 1
        self._add(True, ACK, b"")

    def say(self, said: Iterable[Said]) -> None:
        for is_client, data in said:
            self.packet(is_client, data)

    def packet(self, is_client: bool, data: bytes, *, is_lost: bool = False, snaplen: int | None = None) -> None:
        """Send a segment. The capture omits the segment if it ``is_lost``, and its data after ``snaplen`` bytes."""
        if not is_lost:
            self._add(is_client, ACK, data, snaplen=snaplen)
        self.skip(is_client, len(data))

    def skip(self, is_client: bool, count: int) -> None:
        if is_client:
            self.client_sequence = (self.client_sequence + count) % 2**32
        else:
            self.broker_sequence = (self.broker_sequence + count) % 2**32

    def close(self) -> None:
        for is_client in (True, False):
            self._add(is_client, FIN | ACK, b"")
            self.skip(is_client, 1)

    def _add(
        self, is_client: bool, flags: int, data: bytes, acknowledged: int | None = None, snaplen: int | None = None
    ) -> None:
        ports = (self.client_port, self.broker_port) if is_client else (self.broker_port, self.client_port)
        sequences = (self.client_sequence, self.broker_sequence)
        sequence, other = sequences if is_client else sequences[::-1]
        segment: Any = dpkt.tcp.TCP(
            sport=ports[0],
            dport=ports[1],
            seq=sequence,
            ack=other if acknowledged is None else acknowledged,
            flags=flags,
            data=data,
        )
        addresses = (self.client, self.broker) if is_client else (self.broker, self.client)
        packet = ip_packet(segment, *addresses)
        self.packets.append(packet if snaplen is None else packet[: len(packet) - len(data) + min(snaplen, len(data))])


def ip_packet(segment: Any, source: str, target: str) -> bytes:
    """Return an IPv4 or IPv6 packet, depending on the addresses."""
    if ":" in source:
        addresses = [ip_address(each).packed for each in (source, target)]
        packet: Any = dpkt.ip6.IP6(src=addresses[0], dst=addresses[1], nxt=6, hlim=64, plen=len(segment), data=segment)
        packet.extension_hdrs, packet.all_extension_headers = {}, []
        return bytes(packet)
    first, second = (ip_address(each).packed for each in (source, target))
    return bytes(dpkt.ip.IP(src=first, dst=second, p=6, ttl=64, len=20 + len(segment), data=segment))


def write_packets(
    path: Path, packets: Sequence[bytes], link_type: int = 101, first_time: float = 1_700_000_000
) -> Path:
    """Write a pcap file with packets that are a millisecond apart, and return it."""
    with path.open("wb") as file:
        writer = dpkt.pcap.Writer(file, snaplen=262_144, linktype=link_type)
        for number, packet in enumerate(packets):
            writer.writepkt(packet, ts=first_time + number / 1000)
    return path


def write_dump(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="ascii")
    return path


def read(*paths: Path, **settings: Any) -> list[CaptureRow]:
    return list(read_captures([str(path) for path in paths], CaptureSettings(**settings)))


def rows(*paths: Path, **settings: Any) -> list[FrameRow]:
    return [each.row for each in read(*paths, **settings)]


def frames(found: Iterable[FrameRow]) -> list[tuple[str | None, bytes | None]]:
    return [(row.direction, row.frame) for row in found]


def problems(found: Iterable[FrameRow]) -> list[str]:
    """Return the names of the problems, in order."""
    return [row.problem.split(":")[0] for row in found if row.problem is not None]
