"""Formatting of rendered code with black."""

from __future__ import annotations

import re
from typing import Final

from messagegen.emit.code import LINE_LENGTH

_UNTOUCHED: Final = re.compile(rb'^_[A-Z]+ = """\\\n.*?"""$|^ *#[^\n]*$', re.DOTALL | re.MULTILINE)
"""The text that black leaves unchanged: comments, and triple-quoted strings that are assigned, with escaped quotes."""


def formatted(text: str) -> str:
    """Return the text as black formats it for Python 3.11, without configuration files.

    Raise ``SyntaxError`` if it is not valid Python.

    Black would take most of the time of a run. Renderers break lines as it does, except lines with long names or
    strings. So only texts with a line over ``LINE_LENGTH`` are passed to it.
    """
    compile(text, "<generated>", "exec", dont_inherit=True)
    if longest_line(text) <= LINE_LENGTH:
        return text
    # The import takes a tenth of a second, and most runs don't need it.
    import black  # noqa: PLC0415
    from black.mode import TargetVersion  # noqa: PLC0415

    return black.format_str(text, mode=black.Mode({TargetVersion.PY311}, line_length=LINE_LENGTH))


def longest_line(text: str) -> int:
    """Return the length of the longest line that black may break, in bytes.

    Black counts wide characters twice; in UTF-8 they have at least two bytes.
    """
    code = _UNTOUCHED.sub(b"", text.encode(errors="surrogatepass"))
    return max(map(len, code.split(b"\n")))
