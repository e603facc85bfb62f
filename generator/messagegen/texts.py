"""Reads files that users name or that are in their folders, but no folders, devices, sockets or unopened pipes."""

from __future__ import annotations

import errno
import re
import stat
from pathlib import Path
from typing import BinaryIO, Final

MAX_BYTES: Final = 2**20
"""The maximum size of a spec's text in bytes. All of Kafka's specs are below 20 KB."""

_OPEN_ALREADY: Final = re.compile(r"/dev/stdin|(/dev|/proc/\w+)/fd/\d+")
"""Paths of files that a shell has opened, as for ``<(command)``. Opening such a pipe does not wait for a writer."""


def open_file(file: Path) -> BinaryIO:
    """Open a file to read its bytes.

    Raise ``OSError`` if this fails, and for a folder, a device, a socket or a pipe. A pipe may have no writer, and a
    device may never end. A pipe that is already open, such as /dev/stdin or /dev/fd/3, is accepted.
    """
    mode = file.stat().st_mode
    if not stat.S_ISREG(mode) and not (stat.S_ISFIFO(mode) and _OPEN_ALREADY.fullmatch(str(file))):
        raise OSError(errno.EINVAL, f"expected a file, found {kind_of(mode)}", str(file))
    return file.open("rb")


def kind_of(mode: int) -> str:
    """Return a description, such as ``a folder``, of something that is not a file; ``mode`` is its ``st_mode``."""
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def read_file(file: Path) -> bytes:
    """Return the bytes of a file. Raise ``OSError`` as ``open_file`` does."""
    with open_file(file) as opened:
        return opened.read()


def read_text(file: Path) -> bytes:
    """Return the bytes of a spec, at most ``MAX_BYTES + 1``, so that parsers reject a larger file.

    Raise ``OSError`` as ``open_file`` does.
    """
    with open_file(file) as opened:
        return opened.read(MAX_BYTES + 1)
