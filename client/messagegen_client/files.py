"""Checks files before they are opened."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Final

from messagegen_client.errors import ConfigError

_OPEN_ALREADY: Final = re.compile(r"/dev/stdin|(/dev|/proc/\w+)/fd/\d+")
"""Paths of files that a shell has opened, including ``<(command)``. Opening such a pipe never blocks."""


def check_is_file(path: Path | str) -> None:
    """Raise ``ConfigError`` if the path is a folder, a device, a socket or a pipe.

    Opening a pipe without a writer blocks forever, and reading a device may never end.

    A pipe that is already open, such as /dev/stdin or /dev/fd/3, is allowed. A missing path is allowed here, because
    opening it raises an error.
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
