"""Made-up specs with one thing changed: some are refused by Apache's generator, some are still fine; Apache says which.

Only the language of Apache's generator is played with; what this project reads beyond it (``encoding``, type maps,
``headerVersions``, ``double``) is left out, since Apache refuses all of that.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.oracle.made_up import Spec, made_up_spec
from tests.oracle.spelling import tidy

_RANGES: Final[tuple[Any, ...]] = (
    *(
        "5-3",
        "",
        "none",
        "0",
        "1",
        "0-",
        "-1",
        "-1+",
        "+",
        "1 - 2",
        "0 +",
        "40000",
        "a",
        " 0+ ",
        "2+",
        "0-1",
        "0-0",
        "0-32767",
    ),
    *("0++", "1,2", "01", "+1", 0, 2, None, True, 1.5, [], ["0+"]),
)
_TYPES: Final = (
    *("bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64", "uuid", "string", "bytes", "records"),
    *(
        "[]int32",
        "[]string",
        "[]bytes",
        "[]records",
        "[]uuid",
        "[][]int32",
        "[]",
        "int64[]",
        "[] int8",
        "Int32",
        "Missing",
    ),
    *("[]Missing", "varint", "float32", "uint64", "uint8", "", "lower", "String", "[]missing", None, 5),
)
_DEFAULTS: Final[tuple[Any, ...]] = (
    *(
        "null",
        "",
        "0",
        "-1",
        "+1",
        "127",
        "128",
        "-129",
        "32768",
        "65536",
        "-32769",
        "2147483648",
        "4294967296",
        "08",
        "017",
    ),
    *(
        "0x",
        "0x7f",
        "0xff",
        "0X1F",
        "0x-1",
        "-0x1",
        "0xffffffff",
        "0x8000000000000000",
        "9223372036854775808",
        "1_000",
        "5L",
    ),
    *(
        "true",
        "TRUE",
        "yes",
        "1",
        "1.5",
        "1,5",
        "1e400",
        "NaN",
        "nan",
        "-Infinity",
        "inf",
        "0x1.8p1",
        "1d",
        "1.5F",
        " 1 ",
        "١",
    ),
    *("AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAQ==", "AAAA", "not base64!", "abc", "{}", "[]", "new"),
    *(None, 0, 1, -1, 300, 1.5, 1e10, True, False, [], {}),
)
_NAMES: Final = ("", "lower", "1st", "with space", "under_score", "dollar$", "Ünïcode", "A", "a", "Id", "name", None, 7)
_ODD_VALUES: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    "true",
    "false",
    "TRUE",
    "yes",
    "",
    0,
    1,
    2,
    -1,
    1.5,
    "0",
    "x",
    [],
    {},
    [[]],
    ["x"],
    [None],
)
_ENTITIES: Final = (
    "transactionalId",
    "producerId",
    "groupId",
    "topicName",
    "brokerId",
    "unknown",
    "topicname",
    "",
    None,
    1,
)
_KINDS: Final = (
    *("request", "response", "header", "data", "metadata", "coordinator-key", "coordinator-value"),
    *("Request", "coordinator", "", None, 0),
)
_TAGS: Final = (-1, 0, 1, 2, 5, 2**31, "0", "1", "x", 0.0, 1.5, None, True)


def _objects(part: Any) -> Iterator[Spec]:
    """The message, then every field and common struct in it."""
    yield part
    for name in ("fields", "commonStructs"):
        for one in part.get(name, []):
            yield from _objects(one)


def _some_object(spec: Spec, source: random.Random) -> Spec:
    return source.choice(list(_objects(spec)))


def _some_field(spec: Spec, source: random.Random, with_property: str = "name") -> Spec:
    """A field, four times out of five one that has the property (if any does); the message where it has no fields."""
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


def _set_in_field(name: str, values: tuple[Any, ...]) -> Callable[[Spec, random.Random], str]:
    def change(spec: Spec, source: random.Random) -> str:
        value = source.choice(values)
        _some_field(spec, source, name)[name] = value
        return f"{name} of a field set to {value!r}"

    return change


def _set_in_message(name: str, values: tuple[Any, ...]) -> Callable[[Spec, random.Random], str]:
    def change(spec: Spec, source: random.Random) -> str:
        spec[name] = source.choice(values)
        return f"{name} of the message set to {spec[name]!r}"

    return change


def _twin(spec: Spec, source: random.Random) -> str:
    lists = [part[name] for part in _objects(spec) for name in ("fields", "commonStructs") if part.get(name)]
    if not lists:
        return _set_odd(spec, source)
    chosen = source.choice(lists)
    twin = dict(source.choice(chosen))
    if source.random() < 0.4:
        twin["name"] = f"{twin['name']}Twin"
    chosen.insert(source.randint(0, len(chosen)), twin)
    return f"{twin['name']} given twice"


def _borrow(spec: Spec, source: random.Random) -> str:
    """Gives a field the type of another: structs specified twice, common structs re-specified, recursion."""
    field, other = _some_field(spec, source), _some_object(spec, source)
    field["type"] = source.choice(("", "[]")) + str(other.get("type", other["name"])).removeprefix("[]")
    return f"type borrowed: {field['type']}"


def _set_odd(spec: Spec, source: random.Random) -> str:
    part = _some_object(spec, source)
    name, value = source.choice(list(part)), source.choice(_ODD_VALUES)
    part[name] = value
    return f"{name} set to {value!r}"


def _misspell(spec: Spec, source: random.Random) -> str:
    part = _some_object(spec, source)
    name = source.choice(list(part))
    other = source.choice((name + "s", name.upper(), "comment", "_" + name, ""))
    part[other] = part.pop(name) if source.random() < 0.5 else "x"
    return f"{name} beside or as {other!r}"


_CHANGES: Final[tuple[Callable[[Spec, random.Random], str], ...]] = (
    _drop,
    _set_in_message("validVersions", _RANGES),
    _set_in_message("flexibleVersions", _RANGES),
    _set_in_message("deprecatedVersions", _RANGES),
    _set_in_message("name", _NAMES),
    _set_in_message("type", _KINDS),
    _set_in_message("apiKey", (0, 5, "7", -1, 70000, None, "x", 1.5, True)),
    _set_in_message("listeners", ("broker", ["controller"], ["broker", "broker"], ["zookeeper"], [], None, "", 0)),
    _set_in_message("latestVersionUnstable", (True, "true", False, 1, "on", None)),
    _set_in_field("versions", _RANGES),
    _set_in_field("nullableVersions", _RANGES),
    _set_in_field("taggedVersions", _RANGES),
    _set_in_field("flexibleVersions", _RANGES),
    _set_in_field("type", _TYPES),
    _set_in_field("default", _DEFAULTS),
    _set_in_field("default", _DEFAULTS),
    _set_in_field("default", _DEFAULTS),
    _set_in_field("name", _NAMES),
    _set_in_field("tag", _TAGS),
    _set_in_field("entityType", _ENTITIES),
    _set_in_field("mapKey", (True, "true", 1, "on", None)),
    _set_in_field("zeroCopy", (True, False, "true", 0, "on", None)),
    _twin,
    _borrow,
    _set_odd,
    _misspell,
)


def _cut(text: str, source: random.Random) -> str:
    return text[: source.randrange(len(text))]


def _insert(*pieces: str) -> Callable[[str, random.Random], str]:
    def change(text: str, source: random.Random) -> str:
        place = source.choice(
            [0, len(text), *(index for index, character in enumerate(text) if character in '",:{}[]')]
        )
        return text[:place] + source.choice(pieces) + text[place:]

    return change


def _replace(old: str, *new: str) -> Callable[[str, random.Random], str]:
    def change(text: str, source: random.Random) -> str:
        places = [index for index in range(len(text)) if text.startswith(old, index)]
        if not places:
            return text
        place = source.choice(places)
        return text[:place] + source.choice(new) + text[place + len(old) :]

    return change


_TEXT_CHANGES: Final[tuple[tuple[str, Callable[[str, random.Random], str]], ...]] = (
    ("text cut", _cut),
    (
        "text inserted",
        _insert(",", ":", "{", "}", "[", "]", '"', "'", "\\", "x", "1", "null", '"a": 1,', '"name": "N",'),
    ),
    (
        "text inserted",
        _insert("# comment\n", "// comment\n", "/* comment */", "/*", "/", "\x00", "\t", "\x0b", "\xa0", "\ufeff"),
    ),
    ("bracket replaced", _replace("}", "},", "]", ")", "")),
    ("comma replaced", _replace(",", ",,", ";", "", " ")),
    ("quote replaced", _replace('"', "'", "", '\\"', "“")),
    ("colon replaced", _replace(":", "=", "", "::", "=>")),
)


def near_valid(seed: int) -> tuple[str, str]:
    """A pair of (what was changed, the text of the spec); a sixth of them are changed as text, the others as JSON."""
    source = random.Random(f"near-valid spec {seed}")
    spec = made_up_spec(source.randrange(1_000_000))
    if source.random() < 1 / 6:
        what, change_text = source.choice(_TEXT_CHANGES)
        return what, change_text(tidy(spec), source)
    what = source.choice(_CHANGES)(spec, source)
    return what, tidy(spec)
