"""A recursive descent parser that turns text into a tree."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from messagegen.findings import clipped
from messagegen.jsonc.tree import Array, Comment, Document, JsonError, Object, Part, Position, Scalar, Value
from messagegen.texts import MAX_BYTES

MAX_DEPTH: Final = 100
"""The maximum nesting of objects and arrays, which allows 49 nested structs. Kafka's own specs need far fewer."""

_TOKEN: Final = re.compile(
    r"""[ \t\r\n]*+(?:
     (?P<string>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+")
    |(?P<mark>[][{}:,])
    |(?P<comment>//[^\r\n]*|/\*(?s:.*?)\*/)
    |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w.+-]))
    |(?P<word>(?:true|false|null)(?!\w))
    |(?P<end>\Z)
    |(?P<wrong>"[^"\r\n]*+"?|/\*|[\w.+-]++|.))""",
    re.VERBOSE,
)
_CLOSING_BRACKETS: Final = re.compile(r"[]}\s]+")
_CONFLICT: Final = re.compile(r"(?P<mark><{7}|\|{7}|={7}|>{7})(?:[ \r\n]|\Z)")
"""Git's merge conflict markers, which are at the beginning of a line."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_WORDS: Final = {"true": True, "false": False, "null": None}
_INTEGER_DIGITS: Final = 100
_VALUE: Final = (
    "write text in double quotes, a number, true, false, null, {...} or [...]; no comma may follow the last value"
)
_ADVICE: Final = {
    "/*": "write */ where the comment ends",
    "'": "write text in double quotes",
    "#": "write comments as // or /* */",
    '"': 'write " at both ends in one line, \\\\ for a backslash and \\t for a tab',
}
"""Advice about invalid text, by the beginning of the text."""
_WORD_ADVICE: Final = {"True": "write true", "False": "write false", "None": "write null", "undefined": "write null"}
"""Advice about words from other languages."""


def parse_json(text: str | bytes) -> Document:
    """Return the tree of a text in UTF-8; a byte order mark is dropped.

    Comments are ``//`` and ``/* */``, as Jackson allows them. Raise ``JsonError`` for invalid text, and for text that
    is larger than ``MAX_BYTES`` or nested more deeply than ``MAX_DEPTH``.
    """
    if len(text) > MAX_BYTES:
        message = f"the file is too large: more than {MAX_BYTES} bytes"
        raise JsonError(Position(1, 1), message, "split it into several messages")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        return _Parser(data.decode().removeprefix("\ufeff")).document()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode().removeprefix("\ufeff")
        position = Position(before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise JsonError(position, f"invalid UTF-8: byte 0x{data[error.start]:02x}", "save the file as UTF-8") from None


class _Parser:
    """A parser with one current token; ``_comments`` are comments that were read but do not yet belong to a part.

    ``_newlines`` is the number of newlines between the current token and the previous one.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._line = 1
        self._line_start = 0
        self._comments: list[Comment] = []
        self._depth = 0
        self._twice: list[tuple[Part, Part]] = []
        # The current token, its kind and its start.
        self._token = ""
        self._kind = ""
        self._start = 0
        self._newlines = 1
        self._advance()

    def document(self) -> Document:
        """Return the tree of the whole text."""
        root = self._part(in_object=False)
        root.trailing += self._take_trailing()
        end_comments = self._take_comments()
        stray = None
        if self._kind != "end":
            stray = self._position()
            if not _CLOSING_BRACKETS.fullmatch(self._text, self._start):
                raise self._unexpected("the end of the file", "remove it, or put it into a separate file")
        return Document(self._text, root, end_comments, stray, tuple(self._twice))

    def _advance(self) -> None:
        """Read the next token."""
        newlines = 0 if self._end else 1
        while True:
            match = _TOKEN.match(self._text, self._end)
            assert match is not None
            kind = match.lastgroup or ""
            start = match.start(kind)
            if start > self._end:
                newlines += self._count_lines(self._end, start)
            self._end = match.end()
            if kind != "comment":
                self._kind = kind
                self._token = match[kind]
                self._start = start
                self._newlines = newlines
                return
            # If the line ends with CR LF, the text of a // comment includes the CR.
            position = Position(self._line, start - self._line_start + 1)
            self._comments.append(Comment(match[kind].rstrip(), position, newlines > 0, newlines > 1))
            self._count_lines(start, self._end)
            newlines = 0

    def _count_lines(self, start: int, end: int) -> int:
        count = self._text.count("\n", start, end)
        if count:
            self._line += count
            self._line_start = self._text.rfind("\n", start, end) + 1
        return count

    def _position(self) -> Position:
        return Position(self._line, self._start - self._line_start + 1)

    def _unexpected(self, expected: str, instead: str) -> JsonError:
        """Return the error about the current token."""
        conflict = _CONFLICT.match(self._text, self._start) if self._start == self._line_start else None
        if conflict is not None:
            advice = "decide between the two versions, and remove the lines <<<<<<<, ======= and >>>>>>>"
            return JsonError(self._position(), f"unresolved merge conflict: {conflict['mark']}", advice)
        found = clipped(self._token) if self._token else "the end of the file"
        if self._kind == "wrong" and expected == "a value" and found in _WORD_ADVICE:
            instead = _WORD_ADVICE[found]
        elif self._kind == "wrong":
            instead = next((advice for start, advice in _ADVICE.items() if found.startswith(start)), instead)
        return JsonError(self._position(), f"expected {expected}, found {found}", instead)

    def _take_comments(self) -> tuple[Comment, ...]:
        if not self._comments:
            return ()
        comments = tuple(self._comments)
        self._comments.clear()
        return comments

    def _take_trailing(self) -> tuple[Comment, ...]:
        """Return the comments before the next token that are not on their own line."""
        if not self._comments:
            return ()
        count = next((i for i, comment in enumerate(self._comments) if comment.own_line), len(self._comments))
        taken = tuple(self._comments[:count])
        del self._comments[:count]
        return taken

    def _part(self, *, in_object: bool) -> Part:
        """Return an element, or a property of an object."""
        leading = self._take_comments()
        blank_before = self._newlines > 1
        key = None
        if in_object:
            if self._kind != "string":
                raise self._unexpected(
                    "the name of a property", 'write "name": value, with a comma only before another one'
                )
            key = self._scalar()
            if self._token != ":":
                raise self._unexpected(
                    f"a colon after {clipped(key.raw)}", "write a colon, and the value of the property"
                )
            self._advance()
            leading += self._take_comments()
        name = "" if key is None else str(key.value)
        value: Value = self._container() if self._token in ("{", "[") else self._scalar()
        return Part(key, name, value, leading, (), blank_before)

    def _scalar(self) -> Scalar:
        raw = self._token
        position = self._position()
        value: str | int | float | bool | None
        if self._kind == "string":
            text: str = json.loads(raw) if "\\" in raw else raw[1:-1]
            if "\\" in raw and _SURROGATE.search(text):
                raise JsonError(position, "unpaired surrogate in a string", "write the character itself")
            value = text
        elif self._kind == "number":
            # Python rejects integers with thousands of digits, so parse these as floats; no property needs them.
            value = int(raw) if raw.lstrip("-").isdigit() and len(raw) <= _INTEGER_DIGITS else float(raw)
        elif self._kind == "word":
            value = _WORDS[raw]
        else:
            raise self._unexpected("a value", _VALUE)
        self._advance()
        return Scalar(position, raw, value)

    def _container(self) -> Array | Object:
        position = self._position()
        is_object = self._token == "{"
        self._depth += 1
        if self._depth > MAX_DEPTH:
            message = f"objects and arrays are nested too deeply: more than {MAX_DEPTH} levels"
            raise JsonError(position, message, "put the inner structs into commonStructs")
        self._advance()
        parts = self._parts(position, is_object=is_object)
        inner = self._take_comments()
        end = Position(self._line, self._start - self._line_start + 2)
        self._depth -= 1
        self._advance()
        if is_object:
            return Object(position, end, parts, inner, self._members(parts))
        return Array(position, end, parts, inner)

    def _parts(self, opening: Position, *, is_object: bool) -> tuple[Part, ...]:
        """Return the elements of an array, or the properties of an object, up to the closing bracket."""
        closing = "}" if is_object else "]"
        parts: list[Part] = []
        while self._token != closing or parts:
            part = self._part(in_object=is_object)
            parts.append(part)
            part.trailing = self._take_trailing()
            if self._token != ",":
                break
            part.trailing += self._take_comments()
            self._advance()
            part.trailing += self._take_trailing()
        if self._token != closing:
            opened = "{" if is_object else "["
            raise self._unexpected(
                f"a comma, or {closing} for the {opened} of line {opening.line}",
                f"write a comma between two parts, or {closing}",
            )
        return tuple(parts)

    def _members(self, properties: Sequence[Part]) -> dict[str, Part]:
        """Return the properties by name. If two have the same name, keep the second and record both."""
        members: dict[str, Part] = {}
        for part in properties:
            if part.name in members:
                self._twice.append((members[part.name], part))
            members[part.name] = part
        return members
