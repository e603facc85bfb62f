"""The generated classes of a message as highlighted HTML."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator
from typing import Final

from markupsafe import Markup, escape

from messagegen.emit.classes import class_lines
from messagegen.plan.ops import MessagePlan

_STYLES: Final = {tokenize.STRING: "string", tokenize.NUMBER: "number", tokenize.COMMENT: "comment"}


def source(plan: MessagePlan, partner: MessagePlan | None) -> Markup:
    """The classes of a message, the message's own first, without what only its codecs need."""
    texts = ["\n".join(class_lines(plan, index, partner)) for index in range(len(plan.structs))]
    return highlighted("\n\n\n".join(texts) + "\n")


def highlighted(text: str) -> Markup:
    """Python code with its keywords, strings, numbers and comments marked."""
    lines = text.splitlines(keepends=True)
    parts: list[Markup] = []
    row, column = 1, 0
    for (start, end), style in _styled(text):
        parts += [escape(_between(lines, (row, column), start)), _span(_between(lines, start, end), style)]
        row, column = end
    parts.append(escape(_between(lines, (row, column), (len(lines) + 1, 0))))
    return Markup().join(parts)


_Position = tuple[int, int]


def _styled(text: str) -> Iterator[tuple[tuple[_Position, _Position], str]]:
    """The place of each token that has a style, with the style."""
    previous = ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        style = _STYLES.get(token.type, "")
        if token.type == tokenize.NAME:
            style = "keyword" if keyword.iskeyword(token.string) else "name" * (previous in {"class", "def"})
        elif token.type == tokenize.OP and token.string == "@":
            style = "keyword"
        if style:
            yield (token.start, token.end), style
        previous = token.string


def _span(text: str, style: str) -> Markup:
    return Markup('<span class="{}">{}</span>').format(style, text)


def _between(lines: list[str], start: _Position, end: _Position) -> str:
    (first, begin), (last, stop) = start, end
    if first == last:
        return lines[first - 1][begin:stop]
    between = lines[first - 1 : last]
    if not between:
        return ""
    if len(between) == last - first + 1:
        between[-1] = between[-1][:stop]
    between[0] = between[0][begin:]
    return "".join(between)
