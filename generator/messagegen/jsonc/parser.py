"""Text -> tree, by recursive descent; the parser knows what it expects, so an error says what to write instead."""

from __future__ import annotations

import json
import re
from typing import Final

from messagegen.jsonc.problems import STRING, Expected, JsonError, JsonRule, bad_key, bad_token, error_at, shown_token
from messagegen.jsonc.tree import Array, Comment, Container, Document, Object, Part, Position, Scalar, Value
from messagegen.texts import MAX_BYTES

MAX_DEPTH: Final = 100
"""The maximum nesting of objects and arrays, which allows 49 nested structs. Kafka's own specs need far fewer."""

_TOKEN: Final = re.compile(
    rf"""[ \t\r\n]*+(?:
     (?P<string>{STRING}")
    |(?P<mark>[][{{}}:,])
    |(?P<comment>//[^\r\n]*|/\*(?s:.*?)\*/)
    |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w.+-]))
    |(?P<word>(?:true|false|null)(?!\w))
    |(?P<end>\Z))""",
    re.VERBOSE,
)
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_CLOSING: Final = {"{": "}", "[": "]"}
_CLOSING_BRACKETS: Final = re.compile(r"[]}\s]+")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_WORDS: Final = {"true": True, "false": False, "null": None}
_INTEGER_DIGITS: Final = 100
_ONE: Final = "SPEC_TEXT_ONE_VALUE"
_UNMATCHED: Final = "remove it, or write the bracket that it closes"


def parse_json(text: str | bytes) -> Document:
    """The tree of a text in UTF-8; a byte order mark is dropped. Comments are ``//`` and ``/* */``, as Jackson allows them.

    Raises ``JsonError``, also for text that is larger than ``MAX_BYTES`` or nested more deeply than ``MAX_DEPTH``.
    """
    if len(text) > MAX_BYTES:
        message = f"the file is too large: more than {MAX_BYTES} bytes"
        raise JsonError(Position(1, 1), message, "split it into several messages", "SPEC_SIZE")
    return _Parser(_decoded(text)).document()


def _decoded(text: str | bytes) -> str:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode().removeprefix("\ufeff")
        message = f"invalid UTF-8: byte 0x{data[error.start]:02x}"
        raise error_at(before, len(before), message, "save the file as UTF-8", "SPEC_TEXT_UTF8") from None


class _Parser:
    """Takes one token after the other; comments wait in ``_comments`` for the part that they belong to.

    ``_newlines`` counts those between the token and the one before it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._line, self._line_start = 1, 0
        self._comments: list[Comment] = []
        self._open: list[Container] = []
        self._twice = False
        self._kind, self._token, self._start, self._newlines = "", "", 0, 1
        self._advance("value")

    def document(self) -> Document:
        """The whole text."""
        if self._kind == "end":
            raise self._problem("missing JSON value: the file is empty", 'write one object: {"type": ...}', 0, _ONE)
        root = self._part(None)
        root.trailing += self._take_trailing()
        end, stray = self._take_comments(), None
        if self._kind != "end":
            stray = self._start
            if not _CLOSING_BRACKETS.fullmatch(self._text, stray):
                if self._token in ("}", "]"):
                    raise self._problem(f"unmatched {self._token}", _UNMATCHED, rule=_ONE)
                instead = "remove it, or put it into a separate file"
                raise self._problem("unexpected text after the spec", instead, rule=_ONE)
        return Document(self._text, root, end, stray, self._twice)

    def _advance(self, expected: Expected) -> None:
        """Goes on to the next token; ``expected`` is what may come."""
        newlines = 0 if self._end else 1
        while True:
            match = _TOKEN.match(self._text, self._end)
            if match is None:
                blank = _BLANKS.match(self._text, self._end)
                raise bad_token(self._text, blank.end() if blank else self._end, expected)
            kind = match.lastgroup or ""
            start = match.start(kind)
            if start > self._end:
                newlines += self._count_lines(self._end, start)
            self._end = match.end()
            if kind != "comment":
                self._kind, self._token, self._start, self._newlines = kind, match[kind], start, newlines
                return
            # A comment to the end of a line that ends with CR LF holds the CR.
            self._comments.append(Comment(start, match[kind].rstrip(), newlines > 0, newlines > 1))
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

    def _take_comments(self) -> tuple[Comment, ...]:
        if not self._comments:
            return ()
        comments = tuple(self._comments)
        self._comments.clear()
        return comments

    def _take_trailing(self) -> tuple[Comment, ...]:
        """The comments before the next token that are not on a line of their own."""
        if not self._comments:
            return ()
        count = next((i for i, comment in enumerate(self._comments) if comment.own_line), len(self._comments))
        taken = tuple(self._comments[:count])
        del self._comments[:count]
        return taken

    def _part(self, holder: Container | None) -> Part:
        """An element, or a property of an object."""
        leading, blank, key = self._take_comments(), self._newlines > 1, None
        if isinstance(holder, Object):
            key = self._key()
            leading += self._take_comments()
        name = "" if key is None else str(key.value)
        value: Value = self._container() if self._token in _CLOSING else self._scalar(key)
        return Part(key, name, value, leading, (), blank)

    def _key(self) -> Scalar:
        if self._kind != "string":
            raise self._bad_key()
        key = self._string("colon")
        if self._token != ":":
            raise self._no_colon(shown_token(key.raw))
        self._advance("value")
        return key

    def _string(self, expected: Expected) -> Scalar:
        raw, start, position = self._token, self._start, self._position()
        value = raw[1:-1]
        if "\\" in value:
            value = json.loads(raw)
            if _SURROGATE.search(value):
                message, instead = "unpaired surrogate in a string", "write the character itself"
                raise self._problem(message, instead, rule="SPEC_TEXT_UTF8")
        self._advance(expected)
        return Scalar(position, start, start + len(raw), raw, value)

    def _scalar(self, key: Scalar | None) -> Scalar:
        after: Expected = "comma" if self._open else "end"
        if self._kind == "string":
            return self._string(after)
        raw, start, position = self._token, self._start, self._position()
        value: int | float | bool | None
        if self._kind == "number":
            # Python refuses integers with thousands of digits, and no property needs them.
            value = int(raw) if raw.lstrip("-").isdigit() and len(raw) <= _INTEGER_DIGITS else float(raw)
        elif self._kind == "word":
            value = _WORDS[raw]
        else:
            raise self._no_value(key)
        self._advance(after)
        return Scalar(position, start, start + len(raw), raw, value)

    def _container(self) -> Array | Object:
        if len(self._open) == MAX_DEPTH:
            message = f"objects and arrays are nested too deeply: more than {MAX_DEPTH} levels"
            raise self._problem(message, "put the inner structs into commonStructs", rule="SPEC_TEXT_NESTING")
        position, start, members = self._position(), self._start, dict[str, Part]()
        is_object = self._token == "{"
        node = Object(position, start, 0, (), (), members) if is_object else Array(position, start, 0, (), ())
        self._open.append(node)
        self._advance("key" if is_object else "value")
        parts: list[Part] = []
        comma = -1
        while self._token not in ("}", "]"):
            part = self._part(node)
            parts.append(part)
            if is_object:
                self._twice = self._twice or part.name in members
                members[part.name] = part
            if self._token != ",":
                part.trailing = self._take_trailing()
                comma = -1
                break
            comma = self._start
            part.trailing = self._take_comments()
            self._advance("key" if is_object else "value")
            part.trailing += self._take_trailing()
        node.parts, node.inner = tuple(parts), self._take_comments()
        self._close(node, comma, bool(parts))
        return node

    def _close(self, node: Container, comma: int, filled: bool) -> None:
        """Takes the closing bracket of a container; ``comma`` is the offset of a comma just before it, or -1."""
        if self._token not in ("}", "]"):
            raise self._no_comma(node) if filled else self._bad_key()
        self._check_match()
        if comma >= 0:
            raise self._problem(f"trailing comma before {self._token}", "remove the comma", comma)
        node.end = self._start + 1
        self._open.pop()
        self._advance("comma" if self._open else "end")

    def _problem(
        self, message: str, instead: str, at: int | None = None, rule: JsonRule = "SPEC_TEXT_JSON"
    ) -> JsonError:
        """The error about the current token, or about the offset ``at``."""
        return error_at(self._text, self._start if at is None else at, message, instead, rule)

    def _check_match(self) -> None:
        """Raises an error for a bracket that does not match the last open one, and at the end of the text."""
        bracket = "{" if isinstance(self._open[-1], Object) else "["
        if self._kind == "end":
            instead = f"write {_CLOSING[bracket]} where it ends"
            raise self._problem(f"unclosed {bracket}", instead, self._open[-1].start)
        if self._token in ("}", "]") and self._token != _CLOSING[bracket]:
            message = f"{self._token} does not match the {bracket} on line {self._open[-1].position.line}"
            raise self._problem(message, f"write {_CLOSING[bracket]} before it")

    def _bad_key(self) -> JsonError:
        self._check_match()
        if self._token == ",":
            return self._problem("expected a property, found a comma", "remove the comma")
        if self._kind == "mark":
            return self._problem(f"expected the name of a property, found {self._token}", 'write "name": value')
        return self._problem(*bad_key(self._token))

    def _no_colon(self, key: str) -> JsonError:
        self._check_match()
        if self._token in (",", "}", "]"):
            return self._problem(f"missing value of {key}", f"write {key}: and its value before the {self._token}")
        return self._problem(f"missing colon after {key}", f"write {key}: {shown_token(self._token)}")

    def _no_value(self, key: Scalar | None) -> JsonError:
        if not self._open:
            instead = _UNMATCHED if self._token in ("}", "]") else f"remove the {self._token}"
            what = "unmatched" if self._token in ("}", "]") else "expected a value, found"
            return self._problem(f"{what} {self._token}", instead)
        self._check_match()
        if key is None:
            return self._problem(f"expected a value, found {self._token}", f"remove the {self._token}")
        shown = shown_token(key.raw)
        if self._token in ("}", "]"):
            return self._problem(f"missing value of {shown}", f"write {shown}: and its value before the {self._token}")
        instead = "write the value" if self._token == "," else "remove the second colon"
        return self._problem(f"expected the value of {shown}, found {self._token}", instead)

    def _no_comma(self, node: Container) -> JsonError:
        self._check_match()
        if self._token == ":":
            message = "expected a comma or a closing bracket, found a colon"
            return self._problem(message, "write , between two parts, and a colon only after the name of a property")
        part = "property" if isinstance(node, Object) else "element"
        return self._problem(f"missing comma before this {part}", f"write , before {shown_token(self._token)}")
