"""Files for libraries that move around in them, such as readers of Parquet."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from messagegen_arrow.files.opening import OpenFile, opened
from messagegen_arrow.files.paths import is_url


@contextmanager
def arrow_file(path: str) -> Iterator[pa.NativeFile]:
    """The file at a path or URL, as Arrow's readers take it. Raises ``OSError``."""
    if not is_url(path):
        with pa.OSFile(path) as local:
            yield local
        return
    with opened(path) as file:
        yield pa.PythonFile(_SeekableFile(file), mode="r")


class _SeekableFile(io.RawIOBase):
    """An ``OpenFile`` with a position."""

    def __init__(self, file: OpenFile) -> None:
        super().__init__()
        self._file = file
        self._position = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """The position."""
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Moves the position, and gives it."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._file.size()}[whence]
        self._position = base + offset
        return self._position

    def read(self, size: int = -1, /) -> bytes:
        """The bytes from the position on, fewer at the end; all of them without a size. Raises ``OSError``."""
        count = self._file.size() - self._position if size < 0 else size
        data = self._file.read_at(count, self._position)
        self._position += len(data)
        return data
