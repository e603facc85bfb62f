"""What is wrong with text that is not JSON: where, and what to write instead."""

from __future__ import annotations

import re
from typing import Final, Literal

from messagegen.findings import clipped, quoted
from messagegen.jsonc.tree import Position

JsonRule = Literal["SPEC_TEXT_JSON", "SPEC_TEXT_ONE_VALUE", "SPEC_TEXT_NESTING", "SPEC_TEXT_UTF8", "SPEC_SIZE"]
Expected = Literal["value", "key", "colon", "comma", "end"]

STRING: Final = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
"""A string without its closing quote."""

_STRING: Final = re.compile(STRING)
_SINGLE_QUOTES: Final = re.compile(r"'([^'\"\r\n]{0,60})'")
_NUMBER_LIKE: Final = re.compile(r"[-+]?\.?[0-9][\w.+-]*|[-+.][\w.+-]*")
_WORD: Final = re.compile(r"[^\W\d][\w$-]*|\$[\w$]*")
_LITERALS: Final = {"none": "null", "nil": "null", "undefined": "null", "yes": "true", "no": "false"} | {
    word: word for word in ("true", "false", "null")
}


class JsonError(ValueError):
    """Raised for text that is not one JSON value with comments.

    ``position`` is the first thing that does not fit, ``rule`` the id of the rule that it breaks, ``message`` says what is
    wrong and ``instead`` what to write there.
    """

    def __init__(self, position: Position, message: str, instead: str, rule: JsonRule = "SPEC_TEXT_JSON") -> None:
        super().__init__(f"{position.line}:{position.column}: {message}; {instead}")
        self.position = position
        self.message = message
        self.instead = instead
        self.rule: JsonRule = rule


def error_at(text: str, offset: int, message: str, instead: str, rule: JsonRule = "SPEC_TEXT_JSON") -> JsonError:
    """The error about the character at ``offset``."""
    position = Position(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
    return JsonError(position, message, instead, rule)


def bad_token(text: str, offset: int, expected: Expected) -> JsonError:
    """What is wrong with the characters at ``offset``, which don't start a JSON token."""
    at, message, instead = _bad_token(text, offset, expected)
    return error_at(text, at, message, instead)


def bad_key(word: str) -> tuple[str, str]:
    """Message and advice for the name of a property that is not a string."""
    shown = quoted(word)
    return f"the name of a property must be in double quotes, not {shown[1:-1]}", f"write {shown}"


def shown_token(token: str) -> str:
    """A token for a message."""
    return quoted(token[1:-1]) if token.startswith('"') else clipped(token)


def _bad_token(text: str, offset: int, expected: Expected) -> tuple[int, str, str]:
    first = text[offset]
    if first == '"':
        return _bad_string(text, offset)
    if text.startswith("/*", offset):
        return offset, "unclosed comment", "write */ where it ends"
    if first == "'":
        quotes = _SINGLE_QUOTES.match(text, offset)
        instead = f'write "{quotes[1]}"' if quotes else 'write " at both ends'
        return offset, "strings take double quotes, not single quotes", instead
    sign = {"colon": ":", "comma": ","}.get(expected)
    if sign is not None and first in "=;|":
        return offset, f"expected a {expected}, found {first}", f"write {sign} instead"
    if first in "#;/":
        return offset, f"unexpected {first}", "write comments as // or /* */"
    return offset, *_bad_word(text, offset, expected)


def _bad_word(text: str, offset: int, expected: Expected) -> tuple[str, str]:
    first, number, word = text[offset], _NUMBER_LIKE.match(text, offset), _WORD.match(text, offset)
    if expected == "key" and (word or number):
        return bad_key((word or number or [""])[0])
    if number:
        return _bad_number(number[0])
    if word:
        shown, literal = quoted(word[0]), _LITERALS.get(word[0].lower())
        if literal is not None:
            return f"invalid literal {shown[1:-1]}", f"write {literal}"
        return f"text must be in double quotes, not {shown[1:-1]}", f"write {shown}"
    if first.isspace() or not first.isprintable():
        return f"invalid whitespace U+{ord(first):04X}", "write a space"
    return f"unexpected {first}", "remove it, or put it into a string"


def _bad_string(text: str, offset: int) -> tuple[int, str, str]:
    body = _STRING.match(text, offset)
    end = body.end() if body else offset + 1
    if text[end : end + 1] in {"", "\r", "\n"} or text[end:] == "\\":
        return offset, "unclosed string", 'write " where it ends, in the same line'
    if text[end] == "\\":
        shown = clipped(text[end : end + 2])
        return (
            end,
            f"invalid escape {shown}",
            'write \\\\ for a backslash, or one of \\" \\/ \\b \\f \\n \\r \\t \\u0000',
        )
    code = ord(text[end])
    return end, f"invalid control character U+{code:04X} in a string", f"write \\u{code:04x}, or \\t for a tab"


def _bad_number(text: str) -> tuple[str, str]:
    shown = clipped(text)
    if re.fullmatch(r"[-+]?0[xX][0-9a-fA-F]+", text):
        return f"invalid number {shown}: JSON has no hexadecimal numbers", f'write "{shown}" in double quotes'
    if re.fullmatch(r"[-+]?(Infinity|NaN)", text):
        return f"invalid number {shown}", f'write "{shown}" in double quotes'
    if re.match(r"[-+]?0[0-9]", text):
        return f"invalid number {shown}: leading zeros are not allowed", "remove the leading zeros"
    if text.startswith("+"):
        return f"invalid number {shown}: a leading + is not allowed", "remove the +"
    return f"invalid number {shown}", "write digits such as 12, -3 or 1.5, or put it in double quotes"
