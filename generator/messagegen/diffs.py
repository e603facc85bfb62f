"""Differences between two texts, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

DIFF_LINES: Final = 40
"""The maximum number of diff lines that are shown."""

_CONTEXT_LINES: Final = 2


def lines_of(text: str) -> list[str]:
    """Return the lines of a text. Only line feeds and carriage returns end lines, as in the parser of specs."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n") if text else []


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
