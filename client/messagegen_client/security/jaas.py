"""Parses ``sasl.jaas.config``: a login module and its options, in the format of Java's JAAS files.

    org.apache.kafka.common.security.scram.ScramLoginModule required username="alice" password="...";

Errors never quote the text, because it contains a password. The format is that of Java's
``javax.security.auth.login.Configuration``, as read by Kafka's ``JaasConfig``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from messagegen_client.errors import ConfigError

_FLAGS: Final = frozenset({"required", "requisite", "sufficient", "optional"})
_TOKEN: Final = re.compile(
    r"""
    (?P<blank> \s+ | //[^\n]* | /\*.*?\*/ )
    | "(?P<double> (?: [^"\\\n] | \\. )* )"
    | '(?P<single> (?: [^'\\\n] | \\. )* )'
    | (?P<mark> [=;] )
    | (?P<word> [^\s=;"'/]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\([0-3][0-7]{2}|[0-7]{1,2}|.)", re.DOTALL)
_TOKENS_OF_OPTION: Final = 3
_EXPECTED_OPTIONS: Final = 'expected options as name="value", separated by spaces, and a semicolon at the end'
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}


@dataclass(frozen=True, slots=True)
class LoginModule:
    """The class name of a login module, and its options, which may be secrets."""

    name: str
    options: dict[str, str] = field(repr=False)


def parse_jaas_config(text: str) -> LoginModule:
    """Return the login module in ``sasl.jaas.config``. Raises ``ConfigError``."""
    name, flag, *rest = [*_tokens(text), _END, _END]
    if not (name.is_text and flag.is_text):
        raise _bad('expected the name of a login module and "required"')
    if flag.text.lower() not in _FLAGS:
        raise _bad('expected "required" after the name of the login module')
    if rest.count(_SEMICOLON) > 1:
        raise _bad("expected only one login module; put a value that contains a semicolon in quotes")
    return LoginModule(name.text, _options(rest))


class _Token(NamedTuple):
    """A piece of text, or one of the marks "=" and ";". Quoted text may equal a mark."""

    is_text: bool
    text: str


_EQUALS: Final = _Token(is_text=False, text="=")
_SEMICOLON: Final = _Token(is_text=False, text=";")
_END: Final = _Token(is_text=False, text="")
"""The mark after the last token."""


def _options(tokens: Sequence[_Token]) -> dict[str, str]:
    """Return the options. They must be followed by a semicolon, and nothing may follow it."""
    options: dict[str, str] = {}
    at = 0
    while tokens[at].is_text:
        name, equals, value = tokens[at : at + _TOKENS_OF_OPTION]
        if equals != _EQUALS or not value.is_text:
            raise _bad(_EXPECTED_OPTIONS)
        options[name.text] = value.text
        at += _TOKENS_OF_OPTION
    if tokens[at] != _SEMICOLON or tokens[at + 1] != _END:
        raise _bad(_EXPECTED_OPTIONS)
    return options


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _bad("an unclosed quote, or a character that needs quotes")
        at = match.end()
        if match["mark"] is not None:
            yield _Token(is_text=False, text=match["mark"])
        elif match["word"] is not None:
            yield _Token(is_text=True, text=match["word"])
        elif match["blank"] is None:
            quoted = match["double"] if match["double"] is not None else match["single"]
            yield _Token(is_text=True, text=_ESCAPE.sub(_unescape, quoted))


def _unescape(match: re.Match[str]) -> str:
    what = match[1]
    if what[0] in "01234567":
        return chr(int(what, 8))
    return _ESCAPED.get(what, what)


def _bad(reason: str) -> ConfigError:
    return ConfigError(f"invalid sasl.jaas.config: {reason}")
