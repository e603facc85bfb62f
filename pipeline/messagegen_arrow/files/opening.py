"""Open files, read at any position.

Local files are read, never mapped: a broker that truncates its log would take the mapped bytes, and the process, away.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from messagegen_arrow.files.paths import is_url
from messagegen_arrow.files.stores import StoredFile


class LocalFile:
    """A file of this machine, read at any position."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read_at(self, count: int, position: int) -> bytes:
        """The bytes from a position on, fewer at the end of the file."""
        return os.pread(self._descriptor, count, position)

    def size(self) -> int:
        """The number of bytes now."""
        return os.fstat(self._descriptor).st_size

    def inode(self) -> int:
        """Tells the file from one that has its name later."""
        return os.fstat(self._descriptor).st_ino

    def after_hole(self, position: int, end: int) -> int:
        """The first position from ``position`` on that a file system has bytes for; ``end`` if there is none before it."""
        # Preallocated files are mostly holes.
        try:
            return os.lseek(self._descriptor, position, os.SEEK_DATA) if position < end else end
        except OSError as problem:
            return end if problem.errno == errno.ENXIO else position


OpenFile = LocalFile | StoredFile
"""A file that is read at any position."""


@contextmanager
def opened(path: str) -> Iterator[OpenFile]:
    """The file at a path or URL. Raises ``FileNotFoundError`` where it is gone; errors of reading it name the path too."""
    if is_url(path):
        yield StoredFile(path)
        return
    with Path(path).open("rb", buffering=0) as file:
        try:
            yield LocalFile(file.fileno())
        except OSError as problem:
            if problem.filename is None:
                problem.filename = path
            raise
