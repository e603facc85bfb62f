"""The rows of capture files: one for each frame of each connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from messagegen_arrow.capture.connections import Assembler, ConnectionName, ConnectionRow
from messagegen_arrow.capture.dialogue import FrameRow
from messagegen_arrow.capture.dumps import read_dump
from messagegen_arrow.capture.files import CaptureFile, name_of, open_capture
from messagegen_arrow.capture.packets import CaptureError, read_packets
from messagegen_arrow.capture.segments import is_known_link, tcp_segment
from messagegen_arrow.capture.settings import CaptureSettings
from messagegen_arrow.malformed import KEEP_THEM, MalformedMessageError, Mode

_NO_CONNECTION = ConnectionName("", None, None)


class CaptureRow(NamedTuple):
    """A row with its connection, and the path of the file where the frame ended."""

    path: str
    connection: ConnectionName
    row: FrameRow


def read_captures(files: Sequence[CaptureFile], settings: CaptureSettings) -> Iterator[CaptureRow]:
    """Yield the frames in the files of one capture; connections continue from file to file.

    A damaged file adds a row with the error after its readable rows.
    """
    assembler = Assembler(settings)
    path = ""
    for each in files:
        path = name_of(each)
        try:
            for found in _read(each, assembler, settings):
                yield CaptureRow(path, *found)
        except CaptureError as problem:
            yield CaptureRow(path, _NO_CONNECTION, FrameRow(None, None, problem=f"BAD_FILE: {problem}"))
    for found in assembler.finish():
        yield CaptureRow(path, *found)


def _read(capture: CaptureFile, assembler: Assembler, settings: CaptureSettings) -> Iterator[ConnectionRow]:
    with open_capture(capture) as (file, kind, magic):
        if kind == "frames":
            yield from read_dump(file, settings)
            return
        unknown: set[int] = set()
        for packet in read_packets(file, magic):
            segment = tcp_segment(packet)
            if segment is not None:
                yield from assembler.add(segment)
            elif not is_known_link(packet.link_type) and packet.link_type not in unknown:
                unknown.add(packet.link_type)
                problem = f"UNKNOWN_LINK: packets of link type {packet.link_type} can't be read"
                yield ConnectionRow(_NO_CONNECTION, FrameRow(None, packet.time, problem=problem))


def kept(rows: Iterable[CaptureRow], mode: Mode) -> Iterator[CaptureRow]:
    """Yield the rows that a mode keeps. Raises ``MalformedMessageError`` in mode FAILFAST."""
    for row in rows:
        problem = row.row.problem
        if problem is not None and mode == "FAILFAST":
            where = f"{row.path}, {row.connection.connection}" if row.connection.connection else row.path
            raise MalformedMessageError(f"{problem} ({where}); {KEEP_THEM}")
        if problem is None or mode == "PERMISSIVE":
            yield row
