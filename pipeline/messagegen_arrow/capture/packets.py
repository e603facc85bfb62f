"""Packets of capture files: pcap and pcapng, in any byte order and time resolution."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

from dpkt import UnpackError, pcap, pcapng  # type: ignore[import-untyped]  # it comes without types

PCAP_MAGICS: Final = frozenset(
    bytes.fromhex(magic) for magic in ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "a1b2cd34", "34cdb2a1")
)
"""First bytes of pcap files: microseconds, nanoseconds, and the modified format, in both byte orders."""
PCAPNG_MAGIC: Final = bytes.fromhex("0a0d0d0a")

# No capture program writes larger packets (Wireshark's limit); a damaged length must not allocate more memory.
_LARGEST_BLOCK: Final = 1 << 24
_MICROSECONDS: Final = 1_000_000
_FIRST_TIME: Final = -62_135_596_800 * _MICROSECONDS
_END_OF_TIME: Final = 253_402_300_800 * _MICROSECONDS
_TIME_OPTIONS: Final = {
    pcapng.PCAPNG_OPT_IF_TSRESOL: ("if_tsresol", 1),
    pcapng.PCAPNG_OPT_IF_TSOFFSET: ("if_tsoffset", 8),
}
"""Options of an interface to their names and sizes."""


class CaptureError(ValueError):
    """Raised if a capture file is damaged or truncated; the packets before that are valid."""


class Packet(NamedTuple):
    """A captured packet."""

    time: int
    """Microseconds since 1970."""
    link_type: int
    """The type of its first header (``LINKTYPE_`` numbers of tcpdump.org)."""
    data: bytes


def read_packets(file: IO[bytes], magic: bytes) -> Iterator[Packet]:
    """The packets of a file that begins with ``magic``, read from its first byte, in the order of capture.

    Raises ``CaptureError`` at the first packet that cannot be read.
    """
    bounded = _BoundedFile(file)
    try:
        yield from _ng_packets(bounded) if magic == PCAPNG_MAGIC else _pcap_packets(bounded)
    except (UnpackError, struct.error) as problem:
        raise CaptureError(f"the capture file is damaged: {problem}") from None
    if bounded.is_cut:
        raise CaptureError("the capture file ends within a packet; it was cut off, or is still being written")


class _BoundedFile:
    """A file that limits each read to the maximum size of a packet, and detects truncation."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.is_cut = False

    def read(self, count: int) -> bytes:
        if not 0 <= count <= _LARGEST_BLOCK:
            raise CaptureError(f"the capture file is damaged: a packet of {count} bytes")
        try:
            data = self._file.read(count)
        except EOFError:
            data = b""
            self.is_cut = True
        self.is_cut |= 0 < len(data) < count
        return data


def _pcap_packets(file: _BoundedFile) -> Iterator[Packet]:
    reader: Any = pcap.Reader(file)
    link_type: int = reader.datalink() & 0xFFFF
    for seconds, data in reader:
        if file.is_cut or not data:
            file.is_cut = True
            return
        yield Packet(round(seconds * _MICROSECONDS), link_type, data)


class _Interface(NamedTuple):
    link_type: int
    ticks: int
    """Timestamp units per second."""
    offset: int
    """Seconds to add."""


def _ng_packets(file: _BoundedFile) -> Iterator[Packet]:
    """All interfaces.

    dpkt's reader uses the link type of the first interface for all packets, but each interface has its own.
    """
    order = "<"
    interfaces: list[_Interface] = []
    while len(head := file.read(8)) == 8:
        if head.startswith(PCAPNG_MAGIC):
            mark = file.read(4)
            order = "<" if mark == struct.pack("<I", pcapng.BYTE_ORDER_MAGIC) else ">"
            if mark != struct.pack(f"{order}I", pcapng.BYTE_ORDER_MAGIC):
                raise CaptureError("the capture file is damaged: a section of unknown byte order")
            interfaces.clear()
            file.read(_length(order, head) - 12)
            continue
        kind: int = struct.unpack_from(f"{order}I", head)[0]
        block = head + file.read(_length(order, head) - 8)
        if file.is_cut or len(block) < 12:
            file.is_cut = True
            return
        if kind == pcapng.PCAPNG_BT_IDB:
            interfaces.append(_interface(order, block))
        elif kind in (pcapng.PCAPNG_BT_EPB, pcapng.PCAPNG_BT_PB):
            yield _ng_packet(order, block, kind, interfaces)


def _length(order: str, head: bytes) -> int:
    length: int = struct.unpack_from(f"{order}I", head, 4)[0]
    if length < 12 or length % 4:
        raise CaptureError(f"the capture file is damaged: a block of {length} bytes")
    return length


def _interface(order: str, block: bytes) -> _Interface:
    made: Any = (pcapng.InterfaceDescriptionBlockLE if order == "<" else pcapng.InterfaceDescriptionBlock)(block)
    ticks, offset = _MICROSECONDS, 0
    for option in made.opts:
        if option.code not in _TIME_OPTIONS:
            continue
        name, size = _TIME_OPTIONS[option.code]
        if len(option.data) != size:
            raise CaptureError(
                f"the capture file is damaged: an interface whose {name} has {len(option.data)} bytes, not {size}"
            )
        if option.code == pcapng.PCAPNG_OPT_IF_TSRESOL:
            power = option.data[0]
            ticks = 2 ** (power & 0x7F) if power & 0x80 else 10**power
        else:
            (offset,) = struct.unpack(f"{order}q", option.data)
    return _Interface(made.linktype, ticks, offset)


def _ng_packet(order: str, block: bytes, kind: int, interfaces: list[_Interface]) -> Packet:
    if kind == pcapng.PCAPNG_BT_EPB:
        made: Any = (pcapng.EnhancedPacketBlockLE if order == "<" else pcapng.EnhancedPacketBlock)(block)
    else:
        made = (pcapng.PacketBlockLE if order == "<" else pcapng.PacketBlock)(block)
    if made.iface_id >= len(interfaces):
        raise CaptureError(
            f"the capture file is damaged: a packet of interface {made.iface_id}, which it does not have"
        )
    interface = interfaces[made.iface_id]
    ticks = made.ts_high << 32 | made.ts_low
    time = interface.offset * _MICROSECONDS + ticks * _MICROSECONDS // interface.ticks
    if not _FIRST_TIME <= time < _END_OF_TIME:
        raise CaptureError("the capture file is damaged: a packet whose time is outside of years 1 to 9999")
    return Packet(time, interface.link_type, made.pkt_data)
