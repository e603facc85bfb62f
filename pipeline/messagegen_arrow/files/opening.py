"""Open files, read at any position.

Local files are read, never mapped: a broker that truncates its log would take the mapped bytes, and the process, away.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from messagegen_arrow.files.paths import is_url
from messagegen_arrow.files.stores import StoredFile


class OpenFile(Protocol):
    """A file that is read at any position."""

    def read_at(self, count: int, position: int) -> bytes:
        """The bytes from a position on, fewer at the end of the file."""
        ...

    def size(self) -> int:
        """The number of bytes now."""
        ...

    def inode(self) -> int:
        """Tells the file from one that has its name later."""
        ...

    def after_hole(self, position: int, end: int) -> int:
        """The first position from ``position`` on that a file system has bytes for; ``end`` if there is none before it."""
        ...


class _LocalFile:
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


@contextmanager
def opened(path: str) -> Iterator[OpenFile]:
    """The file at a path or URL. Raises ``FileNotFoundError`` where it is gone; errors of reading it name the path too."""
    if is_url(path):
        yield StoredFile(path)
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
    with opened(path) as file:
        return file.read_at(file.size(), 0)
