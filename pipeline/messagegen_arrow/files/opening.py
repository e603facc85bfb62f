"""Open files, read at any position.

Local files are read, never mapped: a broker that truncates its log would take the mapped bytes, and the process, away.
"""

from __future__ import annotations

import errno
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, Protocol

from messagegen_arrow.files.paths import is_url
from messagegen_arrow.files.stores import located

_LEAST_BYTES: Final = 1 << 18
"""A request for less costs as much; what comes with it is often what is asked for next."""
_STREAM_BYTES: Final = 1 << 23


class OpenFile(Protocol):
    """A file that is read at any position."""

    def read_at(self, count: int, position: int) -> bytes:
        """The bytes from a position on, fewer at the end of the file."""
        ...

    def size(self) -> int:
        """How many bytes there are now."""
        ...

    def inode(self) -> int:
        """Tells the file from one that has its name later."""
        ...

    def after_hole(self, position: int, end: int) -> int:
        """The first position from ``position`` on that a file system has bytes for; ``end`` if there is none before it."""
        ...


@contextmanager
def opened(path: str) -> Iterator[OpenFile]:
    """The file at a path or URL. Raises ``FileNotFoundError`` where it is gone; errors of reading it name the path too."""
    if is_url(path):
        yield _StoredFile(path)
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield _LocalFile(descriptor)
    except OSError as problem:
        if problem.filename is None:
            problem.filename = path
        raise
    finally:
        os.close(descriptor)


def read_bytes(path: str) -> bytes:
    """All bytes of a small file. Raises ``OSError``."""
    if not is_url(path):
        return Path(path).read_bytes()
    store, key = located(path)
    return store.read(key)


def stream_of_file(path: str) -> IO[bytes]:
    """The file at a path or URL, opened for reading from its beginning. Raises ``OSError``."""
    if not is_url(path):
        return Path(path).open("rb")
    return io.BufferedReader(_StoredStream(path), _STREAM_BYTES)


def identity(version: str | None) -> int:
    """A number for a version of a stored file, as inodes are for local ones; 0 where the store does not tell versions apart."""
    return zlib.crc32((version or "").encode())


class _LocalFile:
    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read_at(self, count: int, position: int) -> bytes:
        return os.pread(self._descriptor, count, position)

    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    def inode(self) -> int:
        return os.fstat(self._descriptor).st_ino

    def after_hole(self, position: int, end: int) -> int:
        # Preallocated files are mostly holes.
        try:
            return os.lseek(self._descriptor, position, os.SEEK_DATA) if position < end else end
        except OSError as problem:
            return end if problem.errno == errno.ENXIO else position


class _StoredFile:
    """A file of a store, as it was when it was opened. The bytes of the last request are kept, for reads that lie in them."""

    def __init__(self, path: str) -> None:
        store, key = located(path)
        self._object = store.opened(key)
        self._size, self._version = self._object.about
        self._start, self._block = 0, b""

    def read_at(self, count: int, position: int) -> bytes:
        end = min(position + count, self._size)
        if position >= end:
            return b""
        first = position - self._start
        if first < 0 or end > self._start + len(self._block):
            self._start, self._block, first = position, self._requested(position, max(count, _LEAST_BYTES)), 0
        return self._block[first : first + end - position]

    def _requested(self, position: int, count: int) -> bytes:
        return self._object.read(position, min(position + count, self._size))

    def size(self) -> int:
        return self._size

    def inode(self) -> int:
        return identity(self._version)

    def after_hole(self, position: int, end: int) -> int:
        return min(position, end)


class _StoredStream(io.RawIOBase):
    """A file of a store, read from its beginning to its end."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.name = path
        self._file = _StoredFile(path)
        self._position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        data = self._file.read_at(len(buffer), self._position)
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)
