"""TCP segments from packets with common link types: Ethernet, VLANs, Linux cooked, loopback, raw IPv4 and IPv6."""

from __future__ import annotations

import struct
from ipaddress import ip_address
from typing import Any, Final, NamedTuple

from dpkt import UnpackError, ethernet, ip, ip6, loopback, sll, sll2, tcp  # type: ignore[import-untyped]  # no types

from messagegen_arrow.capture.packets import Packet

_IPV4_OR_6: Final = frozenset({12, 14, 101})
"""Link types of packets without a link header; the numbers depend on the system."""
_LINKS: Final[dict[int, Any]] = {
    0: loopback.Loopback,
    1: ethernet.Ethernet,
    108: loopback.Loopback,
    113: sll.SLL,
    228: ip.IP,
    229: ip6.IP6,
    276: sll2.SLL2,
}
_MOST_LAYERS: Final = 8
_WORD_BYTES: Final = 4
"""The unit of header lengths in IPv4 and TCP, in bytes."""

# dpkt creates the attributes of these classes from tables, so they have no types.
_IP4: Final[Any] = ip.IP
_IP6: Final[Any] = ip6.IP6
_TCP: Final[Any] = tcp.TCP


class End(NamedTuple):
    """One endpoint of a connection."""

    address: bytes
    """4 or 16 bytes."""
    port: int

    def __str__(self) -> str:
        """Return text such as ``10.0.0.1:9092`` or ``[::1]:9092``."""
        address = ip_address(self.address)
        return f"{address}:{self.port}" if address.version == 4 else f"[{address}]:{self.port}"


class Segment(NamedTuple):
    """A TCP segment of a connection."""

    time: int
    """Microseconds since 1970."""
    source: End
    target: End
    sequence: int
    acknowledged: int | None
    """The acknowledgement number: the next byte that the sender expects."""
    is_begin: bool
    is_end: bool
    is_reset: bool
    data: bytes
    length: int
    """The number of bytes on the wire; the capture may contain fewer (snaplen)."""


def is_known_link(link_type: int) -> bool:
    """Whether packets of this type can be read."""
    return link_type in _LINKS or link_type in _IPV4_OR_6


def tcp_segment(packet: Packet) -> Segment | None:
    """Return the segment in a packet; ``None`` for IP fragments, damaged headers, and other protocols than TCP."""
    try:
        network = _network_layer(packet)
        return None if network is None else _segment(packet.time, network)
    except (UnpackError, struct.error, LookupError, ValueError, AttributeError):
        # The bytes are untrusted, and for some of them dpkt raises exceptions other than its own.
        return None


def _network_layer(packet: Packet) -> Any:
    data = packet.data
    if packet.link_type in _IPV4_OR_6:
        is_ipv4 = data[0] >> 4 == 4
        return _IP4(data) if is_ipv4 else _IP6(data)
    if packet.link_type not in _LINKS:
        return None
    layer: Any = _LINKS[packet.link_type](data)
    for _ in range(_MOST_LAYERS):
        if isinstance(layer, (_IP4, _IP6)):
            return layer
        if isinstance(layer, bytes):
            return None
        layer = layer.data
    return None


def _segment(time: int, network: Any) -> Segment | None:
    segment = network.data
    if not isinstance(segment, _TCP):
        return None
    if isinstance(network, _IP4) and network.mf:
        return None
    data: bytes = segment.data
    tcp_bytes = _bytes_within(network)
    # A length of 0 means segmentation offload: the packet is complete.
    length = len(data) if tcp_bytes is None else tcp_bytes - segment.off * _WORD_BYTES
    flags: int = segment.flags
    return Segment(
        time=time,
        source=End(network.src, segment.sport),
        target=End(network.dst, segment.dport),
        sequence=segment.seq,
        acknowledged=segment.ack if flags & tcp.TH_ACK else None,
        is_begin=bool(flags & tcp.TH_SYN),
        is_end=bool(flags & tcp.TH_FIN),
        is_reset=bool(flags & tcp.TH_RST),
        data=data,
        length=max(length, len(data)),
    )


def _bytes_within(network: Any) -> int | None:
    """Return the number of TCP bytes that an IP packet had on the wire; ``None`` if its length field is 0."""
    if isinstance(network, _IP4):
        return network.len - network.hl * _WORD_BYTES if network.len else None
    extensions = sum(header.length for header in network.all_extension_headers)
    return network.plen - extensions if network.plen else None
