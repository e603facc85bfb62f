"""Writes TCP streams as a packet capture file, with made-up Ethernet, IPv4 and TCP headers around real bytes.

Options make reassembly hard: small segments, reordered packets, retransmissions, sequence numbers that wrap around.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import dpkt  # type: ignore[import-untyped]  # it comes without types

_LOOPBACK: Final = bytes((127, 0, 0, 1))
_CLIENT_MAC: Final = bytes.fromhex("020000000001")
_SERVER_MAC: Final = bytes.fromhex("020000000002")
_WINDOW: Final = 65535
_SEQUENCE_NUMBERS: Final = 2**32


@dataclass(frozen=True, slots=True)
class Network:
    """The behaviour of the made-up network.

    ``segment_size`` is the maximum number of data bytes in a packet. ``reordered`` and ``retransmitted`` are fractions
    of the data packets, 0 to 1. A reordered packet comes after the next packet of its direction. A retransmitted packet
    is sent again later; half of the retransmissions share a segment with newer bytes. ``first_sequence`` is the
    sequence number of each connection's first byte (``None``: any number).
    """

    segment_size: int = 1460
    reordered: float = 0.0
    retransmitted: float = 0.0
    first_sequence: int | None = None
    seed: int = 0


class PcapFile:
    """Writes connections into a pcap file. Packets have the time of writing, and are in the order of capture."""

    def __init__(self, path: Path, network: Network) -> None:
        self._file = path.open("wb")
        self._writer = dpkt.pcap.Writer(self._file, snaplen=262_144)
        self._chance = random.Random(network.seed)
        self._network = network

    def open(self, client_port: int, server_port: int) -> PcapConnection:
        """Start a connection with a handshake."""
        return PcapConnection(self, self._network, self._chance, client_port, server_port)

    def write(self, frame: bytes) -> None:
        """Write one Ethernet frame."""
        self._writer.writepkt(frame, ts=time.time())

    def close(self) -> None:
        """Complete the file."""
        self._file.close()


class _Direction:
    """One direction of a connection: its ports, the number of its next byte, and packets to send again or late."""

    def __init__(self, source: int, target: int, sequence: int, *, from_client: bool) -> None:
        self.source, self.target = source, target
        self.sequence = sequence
        self.from_client = from_client
        self.late: bytes | None = None
        self.last: tuple[int, bytes] | None = None


class PcapConnection:
    """One TCP connection in the file: call ``data`` for all bytes as they pass, and ``close`` at the end."""

    def __init__(
        self, file: PcapFile, network: Network, chance: random.Random, client_port: int, server_port: int
    ) -> None:
        self._file, self._network, self._chance = file, network, chance
        self._client = _Direction(client_port, server_port, self._first_sequence(), from_client=True)
        self._server = _Direction(server_port, client_port, self._first_sequence(), from_client=False)
        self._control(self._client, dpkt.tcp.TH_SYN)
        self._control(self._server, dpkt.tcp.TH_SYN | dpkt.tcp.TH_ACK)
        self._acknowledge(self._client)

    def data(self, data: bytes, *, from_client: bool) -> None:
        """Add bytes from one direction, in as many packets as needed."""
        direction = self._client if from_client else self._server
        size = self._network.segment_size
        for start in range(0, len(data), size):
            self._segment(direction, data[start : start + size])
        self._acknowledge(self._server if from_client else self._client)

    def close(self) -> None:
        """End the connection in both directions."""
        for direction in (self._client, self._server):
            self._send_late(direction)
            self._control(direction, dpkt.tcp.TH_FIN | dpkt.tcp.TH_ACK)
        self._acknowledge(self._client)

    def _segment(self, direction: _Direction, data: bytes) -> None:
        again = self._retransmission(direction, data)
        packet = self._packet(direction, direction.sequence, dpkt.tcp.TH_ACK | dpkt.tcp.TH_PUSH, data)
        direction.last = (direction.sequence, data)
        direction.sequence = (direction.sequence + len(data)) % _SEQUENCE_NUMBERS
        if direction.late is None and self._chance.random() < self._network.reordered:
            direction.late = packet
            return
        self._file.write(packet)
        self._send_late(direction)
        if again is not None:
            self._file.write(again)

    def _retransmission(self, direction: _Direction, data: bytes) -> bytes | None:
        """Return the segment before ``data`` again, either by itself or in one packet with newer bytes."""
        if direction.last is None or self._chance.random() >= self._network.retransmitted:
            return None
        sequence, before = direction.last
        longer = self._chance.random() < 0.5
        content = (before + data)[: self._network.segment_size] if longer else before
        return self._packet(direction, sequence, dpkt.tcp.TH_ACK, content)

    def _send_late(self, direction: _Direction) -> None:
        if direction.late is not None:
            self._file.write(direction.late)
            direction.late = None

    def _control(self, direction: _Direction, flags: int) -> None:
        self._file.write(self._packet(direction, direction.sequence, flags, b""))
        # SYN and FIN count as one byte each (RFC 9293, section 3.4).
        direction.sequence = (direction.sequence + 1) % _SEQUENCE_NUMBERS

    def _acknowledge(self, direction: _Direction) -> None:
        self._file.write(self._packet(direction, direction.sequence, dpkt.tcp.TH_ACK, b""))

    def _packet(self, direction: _Direction, sequence: int, flags: int, data: bytes) -> bytes:
        other = self._server if direction is self._client else self._client
        # The first packet of a connection has nothing to acknowledge.
        acknowledged = 0 if flags == dpkt.tcp.TH_SYN else other.sequence
        segment: Any = dpkt.tcp.TCP(
            sport=direction.source,
            dport=direction.target,
            seq=sequence,
            ack=acknowledged,
            flags=flags,
            win=_WINDOW,
            data=data,
        )
        packet: Any = dpkt.ip.IP(
            src=_LOOPBACK, dst=_LOOPBACK, p=dpkt.ip.IP_PROTO_TCP, ttl=64, data=segment, len=40 + len(data)
        )
        macs = (_CLIENT_MAC, _SERVER_MAC) if direction.from_client else (_SERVER_MAC, _CLIENT_MAC)
        frame: Any = dpkt.ethernet.Ethernet(src=macs[0], dst=macs[1], type=dpkt.ethernet.ETH_TYPE_IP, data=packet)
        return bytes(frame)

    def _first_sequence(self) -> int:
        first = self._network.first_sequence
        return self._chance.randrange(_SEQUENCE_NUMBERS) if first is None else first % _SEQUENCE_NUMBERS
