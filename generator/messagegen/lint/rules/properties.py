"""Rules about redundant properties, and about values that can be written in several ways."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import copysign
from typing import Final

from messagegen.jsonc import Container, Edit, Object, Part, Scalar
from messagegen.lint.rules.rule import Problem, Spot, fields, objects, removal, replacement, rule
from messagegen.lint.subject import FieldSubject
from messagegen.spec.defaults import parse_default
from messagegen.spec.field_types import parse_type
from messagegen.spec.model import ArrayType, FieldType
from messagegen.versions import VersionRange

_FLAGS: Final = ("ignorable", "mapKey", "zeroCopy", "sensitive", "latestVersionUnstable")
_NUMBERS: Final = ("apiKey", "tag")
_VERSIONS: Final = (
    *("versions", "validVersions", "deprecatedVersions", "flexibleVersions"),
    *("nullableVersions", "taggedVersions"),
)
_LISTS: Final = ("fields", "commonStructs", "listeners")
_VARINT: Final = re.compile(r"(\[\])?(?:unsigned_)?varint(?:16|32|64)")


@rule(fields)
def field_about_written(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that a field has an about.

    It becomes the docstring of the field, its line in the documentation, and the comment of its column.

    - not `{ "name": "Epoch", "type": "int32", "versions": "0+" }`
    - but `{ "name": "Epoch", "type": "int32", "versions": "0+", "about": "The epoch of the leader." }`
    """
    if not field.spec.about.strip():
        message = f'field "{field.spec.name}" has no about'
        yield spot.problem("about", message, 'add "about" with the meaning of the field, its unit and special values')


@rule(objects, fixable=True)
def property_not_redundant(spot: Spot) -> Iterator[Problem]:
    """Checks that no property repeats its default value.

    Readers wonder why it is there.

    - not `"ignorable": false`
    - but `no ignorable`
    """
    for part in spot.node.parts:
        if _says_nothing(part):
            edits = removal(spot.subject.document.text, spot.node, part)
            yield spot.problem(part.name, f'"{part.name}" repeats its default value', f"remove {part.name}", edits)


def _says_nothing(part: Part) -> bool:
    value = part.value
    if isinstance(value, Container):
        return not value.parts and part.name in ("commonStructs", "listeners")
    if value.value is None:
        return True
    if part.name in _FLAGS:
        return not _flag(value)
    if part.name in ("nullableVersions", "taggedVersions", "deprecatedVersions"):
        return str(value.value).strip() in ("none", "")
    if part.name == "entityType":
        return value.value == "unknown"
    return part.name == "about" and not str(value.value).strip()


@rule(fields, fixable=True)
def default_not_redundant(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that no default repeats the default of the type.

    Readers should only have to notice defaults that differ.

    - not `"type": "int32", "default": "0"`
    - but `"type": "int32"`
    """
    part = spot.part("default")
    if part is None or not isinstance(part.value, Scalar) or part.value.value is None:
        return
    default = field.spec.default
    # 0.0 and -0.0 are equal, but they are different defaults.
    if default == parse_default(field.spec.type, "") and not (isinstance(default, float) and copysign(1, default) < 0):
        edits = removal(spot.subject.document.text, spot.node, part)
        message = f"default {part.value.raw} is the default of the type"
        yield spot.problem("default", message, "remove default", edits)


@rule(objects, fixable=True)
def value_spelling(spot: Spot) -> Iterator[Problem]:
    """Checks that values have the same JSON type as in Apache's specs.

    Unlike Jackson, other parsers and tools do not convert between types.

    - not `"tag": "0", "ignorable": "true", "default": -1`
    - but `"tag": 0, "ignorable": true, "default": "-1"`
    """
    for part in spot.node.parts:
        if isinstance(part.value, Container):
            if part.name in _LISTS and isinstance(part.value, Object):
                yield _in_list(spot, part)
            continue
        value = part.value.value
        if value is None:
            continue
        if part.name == "listeners":
            yield _in_list(spot, part)
        elif part.name in _FLAGS and not isinstance(value, bool):
            yield _respelled(spot, part, "true" if _flag(part.value) else "false")
        elif part.name in _NUMBERS and not (isinstance(value, int) and not isinstance(value, bool)):
            yield _respelled(spot, part, str(int(str(value).strip() or 0) if isinstance(value, str) else int(value)))
        elif part.name in ("default", "about") and not isinstance(value, str):
            yield _respelled(spot, part, json.dumps(part.value.text))


@rule(objects, fixable=True)
def versions_spelling(spot: Spot) -> Iterator[Problem]:
    """Checks that versions are written "3", "0-9", "2+" or "none".

    If a range is always written the same way, a search finds it.

    - not `"versions": "3-3"`
    - but `"versions": "3"`
    """
    for part in spot.node.parts:
        if part.name not in _VERSIONS or not isinstance(part.value, Scalar) or part.value.value is None:
            continue
        text = str(part.value.value)
        if not text.strip():
            continue
        wanted = json.dumps(str(VersionRange.parse(text)))
        if part.value.raw != wanted:
            yield _respelled(spot, part, wanted)


@rule(fields, fixable=True)
def type_spelling(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that a type is written in the usual way.

    A type can have several names, and an encoding can be written in several ways. Readers know the usual one.

    - not `"type": "varint32"`
    - but `"type": "int32", "encoding": "packed32"`
    """
    part = spot.part("type")
    if part is None:
        return
    if isinstance(part.value, Container):
        wanted = json.dumps(_type_text(field.spec.type)) + _encoding(field)
        message = "the type depends on the version instead of the encoding"
        yield spot.problem("type", message, f"write {wanted}", replacement(part, wanted))
        return
    text = str(part.value.value)
    type_, implied = parse_type(text)
    wanted = json.dumps(_type_text(type_))
    if implied is not None:
        name = "elementEncoding" if isinstance(type_, ArrayType) else "encoding"
        yield _respelled(spot, part, f'{wanted}, "{name}": "{implied}"')
    elif part.value.raw != wanted:
        yield _respelled(spot, part, wanted)


@rule(fields, fixable=True)
def default_spelling(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Checks that a default is written in the usual way.

    If a value is always written the same way, a search finds it.

    - not `"default": "+01"`
    - but `"default": "1"`
    """
    part = spot.part("default")
    if part is None or not isinstance(part.value, Scalar) or not isinstance(part.value.value, str):
        return
    text, default = part.value.value, field.spec.default
    if not text or default is None:
        return
    if isinstance(default, bool):
        wanted = "true" if default else "false"
    elif isinstance(default, int) and not text.lower().startswith("0x"):
        wanted = str(default)
    else:
        return
    if text != wanted:
        yield _respelled(spot, part, json.dumps(wanted))


def _encoding(field: FieldSubject) -> str:
    """The encoding property of a field, after a comma; empty if the encoding is the default in all versions."""
    if field.spec.encodings is None:
        return ""
    name = "elementEncoding" if isinstance(field.spec.type, ArrayType) else "encoding"
    members = (f'"{versions}": "{encoding}"' for versions, encoding in field.spec.encodings.entries)
    return f', "{name}": {{ {", ".join(members)} }}'


def _in_list(spot: Spot, part: Part) -> Problem:
    edits = (Edit(part.value.start, part.value.start, "["), Edit(part.value.end, part.value.end, "]"))
    return spot.problem(part.name, f'"{part.name}" is not a list', "put it in [ ]", edits)


def _respelled(spot: Spot, part: Part, wanted: str) -> Problem:
    assert isinstance(part.value, Scalar)
    message = f"{part.name} is written {part.value.raw}"
    return spot.problem(part.name, message, f"write {wanted}", replacement(part, wanted))


def _flag(value: Scalar) -> bool:
    given = value.value
    return given.strip().lower() == "true" if isinstance(given, str) else bool(given)


def _type_text(type_: FieldType) -> str:
    return str(type_)
