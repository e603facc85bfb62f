"""Capture files: finding them, and detecting their format. Files may be gzipped under any name."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, Final, Literal, cast

from messagegen_arrow.capture.packets import PCAP_MAGICS, PCAPNG_MAGIC, CaptureError
from messagegen_arrow.files import Folders, is_pattern, is_url, joined, normal, parent_of, shown, stream_of_file
from messagegen_arrow.files.paths import name_of as last_part_of

Kind = Literal["packets", "frames"]

CaptureFile = str | IO[bytes]
"""A path, or an open file such as standard input."""

_CAPTURE: Final = re.compile(r".*\.(pcap|pcapng|cap|dmp|jsonl|ndjson)\d*(\.gz)?", re.IGNORECASE)
"""Names of captures in folders; tcpdump and others append numbers to the names of consecutive files."""
_GZIP_MAGIC: Final = b"\x1f\x8b"


class CapturePathError(ValueError):
    """Raised for a path that does not exist or has no captures."""


def find_captures(paths: Iterable[str], folders: Folders | None = None) -> list[str]:
    """The files at paths: files, folders and globs. No file is listed twice. Sorted by folder and name, with numbers in numeric order.

    ``folders`` lists folders, and keeps what it found. Raises ``CapturePathError``, ``FileUrlError`` and ``OSError``.
    """
    files: set[str] = set()
    folders = Folders() if folders is None else folders
    for path in paths:
        found = set(_files(normal(path), folders))
        if not found:
            raise CapturePathError(
                f"{shown(path)} holds no captures: files such as kafka.pcap, kafka.pcapng.gz, frames.jsonl.gz"
            )
        files |= found
    return sorted(files, key=_order)


def _files(path: str, folders: Folders) -> Iterator[str]:
    matches = is_pattern(path) and folders.kind(path) is None
    for each in folders.expanded(path) if matches else [path]:
        full = each if is_url(each) else str(Path(each).absolute())
        kind = folders.kind(full)
        if kind == "folder":
            files = (joined(full, name) for name in folders.names(full) if _CAPTURE.fullmatch(name))
            yield from (file for file in files if folders.kind(file) == "file")
        elif kind == "file":
            yield full
        else:
            raise CapturePathError(f"{shown(path)} does not exist here")


def _order(path: str) -> tuple[str, list[tuple[int, str]]]:
    parts = re.findall(r"\d+|\D+", last_part_of(path))
    return parent_of(path), [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


@contextmanager
def open_capture(file: CaptureFile) -> Iterator[tuple[IO[bytes], Kind, bytes]]:
    """Opens a file for reading, decompressed, with its format and its first four bytes.

    An open file is read from its current position without seeking, so it may be a pipe, and stays open. Raises ``CaptureError``
    for a file that is not a capture or cannot be decompressed (also inside the block).
    """
    with stream_of_file(file) if isinstance(file, str) else nullcontext(file) as opened:
        plain: Any = PeekedFile(opened)
        is_packed = plain.peek(2) == _GZIP_MAGIC
        unpacked: Any = PeekedFile(gzip.GzipFile(fileobj=plain)) if is_packed else plain
        try:
            magic = unpacked.peek(4)
            yield unpacked, _kind(magic), magic
        except (gzip.BadGzipFile, zlib.error) as problem:
            raise CaptureError(f"damaged gzip file: {problem}") from None
        except EOFError:
            raise CaptureError("truncated gzip file") from None


def name_of(file: CaptureFile) -> str:
    """The name of a file in rows and errors."""
    return shown(file) if isinstance(file, str) else str(getattr(file, "name", "-"))


class PeekedFile:
    """A file whose first bytes can be looked at before they are read, without seeking."""

    def __init__(self, file: Any, name: str = "-") -> None:
        """``name`` is its name in rows and errors."""
        self.name = name
        self._file = file
        self._ahead = b""

    def peek(self, count: int) -> bytes:
        """The next bytes, fewer at the end."""
        while len(self._ahead) < count and (more := self._file.read(count - len(self._ahead))):
            self._ahead += more
        return self._ahead[:count]

    def read(self, count: int = -1) -> bytes:
        """The bytes of a file."""
        ahead, self._ahead = self._ahead, b""
        if not ahead:
            return cast("bytes", self._file.read(count))
        if 0 <= count <= len(ahead):
            self._ahead = ahead[count:]
            return ahead[:count]
        return ahead + cast("bytes", self._file.read(count if count < 0 else count - len(ahead)))

    def readline(self, limit: int = -1) -> bytes:
        """A line of a file; the peeked bytes are shorter than ``limit``."""
        ahead, newline, rest = self._ahead.partition(b"\n")
        self._ahead = rest
        if newline or 0 <= limit <= len(ahead):
            return ahead + newline
        return ahead + cast("bytes", self._file.readline(limit if limit < 0 else limit - len(ahead)))


def is_capture(first: bytes) -> bool:
    """Whether a file that begins with these bytes may be a capture, compressed or not."""
    magic = first[:4]
    return magic in PCAP_MAGICS or magic == PCAPNG_MAGIC or magic[:2] == _GZIP_MAGIC or first.lstrip()[:1] == b"{"


def _kind(magic: bytes) -> Kind:
    if magic in PCAP_MAGICS or magic == PCAPNG_MAGIC:
        return "packets"
    if magic.lstrip()[:1] == b"{" or not magic:
        return "frames"
    raise CaptureError("not a capture: expected pcap, pcapng or JSON lines")
