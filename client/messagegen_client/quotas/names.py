"""Names of quota entities as text that cannot be mistaken, and can be given back.

A name is opaque: it may hold a comma, an equals sign, a line break, or be ``<default>`` to the letter. For output it is
percent-encoded as UTF-8, as Kafka's own ``Sanitizer`` does for paths and metrics: all but letters and digits of ASCII
and ``- . _ ~ : @ /`` become ``%XX``. A ``<`` or a ``}`` on the screen is therefore never part of a name.
"""

from __future__ import annotations

import difflib
import math
import re
import urllib.parse
from collections.abc import Iterable, Mapping
from typing import Final

DEFAULT: Final = "<default>"
"""How the default entity of a type is shown (KIP-546). No name is ever shown so."""

_KEPT: Final = ":@/"  # besides what urllib keeps: user names as principals have them, IPv6 addresses
_ESCAPES: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")  # JSON's numbers
_INFINITE: Final = frozenset({"Infinity", ".inf"})  # Java's and JSON's way to write it here, and YAML's
_NO_LIMITS: Final = frozenset({"nan", "-inf", "-infinity"})  # without the points of YAML, in lower case
_LONGEST_SHOWN: Final = 40
_LARGEST_PLAIN: Final = 1e21  # up to here a whole number reads better with all its digits


class QuotaTextError(ValueError):
    """Text that is no name, list or value of quotas; says what to write instead."""


def sanitize(name: str) -> str:
    """The name for output: percent-encoded. ``unsanitize`` gives the name back."""
    # A lone surrogate is no character and never comes from a broker; it is shown, and refused when given back.
    return urllib.parse.quote(name, safe=_KEPT, errors="surrogatepass")


def unsanitize(text: str) -> str:
    """The name that a sanitised text stands for; characters that need no escape may stand as themselves.

    Raises ``QuotaTextError`` for a percent sign that begins no escape, for escapes that are not UTF-8, and for
    ``<default>``, which is no name.
    """
    if text == DEFAULT:
        raise QuotaTextError(
            f"{DEFAULT} is no name: name the type as a default, or write %3Cdefault%3E for that very name"
        )
    if _ESCAPES.search(text):
        raise QuotaTextError(f"{text!r} has a % without two hexadecimal digits after it; write %25 for a percent sign")
    try:
        return urllib.parse.unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise QuotaTextError(f"the escapes in {text!r} are not UTF-8") from None


def entity_text(names: Mapping[str, str | None]) -> str:
    """An entity for output, as ``{user=alice, client-id=<default>}``, in the order that ``names`` has."""
    parts = (f"{sanitize(kind)}={DEFAULT if name is None else sanitize(name)}" for kind, name in names.items())
    return "{" + ", ".join(parts) + "}"


def value_text(value: float) -> str:
    """A quota value for output: whole numbers without a point, anything else in the shortest exact form."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < _LARGEST_PLAIN:
        return str(int(value))
    return repr(value)


def parse_value(text: str) -> float:
    """The number that a text gives, in options and in quota files: written as in JSON, or ``Infinity`` (``.inf``).

    Raises ``QuotaTextError`` for anything else, which readers of numbers understand in different ways: ``010`` is 8 in YAML 1.1,
    and ``1:30`` is 90. So are numbers that a double can't hold, which would become infinity or zero, and NaN. Brokers
    accept NaN, but no rate is above or below it, so that it limits nothing that can be said beforehand.
    """
    if text in _INFINITE:
        return math.inf
    shown = repr(text) if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]!r}..."
    if text.lower().replace(".", "").lstrip("+") in _NO_LIMITS:
        raise QuotaTextError(f"{text} is not a limit; remove the quota if there should be none")
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise QuotaTextError(f"{shown} is not a number; write one such as 1000000, 12.5 or 2e6, or Infinity")
    value = float(text)
    if math.isinf(value):
        raise QuotaTextError(f"{shown} is too large for a quota; write Infinity for a limit that is never reached")
    if not value and re.search("[1-9]", text[: match.end(2) if match[2] else match.end(1)]):
        raise QuotaTextError(f"{shown} is too small for a quota; the smallest is 5e-324")
    return value


def parse_names(text: str) -> list[tuple[str, str | None]]:
    """The ``type=name`` pairs of a list such as ``user=alice,client-id=app``; the name is ``None`` for a bare type.

    A name may hold equals signs as they are, and a comma as ``%2C``. Raises ``QuotaTextError``.
    """
    pairs: list[tuple[str, str | None]] = []
    for item in _items(text, "type=name"):
        kind, equals, name = item.partition("=")
        pairs.append((_named(kind, item, "an entity type"), unsanitize(name) if equals else None))
    return pairs


def parse_list(text: str, what: str) -> list[str]:
    """The items of a list such as ``user,client-id``; ``what`` names one, as "an entity type". Raises ``QuotaTextError``."""
    items = _items(text, what)
    for item in items:
        if "=" in item:
            raise QuotaTextError(f"{item!r} is not {what}: leave out the = and what follows")
    return [unsanitize(item) for item in items]


def parse_values(text: str) -> list[tuple[str, float]]:
    """The quota keys and values of a list such as ``producer_byte_rate=1000``. Raises ``QuotaTextError``."""
    pairs: list[tuple[str, float]] = []
    for item in _items(text, "name=value"):
        key, equals, value = item.partition("=")
        if not equals:
            raise QuotaTextError(f"{item!r} has no value; write name=value, as producer_byte_rate=1000000")
        pairs.append((_named(key, item, "a quota"), parse_value(value)))
    return pairs


def check_known(name: str, known: Iterable[str], what: str) -> None:
    """Raises ``QuotaTextError`` for a name that is not among those which are known; ``what`` names one, as "quota"."""
    names = tuple(known)
    if name in names:
        return
    close = difflib.get_close_matches(name, names, n=1)
    meant = f"did you mean {close[0]}?" if close else f"expected {', '.join(names[:-1])} or {names[-1]}"
    raise QuotaTextError(f"unknown {what} {name[:_LONGEST_SHOWN]!r}; {meant}")


def repeated(names: Iterable[str]) -> str | None:
    """The first of the names that comes a second time, if one does."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _items(text: str, form: str) -> list[str]:
    """What stands between the commas, without blanks around it (``%20`` is a blank of a name)."""
    items = [item.strip() for item in text.split(",")]
    if not all(items):
        raise QuotaTextError(f"{text!r} has an empty item; write {form}, with commas between several")
    return items


def _named(text: str, item: str, what: str) -> str:
    if not text:
        raise QuotaTextError(f"{item!r} does not say which; write the name of {what} before the =")
    return unsanitize(text)
