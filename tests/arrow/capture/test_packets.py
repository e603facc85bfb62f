"""Packets are found in capture files of all formats and link types."""

from __future__ import annotations

import contextlib
import gzip
import io
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dpkt  # type: ignore[import-untyped]  # it comes without types
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow import read_capture
from messagegen_arrow.capture.packets import PCAPNG_MAGIC, CaptureError, Packet, read_packets
from messagegen_arrow.capture.segments import tcp_segment
from tests.arrow.support.capture_traffic import Wire, conversation, frames, frames_of, problems, rows, write_packets

SAID = conversation(3)
MAC = b"\x02" * 6


def wire(**ends: Any) -> Wire:
    made = Wire(**ends)
    made.open()
    made.say(SAID)
    made.close()
    return made


def ethernet(packet: bytes, tags: bytes = b"") -> bytes:
    kind = b"\x86\xdd" if packet[0] >> 4 == 6 else b"\x08\x00"
    return MAC + MAC + tags + kind + packet


def cooked(packet: bytes) -> bytes:
    return struct.pack(">HHH8sH", 0, 1, 6, MAC, 0x0800) + packet


def cooked_v2(packet: bytes) -> bytes:
    return struct.pack(">HHIHBB8s", 0x0800, 0, 3, 1, 0, 6, MAC) + packet


LINKS: dict[str, tuple[int, Callable[[bytes], bytes]]] = {
    "raw": (101, bytes),
    "raw of BSD": (12, bytes),
    "raw IPv4": (228, bytes),
    "ethernet": (1, ethernet),
    "a VLAN": (1, lambda packet: ethernet(packet, b"\x81\x00\x00\x07")),
    "a VLAN in a VLAN": (1, lambda packet: ethernet(packet, b"\x88\xa8\x00\x07\x81\x00\x00\x08")),
    "ethernet with padding": (1, lambda packet: ethernet(packet) + bytes(18)),
    "Linux cooked": (113, cooked),
    "Linux cooked v2": (276, cooked_v2),
    "BSD loopback": (0, lambda packet: struct.pack("<I", 2) + packet),
    "BSD loopback, big-endian": (0, lambda packet: struct.pack(">I", 2) + packet),
    "OpenBSD loopback": (108, lambda packet: struct.pack(">I", 2) + packet),
}


@pytest.mark.parametrize("name", LINKS)
def test_frames_are_read_from_every_link_type(tmp_path: Path, name: str) -> None:
    link_type, wrapped = LINKS[name]
    path = write_packets(tmp_path / "a.pcap", [wrapped(packet) for packet in wire().packets], link_type)
    assert frames(rows(path)) == frames_of(SAID)


@pytest.mark.parametrize(("link_type", "wrapped"), [(101, bytes), (229, bytes), (1, ethernet)])
def test_frames_are_read_from_ipv6(tmp_path: Path, link_type: int, wrapped: Any) -> None:
    packets = wire(client="fd00::1", broker="::1").packets
    found = rows(write_packets(tmp_path / "a.pcap", [wrapped(packet) for packet in packets], link_type))
    assert frames(found) == frames_of(SAID)


def test_an_unknown_link_type_is_reported_once(tmp_path: Path) -> None:
    found = rows(write_packets(tmp_path / "a.pcap", wire().packets, 147))
    assert [row.problem for row in found] == ["UNKNOWN_LINK: packets of link type 147 can't be read"]


def pcap(packets: list[bytes], order: str, magic: int, unit: int) -> bytes:
    made = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 65535, 101)
    for number, packet in enumerate(packets):
        made += struct.pack(f"{order}IIII", 1_700_000_000, number * unit, len(packet), len(packet)) + packet
    return made


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(("magic", "unit"), [(0xA1B2C3D4, 1000), (0xA1B23C4D, 1_000_000)])
def test_pcap_is_read_in_both_byte_orders_and_resolutions(tmp_path: Path, order: str, magic: int, unit: int) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(pcap(wire().packets, order, magic, unit))
    found = rows(path)
    assert frames(found) == frames_of(SAID)
    assert [row.time for row in found] == [1_700_000_000_000_000 + number * 1000 for number in range(3, 9)]


def block(order: str, kind: int, body: bytes) -> bytes:
    body += bytes(-len(body) % 4)
    length = struct.pack(f"{order}I", len(body) + 12)
    return struct.pack(f"{order}I", kind) + length + body + length


def section(order: str) -> bytes:
    return block(order, 0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1))


def interface(order: str, link_type: int, resolution: int | None = None) -> bytes:
    options = b"" if resolution is None else struct.pack(f"{order}HHB3xHH", 9, 1, resolution, 0, 0)
    return block(order, 1, struct.pack(f"{order}HHI", link_type, 0, 0) + options)


def enhanced(order: str, number: int, ticks: int, packet: bytes) -> bytes:
    head = struct.pack(f"{order}IIIII", number, ticks >> 32, ticks & 0xFFFFFFFF, len(packet), len(packet))
    return block(order, 6, head + packet)


@pytest.mark.parametrize("order", "<>")
def test_pcapng_interfaces_can_differ_in_link_type_and_resolution(tmp_path: Path, order: str) -> None:
    seconds = 1_700_000_000
    made = section(order) + interface(order, 101) + block(order, 5, bytes(12)) + interface(order, 1, 9)
    for number, packet in enumerate(wire().packets):
        if number % 2:
            made += enhanced(order, 1, seconds * 10**9 + number * 10**6, ethernet(packet))
        else:
            made += enhanced(order, 0, seconds * 10**6 + number * 10**3, packet)
    path = tmp_path / "a.pcapng"
    path.write_bytes(made)
    found = rows(path)
    assert frames(found) == frames_of(SAID)
    assert [row.time for row in found] == [seconds * 10**6 + number * 1000 for number in range(3, 9)]


def with_options(options: bytes) -> bytes:
    """Return an interface with these options, and a packet with the largest possible time."""
    described = block("<", 1, struct.pack("<HHI", 101, 0, 0) + options)
    return section("<") + described + enhanced("<", 0, (1 << 64) - 1, wire().packets[3])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (struct.pack("<HHHH", 9, 0, 0, 0), "an interface whose if_tsresol has 0 bytes, not 1"),
        (struct.pack("<HH4s", 9, 4, b"\6" * 4), "an interface whose if_tsresol has 4 bytes, not 1"),
        (struct.pack("<HHHH", 14, 0, 0, 0), "an interface whose if_tsoffset has 0 bytes, not 8"),
        (struct.pack("<HHqHH", 14, 8, 1 << 62, 0, 0), "a packet whose time is outside of years 1 to 9999"),
        (struct.pack("<HHB3xHH", 9, 1, 0, 0, 0), "a packet whose time is outside of years 1 to 9999"),
    ],
)
def test_invalid_pcapng_options_yield_an_error_row(tmp_path: Path, options: bytes, reason: str) -> None:
    path = tmp_path / "a.pcapng"
    path.write_bytes(with_options(options))
    assert [row["_error"]["message"] for batch in read_capture(path) for row in batch.to_pylist()] == [
        f"BAD_FILE: the capture file is damaged: {reason}"
    ]


@given(st.binary(max_size=60).map(lambda data: data[: len(data) // 4 * 4]))
def test_reading_random_pcapng_options_returns_packets_or_raises_capture_error(options: bytes) -> None:
    whole = with_options(options)
    with contextlib.suppress(CaptureError):
        list(read_packets(io.BytesIO(whole), PCAPNG_MAGIC))


@pytest.mark.parametrize("name", ["a.pcap", "a.pcap.gz"])
def test_a_truncated_file_yields_its_complete_packets_and_an_error(tmp_path: Path, name: str) -> None:
    data = write_packets(tmp_path / "whole.pcap", wire().packets).read_bytes()
    path = tmp_path / name
    path.write_bytes(gzip.compress(data)[:-30] if name.endswith(".gz") else data[:-30])
    found = rows(path)
    assert frames(found)[: len(SAID) - 1] == frames_of(SAID)[:-1]
    assert problems(found) == ["BAD_FILE"]


@pytest.mark.parametrize("data", [b"no capture at all", b"\x1f\x8bnot gzipped", b"\xd4\xc3\xb2\xa1short"])
def test_a_file_that_is_not_a_capture_is_one_error_row(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(data)
    assert problems(rows(path)) == ["BAD_FILE"]


def test_an_impossible_packet_length_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(pcap([], "<", 0xA1B2C3D4, 1) + struct.pack("<IIII", 0, 0, 0xFFFFFFF0, 60))
    assert [row.problem for row in rows(path)] == [
        "BAD_FILE: the capture file is damaged: a packet of 4294967280 bytes"
    ]


@given(st.data())
def test_reading_a_damaged_packet_returns_a_segment_or_none(data: st.DataObject) -> None:
    packet = bytearray(ethernet(data.draw(st.sampled_from(wire().packets))))
    for place in data.draw(st.lists(st.integers(0, min(len(packet), 60) - 1), max_size=4)):
        packet[place] = data.draw(st.integers(0, 255))
    segment = tcp_segment(Packet(0, 1, bytes(packet[: data.draw(st.integers(0, len(packet)))])))
    assert segment is None or segment.length >= len(segment.data)


@given(st.binary(max_size=300), st.sampled_from([b"\xd4\xc3\xb2\xa1", b"\xa1\xb2\x3c\x4d", PCAPNG_MAGIC, section("<")]))
def test_reading_random_files_returns_packets_or_raises_capture_error(data: bytes, begin: bytes) -> None:
    whole = begin + data
    try:
        for packet in read_packets(io.BytesIO(whole), whole[:4]):
            assert len(packet.data) <= len(whole)
    except CaptureError:
        pass


def test_fragments_of_ip_packets_are_ignored() -> None:
    packet: Any = dpkt.ip.IP(wire().packets[3])
    assert tcp_segment(Packet(0, 101, bytes(packet))) is not None
    packet.mf = 1
    assert tcp_segment(Packet(0, 101, bytes(packet))) is None


class _Pipe(io.RawIOBase):
    """A pipe that returns its first bytes one by one."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._data.read(1 if self._data.tell() < 8 else len(buffer))
        buffer[: len(data)] = data
        return len(data)


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_a_pipe_is_read_even_if_its_first_bytes_arrive_one_by_one(
    tmp_path: Path, packed: Callable[[bytes], bytes]
) -> None:
    data = write_packets(tmp_path / "a.pcap", wire().packets, 101).read_bytes()
    found = pa.table(read_capture(io.BufferedReader(_Pipe(packed(data)))))
    assert [row["_error"] for row in found.to_pylist()] == [None] * len(frames_of(SAID))
