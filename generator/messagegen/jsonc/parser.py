"""Text -> tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from messagegen.jsonc.tree import Comment, Container, Document, Part, Scalar
from messagegen.spec.syntax import TOKEN

_MAX_DEPTH: Final = 100
_MARKS: Final = frozenset("{}[]:,")
_CLOSING: Final = {"{": "}", "[": "]"}


class TreeError(ValueError):
    """Raised for text that is not one JSON value with comments; the reader of specs explains why.

    ``offset`` is the first character that does not fit.
    """

    def __init__(self, offset: int) -> None:
        super().__init__(f"unexpected text at {offset}")
        self.offset = offset


def parse_tree(text: str) -> Document:
    """The tree of a text; a byte order mark is dropped. Raises ``TreeError``."""
    return _Parser(text.removeprefix("\ufeff")).document()


class _Token(NamedTuple):
    """A token, or a comment; ``newlines`` are those between it and the one before."""

    text: str
    start: int
    newlines: int


def _tokens(text: str) -> Iterator[_Token]:
    offset, newlines = 0, 1
    while offset < len(text):
        match = TOKEN.match(text, offset)
        if match is None:
            raise TreeError(offset)
        token = match.group()
        if token.isspace():
            newlines += token.count("\n")
        else:
            yield _Token(token, offset, newlines)
            newlines = 0
        offset = match.end()
    yield _Token("", len(text), newlines)


class _Parser:
    """Takes one token after the other; comments wait in ``_comments`` for the part that they belong to."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._comments: list[Comment] = []
        self._next = _Token("", 0, 0)
        self._advance()

    def document(self) -> Document:
        root = self._part(1, is_object=False)
        trailing = self._take_trailing()
        end = self._take_comments()
        if self._next.text:
            raise TreeError(self._next.start)
        return Document(self._text, replace(root, trailing=(*root.trailing, *trailing)), end)

    def _advance(self) -> None:
        for token in self._tokens:
            if token.text[:1] != "/":
                self._next = token
                return
            # A comment to the end of a line that ends with CR LF holds the CR.
            self._comments.append(Comment(token.start, token.text.rstrip(), token.newlines > 0, token.newlines > 1))

    def _take(self) -> _Token:
        token = self._next
        self._advance()
        return token

    def _take_comments(self) -> tuple[Comment, ...]:
        comments = tuple(self._comments)
        self._comments.clear()
        return comments

    def _take_trailing(self) -> tuple[Comment, ...]:
        """The comments before the next token that are not on a line of their own."""
        count = next((i for i, comment in enumerate(self._comments) if comment.own_line), len(self._comments))
        taken = tuple(self._comments[:count])
        del self._comments[:count]
        return taken

    def _part(self, depth: int, *, is_object: bool) -> Part:
        leading, blank, key = self._take_comments(), self._next.newlines > 1, None
        if is_object:
            key = self._scalar()
            if not key.text.startswith('"') or self._next.text != ":":
                raise TreeError(self._next.start)
            self._advance()
        leading += self._take_comments()
        value = self._container(depth) if self._next.text in _CLOSING else self._scalar()
        return Part(key, "" if key is None else str(key.value), value, leading, (), blank)

    def _scalar(self) -> Scalar:
        token = self._take()
        if not token.text or token.text in _MARKS:
            raise TreeError(token.start)
        return Scalar(token.start, token.start + len(token.text), token.text)

    def _container(self, depth: int) -> Container:
        opening = self._take()
        if depth > _MAX_DEPTH:
            raise TreeError(opening.start)
        parts: list[Part] = []
        closing = _CLOSING[opening.text]
        while self._next.text != closing or parts:
            part = self._part(depth + 1, is_object=opening.text == "{")
            is_last = self._next.text != ","
            trailing = self._take_trailing() if is_last else self._take_comments()
            if not is_last:
                self._advance()
                trailing += self._take_trailing()
            parts.append(replace(part, trailing=trailing) if trailing else part)
            if is_last:
                break
        inner = self._take_comments()
        end = self._take()
        if end.text != closing:
            raise TreeError(end.start)
        return Container(opening.start, end.start + 1, tuple(parts), inner, opening.text == "{")
