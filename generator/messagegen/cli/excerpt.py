"""The source line of a finding with a caret below the location, for terminals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from messagegen.findings import Finding

_MARGIN: Final = 10
"""How many characters before the location are shown if the line is too long."""
_LARGEST: Final = 2**20


def excerpt(finding: Finding, width: int) -> Iterator[str]:
    """Two lines, at most ``width`` terminal columns wide; none if the location has no text."""
    lines = _lines(finding.file)
    if not 1 <= finding.line <= len(lines):
        return
    number, room = str(finding.line), max(width - len(str(finding.line)) - 6, 2 * _MARGIN)
    text, offset = lines[finding.line - 1].removesuffix("\r"), finding.column - 1
    if not text.strip() or offset > len(text):
        return
    # Half of the columns, because a wide character takes two.
    start = 0 if len(text) <= room // 2 or _columns(text) <= room else max(0, offset - _MARGIN)
    shown = _fitting(text[start:], room)
    yield f" {number} | {shown}"
    yield f" {' ' * len(number)} | {' ' * _columns(_plain(text[start:offset]))}^"


def _lines(file: str) -> tuple[str, ...]:
    try:
        path = Path(file).absolute()
        return _read(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return ()


@lru_cache(maxsize=1)
def _read(path: Path, _changed: int) -> tuple[str, ...]:
    with path.open("rb") as spec:
        data = spec.read(_LARGEST)
    return tuple(data.decode("utf-8", errors="replace").removeprefix("\ufeff").split("\n"))


def _fitting(text: str, room: int) -> str:
    text = _plain(text[:room])
    while _columns(text) > room:
        text = text[:-1]
    return text


def _plain(text: str) -> str:
    """The text with all characters replaced that would do anything other than take up columns."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "?" for c in text)


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)
