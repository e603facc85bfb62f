"""Errors that a command does not print itself, as lines of text."""

from __future__ import annotations

import errno
import os
import traceback
from pathlib import Path
from typing import Final

from messagegen_client.errors import KafkaError
from messagegen_kafka import EncodeError

_TRACEBACK: Final = "MESSAGEGEN_TRACEBACK"
_DISK: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def reason_of(problem: Exception) -> str:
    """Return the reason why a command failed.

    With ``MESSAGEGEN_TRACEBACK``, also print the traceback of an unexpected error, which is a bug of this package.
    """
    if isinstance(problem, OSError) and problem.filename is not None:
        return f"{problem.filename}: {problem.strerror}"
    if isinstance(problem, OSError) and problem.errno in _DISK:
        # Errors of files have a file name; an error without one is about the output.
        return f"standard output: {problem.strerror}"
    if isinstance(problem, KafkaError | EncodeError | OSError):
        return str(problem)
    if os.environ.get(_TRACEBACK):
        traceback.print_exception(problem)
    place = traceback.extract_tb(problem.__traceback__)[-1]
    return (
        f"{type(problem).__name__}: {problem} ({Path(place.filename).name}, line {place.lineno}); "
        f"this is a bug in messagegen-client, please report it with what {_TRACEBACK}=1 shows"
    )
