"""Differences between two texts, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

DIFF_LINES: Final = 40
"""The maximum number of diff lines that are shown."""

_CONTEXT_LINES: Final = 2


def unified_diff(
    before: Sequence[str], after: Sequence[str], names: tuple[str, str], *, limit: int = DIFF_LINES
) -> tuple[str, ...]:
    """Return the unified diff of two lists of lines, empty if they are equal; ``names`` are the names of both sides.

    It has at most ``limit`` lines. If lines were omitted, one more line contains their number.
    """
    import difflib  # noqa: PLC0415 - only a difference needs it

    lines = list(difflib.unified_diff(before, after, *names, lineterm="", n=_CONTEXT_LINES))
    left_out = len(lines) - limit
    if left_out > 0:
        return (*lines[:limit], f"... and {left_out} more lines")
    return tuple(lines)
