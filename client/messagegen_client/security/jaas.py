"""Parses ``sasl.jaas.config``: a login module and its options, in the format of Java's JAAS files.

    org.apache.kafka.common.security.scram.ScramLoginModule required username="alice" password="...";

Errors never quote the text, because it contains a password. The format is that of Java's
``javax.security.auth.login.Configuration``, as read by Kafka's ``JaasConfig``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v"}


@dataclass(frozen=True, slots=True)
class LoginModule:
    """The class name of a login module, and its options, which may be secrets."""

    name: str
    options: dict[str, str] = field(repr=False)


def parse_jaas_config(text: str) -> LoginModule:
    """The login module in ``sasl.jaas.config``. Raises ``ConfigError``."""
    tokens = list(_tokens(text))
    kinds = "".join(token.kind for token in tokens)
    if not kinds.startswith("tt"):
        raise _bad('expected the name of a login module and "required"')
    if tokens[1].text.lower() not in _FLAGS:
        raise _bad('expected "required" after the name of the login module')
    if kinds.count(";") > 1:
        raise _bad("expected one login module only; put values with a semicolon in quotes")
    if re.fullmatch("tt(t=t)*;", kinds) is None:
        raise _bad('expected options as name="value", separated by blanks, and a semicolon at the end')
    options = tokens[2:-1]
    return LoginModule(
        tokens[0].text, {name.text: value.text for name, value in zip(options[::3], options[2::3], strict=True)}
    )


class _Token(NamedTuple):
    """``kind`` is "=" or ";" for these characters, and "t" for other text, quoted or not."""

    kind: str
    text: str


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _bad("an unclosed quote, or a character that needs quotes")
        at = match.end()
        if match["mark"] is not None:
            yield _Token(match["mark"], match["mark"])
        elif match["word"] is not None:
            yield _Token("t", match["word"])
        elif match["blank"] is None:
            quoted = match["double"] if match["double"] is not None else match["single"]
            yield _Token("t", _ESCAPE.sub(_unescape, quoted))


def _unescape(match: re.Match[str]) -> str:
    what = match[1]
    return chr(int(what, 8)) if what[0] in "01234567" else _ESCAPED.get(what, what)


def _bad(reason: str) -> ConfigError:
    return ConfigError(f"invalid sasl.jaas.config: {reason}")
