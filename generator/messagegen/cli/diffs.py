"""Prints how files differ from what a command would write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import click

from messagegen.findings import printable

SHOWN_DIFFS: Final = 20
"""The files whose differences are shown."""

_COLOURS: Final = {"+": "green", "-": "red", "@": "cyan"}


def shown_diffs(diffs: Sequence[Callable[[], Sequence[str]]]) -> Iterator[str]:
    """The lines to print for some files, coloured, an empty line before each file.

    ``diffs`` make the diff of a file. They are called only for the files that are shown.
    """
    for diff in diffs[:SHOWN_DIFFS]:
        yield ""
        for line in diff():
            yield click.style(printable(line), fg=_COLOURS.get(line[:1]))

    left_out = len(diffs) - SHOWN_DIFFS
    if left_out > 0:
        yield f"... and {left_out} more files that differ"
