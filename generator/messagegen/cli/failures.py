"""Errors as lines of text: those of the operating system, and those that nobody expects."""

from __future__ import annotations

import errno
import os
import traceback
from pathlib import Path
from typing import Final

from messagegen.cli.options import shown

_TRACEBACK: Final = "MESSAGEGEN_TRACEBACK"
_DISK: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def describe(error: OSError) -> str:
    """A line of text for an error of the operating system, with its file."""
    reason = error.strerror or str(error)
    if isinstance(error.filename, str):
        return f"{shown(Path(error.filename))}: {reason}"
    # Files have their names in errors; what is written without one is the output.
    return f"standard output: {reason}" if error.errno in _DISK else reason


def unexpected(error: Exception) -> str:
    """A sentence for an error that is a mistake of ours. With ``MESSAGEGEN_TRACEBACK``, prints the traceback, too."""
    if os.environ.get(_TRACEBACK):
        traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno}); "
        f"this is a bug in messagegen, please report it with what {_TRACEBACK}=1 shows"
    )
