"""The small files that brokers write beside their logs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from messagegen_arrow.files import StoredFile, is_url

_MOST_BYTES: Final = 1 << 12
"""The most bytes that are read: the files have a few short lines."""


def lines_of(file: str) -> list[str]:
    """Return the lines of a small file, by path or URL.

    The list is empty if the file is missing or unreadable, as in folders that were copied without it.
    """
    try:
        return _bytes_of(file).decode(errors="replace").splitlines()
    except OSError:
        return []


def _bytes_of(file: str) -> bytes:
    if is_url(file):
        return StoredFile(file).read_at(_MOST_BYTES, 0)
    if not Path(file).is_file():
        return b""  # Reading a pipe would wait for a writer.
    with Path(file).open("rb") as opened:
        return opened.read(_MOST_BYTES)
