"""Rules about redundant properties, and about values that can be written in several ways."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import copysign
from typing import Final

from messagegen.jsonc import Container, Edit, Part, Scalar
from messagegen.lint.rules.rule import Problem, Spot, removal, replacement
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


def about_written(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Problems with fields without an about."""
    if not field.spec.about.strip():
        message = f'field "{field.spec.name}" has no about'
        yield spot.problem("about", message, 'add "about" with the meaning of the field, its unit and special values')


def not_redundant(spot: Spot) -> Iterator[Problem]:
    """Problems with properties that repeat their default."""
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


def default_not_redundant(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Problems with defaults that repeat the default of the type."""
    part = spot.part("default")
    if part is None or not isinstance(part.value, Scalar) or part.value.value is None:
        return
    default = field.spec.default
    # 0.0 and -0.0 are equal, but they are different defaults.
    if default == parse_default(field.spec.type, "") and not (isinstance(default, float) and copysign(1, default) < 0):
        edits = removal(spot.subject.document.text, spot.node, part)
        message = f"default {part.value.text} is the default of the type"
        yield spot.problem("default", message, "remove default", edits)


def json_spelling(spot: Spot) -> Iterator[Problem]:
    """Problems with values whose JSON type differs from Apache's specs."""
    for part in spot.node.parts:
        if isinstance(part.value, Container):
            if part.name in _LISTS and part.value.is_object:
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


def versions_spelling(spot: Spot) -> Iterator[Problem]:
    """Problems with version ranges that have a shorter or more usual form."""
    for part in spot.node.parts:
        if part.name not in _VERSIONS or not isinstance(part.value, Scalar) or part.value.value is None:
            continue
        text = str(part.value.value)
        if not text.strip():
            continue
        wanted = json.dumps(str(VersionRange.parse(text)))
        if part.value.text != wanted:
            yield _respelled(spot, part, wanted)


def type_spelling(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Problems with types that have a more usual name, and with types that name an encoding."""
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
    elif part.value.text != wanted:
        yield _respelled(spot, part, wanted)


def default_spelling(spot: Spot, field: FieldSubject) -> Iterator[Problem]:
    """Problems with defaults that have a more usual form."""
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
    message = f"{part.name} is written {part.value.text}"
    return spot.problem(part.name, message, f"write {wanted}", replacement(part, wanted))


def _flag(value: Scalar) -> bool:
    given = value.value
    return given.strip().lower() == "true" if isinstance(given, str) else bool(given)


def _type_text(type_: FieldType) -> str:
    return str(type_)
