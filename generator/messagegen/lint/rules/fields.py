"""Rules about null, abouts, map keys, error codes and encodings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from messagegen.primitives import PRIMITIVES
from messagegen.spec.field_types import INTEGER_WIDTHS, element_or_self
from messagegen.spec.model import (
    ArrayType,
    EmptyDefault,
    Encoding,
    EncodingForm,
    FieldSpec,
    MessageSpec,
    StructSpec,
    StructType,
)
from messagegen.spec.report import placed
from messagegen.spec.rule import Category, Problem, fields, messages, rule, structs

_KEY_TYPES: Final = tuple(type_ for type_ in PRIMITIVES.values() if type_.python in ("int", "str", "UUID"))
_ERROR_CODE: Final = "ErrorCode"


@rule(fields, category=Category.STANDARD)
def nullable_versions_within_versions(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field is nullable only in versions in which it exists.

    The other versions have no effect, so one of the two ranges is a mistake.

    - not `"versions": "2+", "nullableVersions": "1-3"`
    - but `"versions": "2+", "nullableVersions": "2-3"`
    """
    nullable, versions = field.nullable_versions, field.versions
    if not nullable.empty and not versions.covers(nullable) and versions.intersect(nullable) != versions:
        message = f'field "{field.name}" is nullable in versions {nullable}, but exists in {versions}'
        yield field, "nullableVersions", message, f'write "{versions.intersect(nullable)}"'


@rule(fields, category=Category.MINIMAL)
def default_null_in_quotes(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that null as a default is written in quotes.

    Without quotes, null is the same as no default, in Apache's generator too: a string is empty then, and not null.

    - not `"nullableVersions": "0+", "default": null`
    - but `"nullableVersions": "0+", "default": "null"`
    """
    if "default" not in placed(field).nulls:
        return
    if field.default is None:
        instead = "remove it; the default of records is always null"
    elif field.nullable_versions.covers(field.versions):
        instead = 'write "default": "null" for null, or remove it'
    else:
        instead = "remove it"
    message = (
        f'the default of field "{field.name}" is {_shown_default(field)}: null without quotes is the same as no default'
    )
    yield field, "default", message, instead


def _shown_default(field: FieldSpec) -> str:
    """Return the default of a field as text for a message."""
    match field.default:
        case None:
            return "null"
        case EmptyDefault.EMPTY if isinstance(field.type, StructType):
            return "a struct with defaults"
        case EmptyDefault.EMPTY | "" | b"":
            return "empty"
        case other:
            return str(other).lower()


@rule(messages, category=Category.STANDARD)
def message_about_written(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a message has an about.

    It becomes the docstring of the class, and the message's line in the documentation. Comments are not in either.

    - not `// Asks whether a node is alive.`
    - but `"about": "Asks whether a node is alive."`
    """
    if not spec.about.strip():
        message = f'message "{spec.name}" has no about'
        yield spec, "about", message, 'add "about" with what the message is for; a comment is not in generated code'


@rule(fields, category=Category.STANDARD)
def field_about_written(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a field has an about.

    It becomes the docstring of the field, its line in the documentation, and the comment of its column.

    - not `{ "name": "Epoch", "type": "int32", "versions": "0+" }`
    - but `{ "name": "Epoch", "type": "int32", "versions": "0+", "about": "The epoch of the leader." }`
    """
    if not field.about.strip():
        message = f'field "{field.name}" has no about'
        yield field, "about", message, 'add "about" with the meaning of the field, its unit and special values'


@rule(structs, category=Category.MINIMAL)
def field_about_unique(_: MessageSpec, struct: StructSpec) -> Iterator[Problem]:
    """Checks that no earlier field of the same message or struct has the same about.

    An about that was copied with its field, and not changed, describes the wrong field. A field may have the same
    about as a field with which it has no version in common.

    - not `"about": "The type of the owner." of OwnerType and OwnerName`
    - but `"about": "The name of the owner." of OwnerName`
    """
    fields_with: dict[str, list[FieldSpec]] = {}
    for field in struct.fields:
        about = field.about.strip()
        if not about:
            continue
        earlier = fields_with.setdefault(about, [])
        for other in earlier:
            if not other.versions.intersect(field.versions).empty:
                message = f'field "{field.name}" has the same about as field "{other.name}"'
                yield field, "about", message, "write what this field means, and how it differs from the other"
                break
        earlier.append(field)


@rule(fields, category=Category.MINIMAL)
def map_key_type(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that map keys are integers, strings or uuids.

    Booleans, floats, bytes, arrays and structs do not identify an element.

    - not `"type": "bytes", "mapKey": true`
    - but `"type": "string", "mapKey": true`
    """
    if field.map_key and field.type not in _KEY_TYPES:
        message = f'map key "{field.name}" is of type {field.type}'
        yield field, "mapKey", message, "use an integer, string or uuid field, or remove mapKey"


@rule(fields, category=Category.STANDARD)
def map_key_not_nullable(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that map keys are never null.

    Elements without a key can't be told apart.

    - not `"nullableVersions": "0+", "mapKey": true`
    - but `"mapKey": true`
    """
    if field.map_key and not field.nullable_versions.intersect(field.versions).empty:
        message = f'map key "{field.name}" can be null in versions {field.nullable_versions}'
        yield field, "mapKey", message, "remove mapKey or nullableVersions"


@rule(fields, category=Category.MINIMAL)
def map_key_in_array(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that a struct with map keys is an array element.

    A single struct is never looked up, so its map keys have no effect.

    - not `"type": "Topic"`
    - but `"type": "[]Topic"`
    """
    type_ = field.type
    if not isinstance(type_, StructType):
        return
    if not any(inner.map_key for inner in field.fields):
        return
    message = f'struct "{type_.name}" has map keys, but is not an array element'
    yield field, "type", message, f'write "[]{type_.name}", or remove mapKey from its fields'


@rule(fields, category=Category.MINIMAL)
def error_code_type(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that fields named ErrorCode are int16.

    Kafka's error codes are int16, and readers expect that.

    - not `"name": "ErrorCode", "type": "int32"`
    - but `"name": "ErrorCode", "type": "int16"`
    """
    if field.name == _ERROR_CODE and field.type is not PRIMITIVES["int16"]:
        message = f"{_ERROR_CODE} is of type {field.type}"
        yield field, "type", message, 'write "int16", or use another name'


@rule(fields, category=Category.MINIMAL)
def encoding_helps(_: MessageSpec, field: FieldSpec) -> Iterator[Problem]:
    """Checks that an encoding differs from the type's own, and that it encodes the default in few bytes.

    An encoding is meant to save bytes (KIP-625). upacked uses the full length for negative numbers.

    - not `"default": "-1", "encoding": "upacked32"`
    - but `"default": "-1", "encoding": "packed32"`
    """
    encodings, default = field.encodings, field.default
    if encodings is None:
        return
    name = "elementEncoding" if isinstance(field.type, ArrayType) else "encoding"
    if name not in placed(field).properties:
        return
    width = INTEGER_WIDTHS[element_or_self(field.type)]
    used = set(encodings.values())
    if used == {Encoding(EncodingForm.FIXED, width)}:
        yield field, name, f"fixed{width} is the default encoding of {field.type}", f"remove {name}"
        return
    upacked = next((encoding for encoding in encodings.values() if encoding.form is EncodingForm.UPACKED), None)
    if upacked is not None and isinstance(default, int) and default < 0 and not isinstance(default, bool):
        # A varint has 7 bits of the number in each byte.
        length = math.ceil(upacked.bits / 7)
        message = f"the default {default} takes {length} bytes as {upacked}"
        yield field, name, message, f"write packed{upacked.bits}, which is short for negative numbers too"
