"""The rule by which the bytes of a part are read, as text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from messagegen.console.text import count
from messagegen.primitives import PRIMITIVES
from messagegen.runtime.wire import read_uvarint

_TYPE: Final = re.compile(r"(?P<compact>compact_)?(?P<kind>array|string|bytes|records)\b.*")
_LENGTH_SIZES: Final = {"string": 2, "bytes": 4, "records": 4, "array": 4}
_ENCODED: Final = {"string": " of UTF-8"}
"""The end of a rule, by the kind of the value."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as text. The first ``head`` bytes of the part are a length, a tag or a mark, not a value."""

    text: str
    head: int = 0


def rule_of(name: str, type_: str, own: bytes) -> Rule:
    """Return the rule of a part, from its name, its type, and its ``own`` bytes, which may not be empty."""
    if type_ == "tag section":
        return Rule(f"the number of tagged fields as a varint: {read_uvarint(own, 0)[0]}", len(own))
    if type_ == "tag":
        tag, middle = read_uvarint(own, 0)
        size, _ = read_uvarint(own, middle)
        return Rule(f"two varints: the tag {tag}, and the size of its value, {count(size, 'byte')}", len(own))
    if name.startswith("unknown tag "):
        return Rule("the bytes of a tag that this version of the spec lacks")
    if match := _TYPE.fullmatch(type_):
        return _sized(match["kind"], own, is_compact=bool(match["compact"]))
    if type_ in PRIMITIVES:
        return Rule(PRIMITIVES[type_].about)
    if "packed" in type_:
        return Rule("a varint" if type_.startswith("u") else "a zig-zag varint")
    if type_.endswith("?"):
        return Rule("a mark before a struct: negative or 0 means null", len(own))
    return Rule("")


def _sized(kind: str, own: bytes, *, is_compact: bool) -> Rule:
    """Return the rule of a value with a length before it."""
    if is_compact:
        raw, head = read_uvarint(own, 0)
        length = raw - 1
        how = "compact length: 0 means null" if length < 0 else f"compact length: {length} + 1"
    else:
        head = _LENGTH_SIZES[kind]
        length = int.from_bytes(own[:head], "big", signed=True)
        how = f"int{head * 8} length: " + ("-1 means null" if length < 0 else str(length))
    if kind == "array":
        return Rule(how.replace("length", "count", 1), head)
    follows = f", then {count(length, 'byte')}{_ENCODED.get(kind, '')}" if length > 0 else ""
    return Rule(how + follows, head)
