"""Text forms of quota entities and values.

A name may contain a comma, an equals sign or a line break, or be ``<default>``. So names are percent-encoded as UTF-8,
as Kafka's ``Sanitizer`` does it for paths and metrics. All characters except ASCII letters and digits and
``- . _ ~ : @ /`` become ``%XX``.
"""

from __future__ import annotations

import difflib
import math
import re
import urllib.parse
from collections.abc import Iterable, Mapping
from typing import Final

DEFAULT: Final = "<default>"
"""The text of the default entity (KIP-546)."""

_KEPT: Final = ":@/"  # also kept, for principals and IPv6 addresses
_ESCAPES: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NUMBER: Final = re.compile(r"-?(?P<digits>(0|[1-9][0-9]*)(\.[0-9]+)?)([eE][-+]?[0-9]+)?")  # JSON's numbers
_INFINITE: Final = frozenset({"Infinity", ".inf"})  # as in Java, and as in YAML
_NO_LIMITS: Final = frozenset({"nan", "-inf", "-infinity"})  # in lower case, without the dots of YAML
_LONGEST_SHOWN: Final = 40
_LARGEST_PLAIN: Final = 1e21  # larger whole numbers are written with an exponent


class QuotaTextError(ValueError):
    """An invalid name, list or value. The text contains advice."""


def sanitize(name: str) -> str:
    """Return the name, percent-encoded. ``unsanitize`` decodes it."""
    # A lone surrogate never comes from a broker. Its encoded form is printed, but ``unsanitize`` refuses that form.
    return urllib.parse.quote(name, safe=_KEPT, errors="surrogatepass")


def key_text(key: str) -> str:
    """Return the key of a quota, percent-encoded. It may be the first text of a line, so colons are encoded, too."""
    return urllib.parse.quote(key, safe="", errors="surrogatepass")


def unsanitize(text: str) -> str:
    """Decode a percent-encoded name. Other characters need no escape.

    Raises ``QuotaTextError`` for an invalid escape, for escapes that are not UTF-8, and for ``<default>``.
    """
    if text == DEFAULT:
        raise QuotaTextError(f"{DEFAULT} is not a name: use the default entity, or write %3Cdefault%3E for this name")
    if _ESCAPES.search(text):
        raise QuotaTextError(f"expected two hex digits after % in {text!r}; write %25 for a percent sign")
    try:
        return urllib.parse.unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise QuotaTextError(f"the escapes in {text!r} are not UTF-8") from None


def entity_text(names: Mapping[str, str | None]) -> str:
    """Return an entity as ``{user=alice, client-id=<default>}``, in the order of ``names``."""
    parts = (f"{sanitize(kind)}={DEFAULT if name is None else sanitize(name)}" for kind, name in names.items())
    return "{" + ", ".join(parts) + "}"


def value_text(value: float) -> str:
    """Return a quota value: a whole number without a point, any other number in the shortest exact form."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < _LARGEST_PLAIN:
        return str(int(value))
    return repr(value)


def parse_value(text: str) -> float:
    """Parse a number in an option or a quota file: a JSON number, or ``Infinity`` (``.inf``).

    Raises ``QuotaTextError`` for other forms, which are ambiguous (in YAML 1.1 ``010`` is 8 and ``1:30`` is 90). Raises
    it also for numbers outside the range of a double, and for NaN, because no rate is above or below it.
    """
    if text in _INFINITE:
        return math.inf
    shown = repr(text) if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]!r}..."
    if text.lower().replace(".", "").lstrip("+") in _NO_LIMITS:
        raise QuotaTextError(f"{text} sets no limit; remove the quota instead")
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise QuotaTextError(f"invalid number {shown}; write for example 1000000, 12.5, 2e6 or Infinity")
    value = float(text)
    if math.isinf(value):
        raise QuotaTextError(f"{shown} is too large; use Infinity for no limit")
    if value == 0 and re.search("[1-9]", match["digits"]):
        raise QuotaTextError(f"{shown} is too small; the minimum is 5e-324")
    return value


def parse_names(text: str) -> list[tuple[str, str | None]]:
    """Parse a list such as ``user=alice,client-id=app`` into pairs; a type without ``=`` gets the name ``None``.

    A name may contain equals signs, and a comma as ``%2C``. Raises ``QuotaTextError``.
    """
    pairs: list[tuple[str, str | None]] = []
    for item in _items(text, "type=name"):
        kind, equals, name = item.partition("=")
        pairs.append((_named(kind, item, "an entity type"), unsanitize(name) if equals else None))
    return pairs


def parse_list(text: str, what: str) -> list[str]:
    """Parse a list such as ``user,client-id``. Raises ``QuotaTextError``.

    ``what`` is the kind of name in errors, with its article, such as "a quota".
    """
    items = _items(text, what)
    for item in items:
        if "=" in item:
            raise QuotaTextError(f"{item!r} is not {what}: remove the = and the text after it")
    return [unsanitize(item) for item in items]


def parse_values(text: str) -> list[tuple[str, float]]:
    """Parse a list such as ``producer_byte_rate=1000`` into keys and values. Raises ``QuotaTextError``."""
    pairs: list[tuple[str, float]] = []
    for item in _items(text, "name=value"):
        key, equals, value = item.partition("=")
        if not equals:
            raise QuotaTextError(f"missing value in {item!r}; write name=value, for example producer_byte_rate=1000000")
        pairs.append((_named(key, item, "a quota"), parse_value(value)))
    return pairs


def check_known(name: str, known: Iterable[str], what: str) -> None:
    """Raise ``QuotaTextError`` for an unknown name; ``what`` is the kind of name in the error, such as "quota"."""
    names = tuple(known)
    if name in names:
        return
    close = difflib.get_close_matches(name, names, n=1)
    meant = f"did you mean {close[0]}?" if close else f"expected {', '.join(names[:-1])} or {names[-1]}"
    raise QuotaTextError(f"unknown {what} {name[:_LONGEST_SHOWN]!r}; {meant}")


def repeated(names: Iterable[str]) -> str | None:
    """Return the first name that is repeated, or ``None``."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _items(text: str, form: str) -> list[str]:
    """Return the items of a comma-separated list, without surrounding blanks (names contain them as ``%20``)."""
    items = [item.strip() for item in text.split(",")]
    if not all(items):
        raise QuotaTextError(f"empty item in {text!r}; write {form}, separated by commas")
    return items


def _named(text: str, item: str, what: str) -> str:
    if not text:
        raise QuotaTextError(f"missing name of {what} before the = in {item!r}")
    return unsanitize(text)
