"""The differences between files and the results of a command, for printing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import click

from messagegen.console.text import printable

SHOWN_DIFFS: Final = 20
"""The most files whose differences are shown."""

_COLOURS: Final = {"+": "green", "-": "red", "@": "cyan"}


def shown_diffs(diffs: Sequence[Callable[[], Sequence[str]]]) -> Iterator[str]:
    """Yield coloured lines with the diffs of some files, with an empty line before each file.

    Each function in ``diffs`` returns the diff of a file. It is called only if the file is shown.
    """
    for diff in diffs[:SHOWN_DIFFS]:
        yield ""
        for line in diff():
            yield click.style(printable(line), fg=_COLOURS.get(line[:1]))

    left_out = len(diffs) - SHOWN_DIFFS
    if left_out > 0:
        yield f"... and {left_out} more files that differ"
