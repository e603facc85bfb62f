"""Distinguishes logs from captures, by name and by the first bytes."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen_arrow.capture.files import CapturePathError, find_captures
from messagegen_arrow.log.errors import LogPathError
from messagegen_arrow.log.planning import find_logs


def are_captures(paths: Sequence[str]) -> bool:
    """Whether the paths contain captures rather than logs.

    Raises ``ValueError`` if they contain both or neither, and ``OSError``.
    """
    found = {_is_capture(path) for path in paths}
    if len(found) > 1:
        raise ValueError("the paths hold both logs and captures; pass one kind at a time")
    return found == {True}


def _is_capture(path: str) -> bool:
    try:
        find_logs([path])
    except LogPathError as problem:
        try:
            find_captures([path])
        except CapturePathError as other:
            raise LogPathError(f"{problem}; {other}" if str(problem) != str(other) else str(problem)) from None
        return True
    return False
