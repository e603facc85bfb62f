"""The source line of a finding with a caret below the location, for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from messagegen.findings import Finding

_MARGIN: Final = 10
"""How many characters before the location are shown if the line is too long."""
_LARGEST: Final = 2**20


def excerpt(finding: Finding, lines_of: Callable[[str], Sequence[str]], width: int) -> Iterator[str]:
    """Two lines, at most ``width`` terminal columns wide; none if the location has no text. ``lines_of`` reads a file."""
    from rich.cells import cell_len, set_cell_size

    lines, offset = lines_of(finding.file), finding.column - 1
    text = _plain(lines[finding.line - 1].removesuffix("\r")) if 1 <= finding.line <= len(lines) else ""
    if not text.strip() or offset > len(text):
        return
    number, room = str(finding.line), max(width - len(str(finding.line)) - 6, 2 * _MARGIN)
    start = 0 if cell_len(text) <= room else max(0, offset - _MARGIN)
    yield f" {number} | {set_cell_size(text[start:], min(room, cell_len(text[start:])))}"
    yield f" {' ' * len(number)} | {' ' * cell_len(text[start:offset])}^"


def lines_of(file: str) -> Sequence[str]:
    """The lines of a file; none where it cannot be read."""
    try:
        with Path(file).open("rb") as spec:
            return spec.read(_LARGEST).decode("utf-8", errors="replace").removeprefix("\ufeff").split("\n")
    except (OSError, ValueError):
        return ()


def _plain(text: str) -> str:
    """The text with all characters replaced that would do anything other than take up columns."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "?" for c in text)
