"""Makes made-up specs with one change. Apache's generator refuses some of them, others are still valid.

They use only the language of Apache's generator. This project's extensions (``encoding``, type maps,
``headerVersions``, ``double``) are omitted, because Apache refuses them all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.oracle.made_up import Spec, made_up_spec
from tests.oracle.spelling import tidy

_WORDS: Final[dict[str, str]] = {
    "range": "5-3 none 0 1 0- -1 -1+ + 40000 a 2+ 0-1 0-0 0-32767 0++ 1,2 01 +1",
    "type": """
        bool int8 int16 uint16 int32 uint32 int64 float64 uuid string bytes records []int32 []string []bytes []records
        []uuid [][]int32 [] int64[] Int32 Missing []Missing varint float31 uint65 uint9 lower String []missing""",
    "default": """
        null 0 -1 +1 127 128 -129 32768 65536 -32769 2147483648 4294967296 08 017 0x 0x7f 0xff 0X1F 0x-1 -0x1 0xffffffff
        0x8000000000000000 9223372036854775808 1_000 5L true TRUE yes 1 1.5 1,5 1e400 NaN nan -Infinity inf 0x1.8p1 1d
        1.5F ١ abc AAAAAAAAAAAAAAAAAAAAAQ AAAAAAAAAAAAAAAAAAAAAQ== AAAA {} [] new""",
    "name": "lower 1st under_score dollar$ Ünïcode A a Id name",
    "entity": "transactionalId producerId groupId topicName brokerId unknown topicname",
    "kind": "request response header data metadata coordinator-key coordinator-value Request coordinator",
}
"""Values for properties by kind, separated by blanks."""
_OTHERS: Final[tuple[Any, ...]] = (None, True, False, "true", "", "x y", 0, 1, -1, 1.5, 1e10, "0", [], {}, [[]], ["x"])
"""Values that are wrong, or are accepted only by lenient readers, in nearly every property."""
_IN_MESSAGE: Final = {
    "validVersions": "range",
    "flexibleVersions": "range",
    "deprecatedVersions": "range",
    "name": "name",
    "type": "kind",
}
_IN_FIELD: Final = {
    "versions": "range",
    "nullableVersions": "range",
    "taggedVersions": "range",
    "flexibleVersions": "range",
    "type": "type",
    "default": "default",
    "name": "name",
    "entityType": "entity",
}


def _objects(part: Any) -> Iterator[Spec]:
    """Yield the message, then every field and common struct in it."""
    yield part
    for name in ("fields", "commonStructs"):
        for one in part.get(name, []):
            yield from _objects(one)


def _some_object(spec: Spec, source: random.Random) -> Spec:
    return source.choice(list(_objects(spec)))


def _some_field(spec: Spec, source: random.Random, with_property: str = "name") -> Spec:
    """Return a field, if possible one that has the property; return the message if it has no fields."""
    fields = [part for part in _objects(spec) if part is not spec and "type" in part]
    fitting = [part for part in fields if with_property in part]
    if fitting and source.random() < 0.8:
        return source.choice(fitting)
    return source.choice(fields) if fields else spec


def _drop(spec: Spec, source: random.Random) -> str:
    part = _some_object(spec, source)
    name = source.choice(list(part))
    del part[name]
    return f"{name} dropped"


def _set_in_message(spec: Spec, source: random.Random) -> str:
    name, kind = source.choice(list(_IN_MESSAGE.items()))
    spec[name] = source.choice(_WORDS[kind].split())
    return f"{name} of the message set to {spec[name]!r}"


def _set_in_field(spec: Spec, source: random.Random) -> str:
    name, kind = source.choice([*_IN_FIELD.items(), ("default", "default")])
    field = _some_field(spec, source, name)
    field[name] = source.choice(_WORDS[kind].split())
    return f"{name} of a field set to {field[name]!r}"


def _set_tag(spec: Spec, source: random.Random) -> str:
    field = _some_field(spec, source, "tag")
    field["tag"] = source.choice((-1, 0, 1, 2, 5, 2**31, "0", "1", "x", 0.0))
    return f"tag of a field set to {field['tag']!r}"


def _set_other(spec: Spec, source: random.Random) -> str:
    part = _some_object(spec, source)
    added = ("mapKey", "zeroCopy", "ignorable", "listeners", "latestVersionUnstable", "apiKey")
    name = source.choice((*part, source.choice(added)))
    part[name] = source.choice(_OTHERS)
    return f"{name} set to {part[name]!r}"


def _twin(spec: Spec, source: random.Random) -> str:
    lists = [part[name] for part in _objects(spec) for name in ("fields", "commonStructs") if part.get(name)]
    if not lists:
        return _set_other(spec, source)
    chosen = source.choice(lists)
    twin = dict(source.choice(chosen))
    if source.random() < 0.4:
        twin["name"] = f"{twin['name']}Twin"
    chosen.insert(source.randint(0, len(chosen)), twin)
    return f"{twin['name']} given twice"


def _borrow(spec: Spec, source: random.Random) -> str:
    """Give a field the type of another part, which may define a struct twice or make it contain itself."""
    field, other = _some_field(spec, source), _some_object(spec, source)
    field["type"] = source.choice(("", "[]")) + str(other.get("type", other["name"])).removeprefix("[]")
    return f"type borrowed: {field['type']}"


def _misspell(spec: Spec, source: random.Random) -> str:
    part = _some_object(spec, source)
    name = source.choice(list(part))
    other = source.choice((name + "s", name.upper(), "comment", "_" + name, ""))
    part[other] = part.pop(name) if source.random() < 0.5 else "x"
    return f"{name} beside or as {other!r}"


_CHANGES: Final[tuple[Callable[[Spec, random.Random], str], ...]] = (
    *(_set_in_field,) * 8,
    *(_set_in_message,) * 4,
    *(_set_other,) * 3,
    _drop,
    _set_tag,
    _twin,
    _borrow,
    _misspell,
)
_INSERTED: Final[tuple[str, ...]] = (
    *',:{}[]"/',
    "'",
    "\\",
    "x",
    "null",
    '"a": 1,',
    "# c\n",
    "// c\n",
    "/* c */",
    "/*",
    "\x00",
    "\xa0",
    "\ufeff",
)


def _change_text(text: str, source: random.Random) -> str:
    """Return the text, cut off, or with an insertion before or instead of one character of JSON's syntax."""
    if source.random() < 0.1:
        return text[: source.randrange(len(text))]
    place = source.choice([index for index, character in enumerate(text) if character in '",:{}[]'])
    return text[:place] + source.choice(_INSERTED) + text[place + source.choice((0, 1)) :]


def near_valid(seed: int) -> tuple[str, str]:
    """Return (description of the change, text of the spec). One in six is changed as text, all others as JSON."""
    source = random.Random(f"near-valid spec {seed}")
    spec = made_up_spec(source.randrange(1_000_000))
    if source.random() < 1 / 6:
        return "text changed", _change_text(tidy(spec), source)
    what = source.choice(_CHANGES)(spec, source)
    return what, tidy(spec)
