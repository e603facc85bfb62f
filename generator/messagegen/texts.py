"""Opens and reads files that users name or that lie in their folders; nothing but a file is opened."""

from __future__ import annotations

import errno
import re
import stat
from pathlib import Path
from typing import BinaryIO, Final

MAX_BYTES: Final = 2**20
"""The maximum size of a spec's text. All of Kafka's are below 20 KB."""

_OPEN_ALREADY: Final = re.compile(r"/dev/stdin|(/dev|/proc/\w+)/fd/\d+")
"""What a shell has opened: also ``<(command)``. Nobody waits for the other end of such a pipe."""


def open_file(file: Path) -> BinaryIO:
    """A file, opened to read its bytes.

    Raises ``OSError``, also for a folder, a device, a socket and a pipe: a pipe may have no other end, and a device no
    end. A pipe that is open already, such as /dev/stdin or /dev/fd/3, is read.
    """
    mode = file.stat().st_mode
    if not stat.S_ISREG(mode) and not (stat.S_ISFIFO(mode) and _OPEN_ALREADY.fullmatch(str(file))):
        raise OSError(errno.EINVAL, f"expected a file, found {kind_of(mode)}", str(file))
    return file.open("rb")


def kind_of(mode: int) -> str:
    """What a path leads to that is no file, in words; ``mode`` is its ``st_mode``."""
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def read_file(file: Path) -> bytes:
    """The bytes of a file. Raises ``OSError`` as ``open_file``."""
    with open_file(file) as opened:
        return opened.read()


def read_text(file: Path) -> bytes:
    """The bytes of a spec. Of a larger file they are one more than ``MAX_BYTES``, which parsers reject.

    Raises ``OSError`` as ``open_file``.
    """
    with open_file(file) as opened:
        return opened.read(MAX_BYTES + 1)
