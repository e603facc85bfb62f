"""Capture files: finding them, and detecting their format. Any file may be gzipped, whatever its name."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from glob import glob
from pathlib import Path
from typing import IO, Any, Final, Literal, cast

from messagegen_arrow.capture.packets import PCAP_MAGICS, PCAPNG_MAGIC, CaptureError
from messagegen_arrow.files import is_url, normal

Kind = Literal["packets", "frames"]

CaptureFile = str | IO[bytes]
"""A path, or an open file such as standard input."""

_CAPTURE: Final = re.compile(r".*\.(pcap|pcapng|cap|dmp|jsonl|ndjson)\d*(\.gz)?", re.IGNORECASE)
"""The names of captures in folders; tcpdump and other programs append numbers to the names of consecutive files."""
_GZIP_MAGIC: Final = b"\x1f\x8b"


EXPECTED_LINE: Final = 'a line such as {"conn": 1, "dir": "request", "hex": "..."}'


class CapturePathError(ValueError):
    """Raised for a path that does not exist or has no captures."""


def find_captures(paths: Iterable[str]) -> list[str]:
    """Return the capture files at local paths, sorted by folder and name, with numbers in numeric order.

    Paths may be files, folders and globs. Raises ``CapturePathError`` and ``FileUrlError``.
    """
    files: set[str] = set()
    for path in map(normal, paths):
        if is_url(path):
            raise CapturePathError(f"{path}: captures are read from local files; copy it first")
        found = {path} if Path(path).exists() else set(glob(path))  # noqa: PTH207 - patterns may be absolute
        if not found:
            raise CapturePathError(f"{path} does not exist")
        captures = {file for each in found for file in _files(Path(each).absolute())}
        if not captures:
            raise CapturePathError(
                f"{path} holds no captures: files such as kafka.pcap, kafka.pcapng.gz, frames.jsonl.gz"
            )
        files |= captures
    return sorted(files, key=_order)


def _files(path: Path) -> Iterator[str]:
    if not path.is_dir():
        yield str(path)
        return
    for file in path.iterdir():
        if file.is_file() and _CAPTURE.fullmatch(file.name):
            yield str(file)


def _order(path: str) -> tuple[str, list[tuple[int, str]]]:
    folder, _, name = path.rpartition("/")
    return folder, [(int(part), "") if part.isdecimal() else (-1, part) for part in re.findall(r"\d+|\D+", name)]


@contextmanager
def open_capture(file: CaptureFile) -> Iterator[tuple[IO[bytes], Kind, bytes]]:
    """Open a file for reading, decompressed, and yield it with its format and its first four bytes.

    An open file is read from its current position without seeking, so it may be a pipe. It stays open. Raises
    ``CaptureError`` for a file that is not a capture or cannot be decompressed, which may only become known inside the
    block.
    """
    with Path(file).open("rb") if isinstance(file, str) else nullcontext(file) as opened:
        plain: Any = opened if isinstance(opened, PeekedFile) else PeekedFile(opened, name_of(opened))
        is_packed = plain.peek(2) == _GZIP_MAGIC
        unpacked: Any = PeekedFile(gzip.GzipFile(fileobj=plain), plain.name) if is_packed else plain
        try:
            magic = unpacked.peek(4)
            yield unpacked, _kind(magic), magic
        except (gzip.BadGzipFile, zlib.error) as problem:
            raise CaptureError(f"damaged gzip file: {problem}") from None
        except EOFError:
            raise CaptureError("truncated gzip file") from None


def name_of(file: CaptureFile) -> str:
    """Return the name of a file in rows and errors."""
    return file if isinstance(file, str) else str(getattr(file, "name", "-"))


class PeekedFile:
    """A file whose first bytes can be inspected before they are read, without seeking.

    A pipe may return these bytes one by one.
    """

    def __init__(self, file: Any, name: str) -> None:
        """Wrap ``file``, which is called ``name`` in rows and errors."""
        self.name = name
        self._file = file
        self._ahead = b""

    def peek(self, count: int) -> bytes:
        """Return the next ``count`` bytes without reading them, or fewer at the end of the file."""
        while len(self._ahead) < count and (more := self._file.read(count - len(self._ahead))):
            self._ahead += more
        return self._ahead[:count]

    def read(self, count: int = -1) -> bytes:
        """Return at most ``count`` of the next bytes, or all of them if ``count`` is negative."""
        ahead = self._ahead
        self._ahead = b""
        if 0 <= count <= len(ahead):
            self._ahead = ahead[count:]
            return ahead[:count]
        return ahead + cast("bytes", self._file.read(count if count < 0 else count - len(ahead)))

    def readline(self, limit: int = -1) -> bytes:
        """Return the next line; the peeked bytes must be fewer than ``limit``."""
        ahead, newline, self._ahead = self._ahead.partition(b"\n")
        if newline:
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
    raise CaptureError(f"it is not a capture; expected pcap, pcapng or {EXPECTED_LINE}; segments are named *.log")
