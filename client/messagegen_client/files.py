"""Checks files before they are opened."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Final

from messagegen_client.errors import ConfigError

_OPEN_ALREADY: Final = re.compile(r"/dev/stdin|(/dev|/proc/\w+)/fd/\d+")
"""Paths that a shell has opened, also by ``<(command)``. Opening such a pipe does not wait for its other end."""


def check_is_file(path: Path | str) -> None:
    """Raise ``ConfigError`` for a folder, a device, a socket and a pipe.

    Reading a pipe without a writer waits for ever, and reading a device may never end.

    A pipe that is already open, such as /dev/stdin or /dev/fd/3, is allowed. So is a missing path: opening it raises an
    error.
    """
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode) and not (stat.S_ISFIFO(mode) and _OPEN_ALREADY.fullmatch(str(path))):
        raise ConfigError(f"{path}: expected a file, found {_kind_of(mode)}")


def _kind_of(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"
