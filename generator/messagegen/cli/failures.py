"""Errors of the operating system and unexpected exceptions, as lines of text."""

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
    """Return a line of text for an error of the operating system, with its file."""
    reason = error.strerror or str(error)
    if isinstance(error.filename, str):
        return f"{shown(Path(error.filename))}: {reason}"
    # Errors about files name them, so an error of writing without a name is about standard output.
    return f"standard output: {reason}" if error.errno in _DISK else reason


def unexpected(error: Exception) -> str:
    """Return a sentence for a bug in messagegen. With ``MESSAGEGEN_TRACEBACK``, also print the traceback."""
    if os.environ.get(_TRACEBACK):
        traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno}); "
        f"this is a bug in messagegen, please report it with what {_TRACEBACK}=1 shows"
    )
