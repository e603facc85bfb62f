"""Prints the differences between files and the results of a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from messagegen.console.output import show

SHOWN_DIFFS: Final = 20
"""The maximum number of files whose differences are shown."""

_COLOURS: Final = {"+": "green", "-": "red", "@": "cyan"}


def show_diffs(diffs: Sequence[Callable[[], Sequence[str]]]) -> None:
    """Print the diffs of some files in colours, with an empty line before each file.

    Each function in ``diffs`` returns the diff of a file. It is called only if the file is shown.
    """
    for diff in diffs[:SHOWN_DIFFS]:
        show("")
        for line in diff():
            show(line, fg=_COLOURS.get(line[:1]))

    left_out = len(diffs) - SHOWN_DIFFS
    if left_out > 0:
        show(f"... and {left_out} more files that differ")
