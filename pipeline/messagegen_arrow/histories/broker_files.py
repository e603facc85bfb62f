"""The small files that brokers write beside their logs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from messagegen_arrow.files import StoredFile, is_url

_MOST_BYTES: Final = 1 << 12
"""The maximum number of bytes that are read: the files have a few short lines."""
_MOST_SHOWN: Final = 100
"""The maximum number of characters of a file that an error quotes."""
_LONGEST_ID: Final = 22
"""The maximum number of characters in an id: 16 bytes as base64url."""


def lines_of(file: str) -> list[str]:
    """Return the lines of a small file, by path or URL.

    The list is empty if the file is missing or unreadable, for example in a folder that was copied without it.
    """
    try:
        return _bytes_of(file).decode(errors="replace").splitlines()
    except OSError:
        return []


def shortened(text: str) -> str:
    """Return the content of a file for an error, or only its beginning if it is long."""
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def is_topic_id(text: str) -> bool:
    """Whether a string may be a topic id: it is as short as the ids that brokers write, and has no spaces."""
    return 0 < len(text) <= _LONGEST_ID and not any(map(str.isspace, text))


def _bytes_of(file: str) -> bytes:
    if is_url(file):
        return StoredFile(file).read_at(_MOST_BYTES, 0)
    if not Path(file).is_file():
        return b""  # Reading a pipe would wait for a writer.
    with Path(file).open("rb") as opened:
        return opened.read(_MOST_BYTES)
