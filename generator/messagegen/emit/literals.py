"""Values as Python source: all spec text passes through this module, so that no spec can inject code."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from typing import Final

LINE_LENGTH: Final = 120
_WIDTH: Final = 92
_PIECE: Final = 50
"""The number of characters in a piece of a long string. In the literal, each may become two, or ten if not ASCII."""
_INDENT: Final = "    "
_QUOTE: Final = '"'
_QUOTES: Final = '"""'
_CLOSING_QUOTE: Final = re.compile(r'"(?="|$)|(?<=")"')
"""A quote that could close a docstring, because it is next to another quote or at the end."""


def docstring(text: str, indent: int = 4) -> str:
    """Return the inside of a triple-quoted string with the value ``text``, wrapped and escaped."""
    clean = " ".join(text.split())
    width = _WIDTH - indent
    if len(clean) <= width:
        return _escaped(clean)
    lines = textwrap.wrap(clean, width, break_long_words=False, break_on_hyphens=False)
    margin = " " * indent
    return f"\n{margin}".join(_escaped(line) for line in lines)


def class_docstring(text: str) -> str:
    """Return the inside of the docstring of a class in black's form.

    Spaces separate quotes at the start and end of the text from the quotes around it. The closing quotes of several
    lines are on a separate line if the last line is too long for them.
    """
    inside = docstring(text)
    before = " " if inside.startswith(_QUOTE) else ""
    behind = " " if inside.endswith(_QUOTE) else ""
    lines = f"{before}{inside}{behind}".split("\n")
    if len(lines) == 1 or len(lines[-1]) + len(_QUOTES) <= LINE_LENGTH:
        return f"{before}{inside}{behind}"
    return f"{before}{inside}\n{_INDENT}"


def _escaped(line: str) -> str:
    line = _CLOSING_QUOTE.sub(r"\"", line.replace("\\", "\\\\"))
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)


def lines_literal(text: str) -> str:
    """Return a triple-quoted string with the value ``text``, on lines of its own."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""\\\n{escaped}"""'


def text_literal(text: str) -> str:
    """Return a string literal in black's form: in double quotes unless single quotes save escapes.

    It is ASCII, so that its length does not depend on how wide other characters are.
    """
    literal = ascii(text)
    if literal.startswith("'") and text.count('"') <= text.count("'"):
        body = literal[1:-1].replace("\\'", "'").replace('"', '\\"')
        return f'"{body}"'
    return literal


def text_pieces(text: str) -> list[str]:
    """Return literals for the parts of a text, each short enough for a line."""
    size = _PIECE if text.isascii() and text.isprintable() else _PIECE // 5
    return [text_literal(text[start : start + size]) for start in range(0, len(text), size)]


def float_literal(value: float) -> str:
    """Return a finite float in black's form: ``1e21``, where Python's own form is ``1e+21``."""
    return repr(value).replace("e+", "e")


def tuple_literal(items: Iterable[object]) -> str:
    """Return a tuple as source, such as ``(1, 2)``, from the source of its items."""
    parts = [str(item) for item in items]
    if len(parts) == 1:
        return f"({parts[0]},)"
    return f"({', '.join(parts)})"
