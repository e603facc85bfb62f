"""Explains why text is not JSON: the first unexpected token, and what belongs there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from messagegen.spec.report import clipped, quoted

TOKEN: Final = re.compile(
    r"""(?P<blank>[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)
    |(?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.+-])
    |(?P<word>true|false|null)(?!\w)
    |(?P<mark>[][{}:,])""",
    re.VERBOSE | re.DOTALL,
)
"""A JSON token; comments count as whitespace."""
_NUMBER_LIKE: Final = re.compile(r"[-+]?\.?[0-9][\w.+-]*|[-+.][\w.+-]*")
_WORD: Final = re.compile(r"[^\W\d][\w$-]*|\$[\w$]*")
_LITERALS: Final = {
    "true": "true",
    "false": "false",
    "null": "null",
    "none": "null",
    "nil": "null",
    "undefined": "null",
    "yes": "true",
    "no": "false",
}
_CLOSING: Final = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Problem:
    """Where text stops being JSON (``offset`` in characters), and what to write there."""

    offset: int
    message: str
    instead: str
    rule: Literal["SPEC_TEXT_JSON", "SPEC_TEXT_ONE_VALUE"] = "SPEC_TEXT_JSON"


def explain(text: str) -> Problem | None:
    """The first problem of ``text``, or ``None`` if it is JSON (with comments)."""
    grammar = _Grammar(text)
    offset = 0
    while offset < len(text):
        match = TOKEN.match(text, offset)
        if match is None:
            return _bad_token(text, offset, grammar.expects)
        if match.lastgroup != "blank":
            problem = grammar.take(match.group(), offset)
            if problem is not None:
                return problem
        offset = match.end()
    return grammar.end()


class _Grammar:
    """JSON's grammar as a state and a stack of open brackets.

    ``_next`` is what may come next: a ``value``, a ``key``, a ``colon``, a ``comma`` (or the closing bracket), the ``end``; with
    ``_fresh`` a closing bracket may follow immediately.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[tuple[str, int]] = []
        self._next = "value"
        self._fresh = False
        self._key = ""
        self._comma_offset = 0

    @property
    def expects(self) -> str:
        """What may come next."""
        return self._next

    def take(self, token: str, offset: int) -> Problem | None:
        """Advances by one token, or explains why it is unexpected."""
        if token in ("}", "]"):
            return self._close(token, offset)
        step = {"value": self._value, "key": self._take_key, "colon": self._colon, "comma": self._comma}.get(self._next)
        if step is None:
            message = "unexpected text after the spec"
            return Problem(offset, message, "remove it, or put it into a file of its own", "SPEC_TEXT_ONE_VALUE")
        return step(token, offset)

    def end(self) -> Problem | None:
        """What is missing at the end of the text."""
        if self._open:
            bracket, offset = self._open[-1]
            return Problem(offset, f"unclosed {bracket}", f"write {_CLOSING[bracket]} where it ends")
        if self._next == "value":
            message = "missing JSON value: the file is empty"
            return Problem(0, message, 'write one object: {"type": ...}', "SPEC_TEXT_ONE_VALUE")
        return None

    def _value(self, token: str, offset: int) -> Problem | None:
        if token in ("{", "["):
            self._open.append((token, offset))
            self._next, self._fresh = ("key" if token == "{" else "value"), True
            return None
        if token in {",", ":"}:
            if self._in_object:
                instead = "write the value" if token == "," else "remove the second colon"
                return Problem(offset, f"expected the value of {self._key}, found {token}", instead)
            return Problem(offset, f"expected a value, found {token}", f"remove the {token}")
        self._after_value()
        return None

    def _take_key(self, token: str, offset: int) -> Problem | None:
        if token.startswith('"'):
            self._key, self._next, self._fresh = _shown(token), "colon", False
            return None
        if token == ",":
            return Problem(offset, "expected a property, found a comma", "remove the comma")
        if token in ("{", "[", ":"):
            return Problem(offset, f"expected the name of a property, found {token}", 'write "name": value')
        return _bad_key(token, offset)

    def _colon(self, token: str, offset: int) -> Problem | None:
        if token == ":":
            self._next = "value"
            return None
        if token == ",":
            again = _again(self._text, offset, self._key)
            if again:
                message = f"duplicate property {self._key}, the first without a value"
                return Problem(offset, message, f"write it once: {again}")
            return Problem(
                offset, f"missing value of {self._key}", f"write {self._key}: and its value before the comma"
            )
        return Problem(offset, f"missing colon after {self._key}", f"write {self._key}: {_shown(token)}")

    def _comma(self, token: str, offset: int) -> Problem | None:
        if token == ",":
            self._next, self._comma_offset, self._fresh = ("key" if self._in_object else "value"), offset, False
            return None
        if token == ":":
            message = "expected a comma or a closing bracket, found a colon"
            return Problem(offset, message, "write , between two parts, and a colon only after the name of a property")
        part = "property" if self._in_object else "element"
        return Problem(offset, f"missing comma before this {part}", f"write , before {_shown(token)}")

    def _close(self, token: str, offset: int) -> Problem | None:
        if not self._open:
            if self._next == "end":
                message = f"unmatched {token}"
                return Problem(offset, message, "remove it, or write the bracket that it closes", "SPEC_TEXT_ONE_VALUE")
            return Problem(offset, f"unmatched {token}", "remove it, or write the bracket that it closes")
        bracket, opened = self._open[-1]
        if _CLOSING[bracket] != token:
            line = self._text.count("\n", 0, opened) + 1
            message = f"{token} does not match the {bracket} on line {line}"
            return Problem(offset, message, f"write {_CLOSING[bracket]} before it")
        if self._next == "colon" or (self._next == "value" and self._in_object):
            return Problem(
                offset, f"missing value of {self._key}", f"write {self._key}: and its value before the {token}"
            )
        if self._next != "comma" and not self._fresh:
            return Problem(self._comma_offset, f"trailing comma before {token}", "remove the comma")
        self._open.pop()
        self._after_value()
        return None

    def _after_value(self) -> None:
        self._next, self._fresh = ("comma" if self._open else "end"), False

    @property
    def _in_object(self) -> bool:
        return bool(self._open) and self._open[-1][0] == "{"


def _again(text: str, comma: int, key: str) -> str:
    """The property after a comma as written, if its name is ``key``; otherwise nothing."""
    follows = re.compile(r"\s*" + re.escape(key) + r'\s*:\s*("[^"\n]{0,40}"|-?[0-9.]{1,20})').match(text, comma + 1)
    return f"{key}: {follows[1]}" if follows else ""


def _shown(token: str) -> str:
    return quoted(token[1:-1]) if token.startswith('"') else clipped(token)


def _bad_token(text: str, offset: int, expected: str) -> Problem:
    """What is wrong with the characters at ``offset``, which don't start a JSON token."""
    first = text[offset]
    if first == '"':
        return _bad_string(text, offset)
    if text.startswith("/*", offset):
        return Problem(offset, "unclosed comment", "write */ where it ends")
    if first == "'":
        return _single_quotes(text, offset)
    sign = {"colon": ":", "comma": ","}.get(expected)
    if sign is not None and first in "=;|":
        return Problem(offset, f"expected a {expected}, found {first}", f"write {sign} instead")
    if first in "#;/":
        return Problem(offset, f"unexpected {first}", "write comments as // or /* */")
    number = _NUMBER_LIKE.match(text, offset)
    if number is not None and expected != "key":
        return _bad_number(number.group(), offset)
    word = _WORD.match(text, offset)
    if word is not None:
        return _bad_word(word.group(), offset, expected)
    if number is not None:
        return _bad_key(number.group(), offset)
    if first.isspace() or not first.isprintable():
        return Problem(offset, f"invalid whitespace U+{ord(first):04X}", "write a space")
    return Problem(offset, f"unexpected {first}", "remove it, or put it into a string")


def _single_quotes(text: str, offset: int) -> Problem:
    quotes = re.compile(r"'([^'\"\r\n]{0,60})'").match(text, offset)
    instead = f'write "{quotes[1]}"' if quotes else 'write " at both ends'
    return Problem(offset, "strings take double quotes, not single quotes", instead)


def _bad_string(text: str, offset: int) -> Problem:
    body = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+').match(text, offset)
    end = body.end() if body else offset + 1
    if text[end : end + 1] in {"", "\r", "\n"} or text[end:] == "\\":
        return Problem(offset, "unclosed string", 'write " where it ends, in the same line')
    if text[end] == "\\":
        shown = clipped(text[end : end + 2])
        message = f"invalid escape {shown}"
        return Problem(end, message, 'write \\\\ for a backslash, or one of \\" \\/ \\b \\f \\n \\r \\t \\u0000')
    code = ord(text[end])
    return Problem(end, f"invalid control character U+{code:04X} in a string", f"write \\u{code:04x}, or \\t for a tab")


def _bad_number(text: str, offset: int) -> Problem:
    shown = clipped(text)
    if re.fullmatch(r"[-+]?0[xX][0-9a-fA-F]+", text):
        return Problem(
            offset, f"invalid number {shown}: JSON has no hexadecimal numbers", f'write "{shown}" in double quotes'
        )
    if re.fullmatch(r"[-+]?(Infinity|NaN)", text):
        return Problem(offset, f"invalid number {shown}", f'write "{shown}" in double quotes')
    if re.match(r"[-+]?0[0-9]", text):
        return Problem(offset, f"invalid number {shown}: leading zeros are not allowed", "remove the leading zeros")
    if text.startswith("+"):
        return Problem(offset, f"invalid number {shown}: a leading + is not allowed", "remove the +")
    return Problem(offset, f"invalid number {shown}", "write digits such as 12, -3 or 1.5, or put it in double quotes")


def _bad_key(word: str, offset: int) -> Problem:
    shown = quoted(word)
    return Problem(offset, f"the name of a property must be in double quotes, not {shown[1:-1]}", f"write {shown}")


def _bad_word(word: str, offset: int, expected: str) -> Problem:
    shown = quoted(word)
    if expected == "key":
        return _bad_key(word, offset)
    literal = _LITERALS.get(word.lower())
    if literal is not None:
        return Problem(offset, f"invalid literal {shown[1:-1]}", f"write {literal}")
    return Problem(offset, f"text must be in double quotes, not {shown[1:-1]}", f"write {shown}")
