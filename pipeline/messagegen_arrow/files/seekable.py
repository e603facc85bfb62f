"""Files for libraries that move around in them, such as readers of Parquet."""

from __future__ import annotations

import io
import os

from messagegen_arrow.files.opening import OpenFile


class SeekableFile(io.RawIOBase):
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
