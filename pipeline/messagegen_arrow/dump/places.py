"""Detects whether a path or standard input is a log or a capture, by names and first bytes."""

from __future__ import annotations

from io import BufferedReader
from pathlib import Path
from typing import Final, Literal

from messagegen_arrow.capture.files import CapturePathError, find_captures, is_capture
from messagegen_arrow.files import Folders, is_url, normal, shown
from messagegen_arrow.log.errors import LogPathError
from messagegen_arrow.log.planning import find_logs

Kind = Literal["log", "capture"]

_MAGIC: Final = 16
"""Position of the magic byte in a record batch."""
_SMALLEST: Final = 14
"""The minimum length of a batch or of an old message."""
_EXPECTED: Final = "expected record batches of a segment, pcap, pcapng, or frames as lines of JSON"


def kind_of_path(path: str) -> Kind:
    """The kind of a folder, a file or a glob. Raises ``ValueError`` and ``OSError``."""
    place = normal(path)
    kind_of_place = Folders().kind(place)
    if kind_of_place == "file":
        if _is_log(place):
            return "log"
        if is_url(place):
            raise ValueError(f"{shown(path)} is no segment, which are named *.log; captures are read from local files")
        with Path(place).open("rb") as file:
            kind = kind_of_file(file, shown(path))
        if kind == "log":
            raise ValueError(
                f"{shown(path)} holds record batches, but segments are named *.log; pass its bytes as standard input"
            )
        return kind
    try:
        find_logs([place])
    except LogPathError as problem:
        try:
            find_captures([path])
        except CapturePathError:
            if kind_of_place != "folder":
                raise problem from None
            raise ValueError(
                f"{shown(path)} holds neither logs, such as orders-0/{0:020}.log, nor captures, such as *.pcap"
            ) from None
        return "capture"
    return "log"


def _is_log(path: str) -> bool:
    """Whether a file is named as segments and snapshots are."""
    try:
        find_logs([path])
    except LogPathError:
        return False
    return True


def kind_of_file(file: BufferedReader, name: str) -> Kind:
    """The kind of an open file, from its first bytes, which are only peeked. Raises ``ValueError`` for an unknown one."""
    first = file.peek(_MAGIC + 1)[: _MAGIC + 1]
    if not first:
        raise ValueError(f"{name} is empty; {_EXPECTED}")
    if is_capture(first):
        return "capture"
    length = int.from_bytes(first[8:12], "big", signed=True)
    if len(first) > _MAGIC and first[_MAGIC] <= 2 and length >= _SMALLEST:
        return "log"
    raise ValueError(f"{name} is neither a log nor a capture: {_EXPECTED}")
