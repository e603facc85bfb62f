"""Makes text safe to print, and formats tables.

File names, specs, logs and brokers contain untrusted text. Printed unchanged, it could move the cursor, reverse the
direction of a line, forge extra lines, or give commands to a CI service.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Sequence
from typing import Final
from unicodedata import combining, east_asian_width

_BETWEEN: Final = "  "
"""The separator of columns."""
_WIDE: Final = ("F", "W")
"""The Unicode widths of characters that take two terminal columns."""
_AT_LINE_START: Final = "::"
"""The beginning of a command to GitHub's runner; the runner ignores spaces before it."""
_ANYWHERE: Final = re.compile(r"##(?=\w*\[)")
"""The beginning of commands such as ``##[error]`` (GitHub) and ``##vso[...]`` (Azure), anywhere on a line."""
_MARKDOWN_SYNTAX: Final = re.compile(r"[\\`*_\[\]<>|&~#]")
"""Characters with a meaning in Markdown text or table rows."""
_HIGHEST_OF_FOUR_DIGITS: Final = 0xFFFF


def printable(text: str) -> str:
    r"""Return the text on one line that a terminal prints literally and that no CI service takes for a command.

    Characters that are not printable, such as control characters, line breaks and marks that change the text direction,
    are escaped as ``\uXXXX`` or ``\UXXXXXXXX``.
    """
    if not text.isprintable():
        text = "".join(each if each.isprintable() else _escape(each) for each in text)
    return without_commands(text)


def markdown_text(text: str) -> str:
    """Escape a text so that Markdown shows it literally and on one line."""
    return _MARKDOWN_SYNTAX.sub(r"\\\g<0>", printable(text))


def printable_lines(text: str) -> str:
    """Return a text of several lines, with ``printable`` applied to each."""
    return "\n".join(map(printable, text.split("\n")))


def printable_document(text: str, *, wide: bool = False) -> str:
    r"""Return JSON with unprintable characters escaped as ``\uXXXX``; with ``wide``, YAML, which has ``\UXXXXXXXX``.

    Line breaks of the document are kept. The escaped characters can only be in strings, which are quoted in both
    formats.
    """
    if not all(line.isprintable() for line in text.split("\n")):
        text = "".join(
            each if each.isprintable() or each == "\n" else _escape_in_document(each, wide=wide) for each in text
        )
    return _ANYWHERE.sub(r"#\\u0023", text)


def printable_in_place(line: str) -> str:
    """Return a line of the same length that is safe to print, so that a caret below it stays in place.

    Unprintable characters become spaces, and commands lose a character.
    """
    return _ANYWHERE.sub("# ", "".join(each if each.isprintable() else " " for each in line))


def json_line(value: object) -> str:
    """Return a value as JSON on one line that is safe to print."""
    return printable_document(json.dumps(value))


def json_text(value: object, *, ensure_ascii: bool = True) -> str:
    """Return a value as indented JSON that is safe to print. Numbers must be finite."""
    return printable_document(json.dumps(value, indent=2, ensure_ascii=ensure_ascii, allow_nan=False))


def without_commands(line: str) -> str:
    """Return a line with backslashes inserted, so that no CI service takes it for a command."""
    line = _ANYWHERE.sub(r"#\\#", line)
    return f"\\{line}" if line.lstrip().startswith(_AT_LINE_START) else line


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number <= _HIGHEST_OF_FOUR_DIGITS else f"\\U{number:08x}"


def _escape_in_document(character: str, *, wide: bool) -> str:
    if wide:
        return _escape(character)
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def count(number: int, noun: str, nouns: str | None = None) -> str:
    """Return a number with its noun: ``1 file``, ``2 files``; ``nouns`` is an irregular plural."""
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"


def shown_width(text: str) -> int:
    """Return the number of terminal columns of a text: ideographs take two, and marks above letters take none."""
    if text.isascii():
        return len(text)
    wide = sum(east_asian_width(character) in _WIDE for character in text)
    return len(text) + wide - sum(combining(character) > 0 for character in text)


def aligned(rows: Sequence[Sequence[str]], numbers: Container[int] = ()) -> list[str]:
    """Return a line for each row, with aligned columns; ``numbers`` are the columns that are right-aligned."""
    widths = [max(map(shown_width, column)) for column in zip(*rows, strict=True)]
    return [_line(row, widths, numbers) for row in rows]


def _line(row: Sequence[str], widths: Sequence[int], numbers: Container[int]) -> str:
    cells: list[str] = []
    for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
        space = " " * (width - shown_width(cell))
        cells.append(space + cell if place in numbers else cell + space)
    return _BETWEEN.join(cells).rstrip()
