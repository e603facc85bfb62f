"""Packets of capture files: pcap and pcapng, in any byte order and time resolution.

dpkt reads pcap files, and the blocks of pcapng files. Its reader for whole pcapng files is not used, because it assigns
the link type of the first interface to all packets. ``docs/design/008-pipeline.md`` explains why no other library is
used.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, Any, Final, NamedTuple

from dpkt import UnpackError, pcap, pcapng  # type: ignore[import-untyped]  # it has no types

PCAP_MAGICS: Final = frozenset(
    bytes.fromhex(magic) for magic in ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "a1b2cd34", "34cdb2a1")
)
"""The first bytes of pcap files: microseconds, nanoseconds, and the modified format, in both byte orders."""
PCAPNG_MAGIC: Final = bytes.fromhex("0a0d0d0a")

# No capture program writes larger packets (this is Wireshark's limit), and a damaged length must not allocate more
# memory.
_LARGEST_BLOCK: Final = 1 << 24
_BLOCK_HEAD_BYTES: Final = 8
"""The size of the type and the length of a pcapng block."""
_LEAST_BLOCK_BYTES: Final = 12
"""The minimum size of a block: its head, and its length again."""
_BYTE_ORDER_BYTES: Final = 4
_BASE_IS_2: Final = 0x80
"""The bit that is set in a time resolution with base 2; if it is not set, the base is 10."""
_MICROSECONDS: Final = 1_000_000
_FIRST_TIME: Final = -62_135_596_800 * _MICROSECONDS
_END_OF_TIME: Final = 253_402_300_800 * _MICROSECONDS
_TIME_OPTIONS: Final = {
    pcapng.PCAPNG_OPT_IF_TSRESOL: ("if_tsresol", 1),
    pcapng.PCAPNG_OPT_IF_TSOFFSET: ("if_tsoffset", 8),
}
"""The name and the size of each interface option about time."""


class CaptureError(ValueError):
    """Raised if a capture file is damaged or truncated; the packets before that are valid."""


class Packet(NamedTuple):
    """A captured packet."""

    time: int
    """Microseconds since 1970."""
    link_type: int
    """The type of the packet's first header (a ``LINKTYPE_`` number of tcpdump.org)."""
    data: bytes


def read_packets(file: IO[bytes], magic: bytes) -> Iterator[Packet]:
    """Yield the packets of a file that begins with ``magic``, in the order of capture. ``file`` is at its first byte.

    Raises ``CaptureError`` at the first packet that cannot be read.
    """
    bounded = _BoundedFile(file)
    try:
        if magic == PCAPNG_MAGIC:
            yield from _PcapngReader(bounded).packets()
        else:
            yield from _pcap_packets(bounded)
    except (UnpackError, struct.error) as problem:
        raise CaptureError(f"the capture file is damaged: {problem}") from None
    if bounded.is_cut:
        raise CaptureError("the capture file ends within a packet; it was cut off, or is still being written")


class _BoundedFile:
    """A file that limits each read to the maximum size of a packet and detects truncation."""

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
    """A network interface on which packets were captured."""

    link_type: int
    ticks: int
    """Timestamp units per second."""
    offset: int
    """The seconds to add to timestamps."""


class _PcapngReader:
    """Reads the packets of all interfaces in a pcapng file."""

    def __init__(self, file: _BoundedFile) -> None:
        self._file = file
        self._order = "<"
        """The byte order of the current section."""
        self._interfaces: list[_Interface] = []
        """The interfaces of the current section; packets refer to them by number."""

    def packets(self) -> Iterator[Packet]:
        """Yield the packets, up to the end of the file or the first incomplete block."""
        while len(head := self._file.read(_BLOCK_HEAD_BYTES)) == _BLOCK_HEAD_BYTES:
            if head.startswith(PCAPNG_MAGIC):
                self._begin_section(head)
                continue
            block = head + self._file.read(self._length(head) - len(head))
            if self._file.is_cut or len(block) < _LEAST_BLOCK_BYTES:
                self._file.is_cut = True
                return
            kind: int = struct.unpack_from(f"{self._order}I", block)[0]
            if kind == pcapng.PCAPNG_BT_IDB:
                self._interfaces.append(self._interface(block))
            elif kind in (pcapng.PCAPNG_BT_EPB, pcapng.PCAPNG_BT_PB):
                yield self._packet(kind, block)

    def _begin_section(self, head: bytes) -> None:
        """Read the rest of a section header; its first four bytes determine the byte order."""
        mark = self._file.read(_BYTE_ORDER_BYTES)
        for order in ("<", ">"):
            if mark == struct.pack(f"{order}I", pcapng.BYTE_ORDER_MAGIC):
                self._order = order
                break
        else:
            raise CaptureError("the capture file is damaged: a section of unknown byte order")
        self._interfaces.clear()
        self._file.read(self._length(head) - len(head) - len(mark))

    def _length(self, head: bytes) -> int:
        """Return the length of a block, including its head."""
        length: int = struct.unpack_from(f"{self._order}I", head, 4)[0]
        if length < _LEAST_BLOCK_BYTES or length % 4:
            raise CaptureError(f"the capture file is damaged: a block of {length} bytes")
        return length

    def _interface(self, block: bytes) -> _Interface:
        is_little = self._order == "<"
        parse: Any = pcapng.InterfaceDescriptionBlockLE if is_little else pcapng.InterfaceDescriptionBlock
        described = parse(block)
        ticks = _MICROSECONDS
        offset = 0
        for option in described.opts:
            if option.code not in _TIME_OPTIONS:
                continue
            name, size = _TIME_OPTIONS[option.code]
            if len(option.data) != size:
                found = len(option.data)
                raise CaptureError(
                    f"the capture file is damaged: an interface whose {name} has {found} bytes, not {size}"
                )
            if option.code == pcapng.PCAPNG_OPT_IF_TSRESOL:
                ticks = _ticks(option.data[0])
            else:
                (offset,) = struct.unpack(f"{self._order}q", option.data)
        return _Interface(described.linktype, ticks, offset)

    def _packet(self, kind: int, block: bytes) -> Packet:
        packet = self._parsed(kind, block)
        if packet.iface_id >= len(self._interfaces):
            raise CaptureError(
                f"the capture file is damaged: a packet of interface {packet.iface_id}, which the file does not declare"
            )
        interface = self._interfaces[packet.iface_id]
        ticks = packet.ts_high << 32 | packet.ts_low
        time = interface.offset * _MICROSECONDS + ticks * _MICROSECONDS // interface.ticks
        if not _FIRST_TIME <= time < _END_OF_TIME:
            raise CaptureError("the capture file is damaged: a packet whose time is outside of years 1 to 9999")
        return Packet(time, interface.link_type, packet.pkt_data)

    def _parsed(self, kind: int, block: bytes) -> Any:
        """Return the parsed packet of an enhanced or an obsolete packet block."""
        is_little = self._order == "<"
        if kind == pcapng.PCAPNG_BT_EPB:
            return (pcapng.EnhancedPacketBlockLE if is_little else pcapng.EnhancedPacketBlock)(block)
        return (pcapng.PacketBlockLE if is_little else pcapng.PacketBlock)(block)


def _ticks(resolution: int) -> int:
    """Return the units per second for the option ``if_tsresol``.

    The unit is a negative power of 10, or of 2 if the highest bit is set.
    """
    base = 2 if resolution & _BASE_IS_2 else 10
    exponent = resolution & ~_BASE_IS_2
    ticks: int = base**exponent
    return ticks
