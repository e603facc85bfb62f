"""The ``type`` of a field (upstream: ``FieldType.parse``), and KIP-625's type names."""

from __future__ import annotations

import re
from typing import Final

from messagegen.findings import clipped, quoted
from messagegen.primitives import BYTES, INTEGER_OF_WIDTH, PRIMITIVES, RECORDS, STRING, Primitive
from messagegen.spec.model import (
    ArrayType,
    Encoding,
    EncodingForm,
    EntityType,
    FieldType,
    StructType,
    Width,
)
from messagegen.spec.report import RefusedError, did_you_mean

STRUCT_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9_]*")

_LONGEST_NAME: Final = 100

_VARINT: Final = re.compile(r"(unsigned_)?varint(16|32|64)")
_WIDTHS: Final[dict[str, Width]] = {"16": 16, "32": 32, "64": 64}
INTEGER_WIDTHS: Final[dict[FieldType, Width]] = {INTEGER_OF_WIDTH[width]: width for width in _WIDTHS.values()}

_PRIMITIVES: Final = {"double": PRIMITIVES["float64"], **PRIMITIVES}
_OTHER_NAMES: Final = {
    "boolean": "bool",
    "byte": "int8",
    "short": "int16",
    "int": "int32",
    "integer": "int32",
    "long": "int64",
    "ushort": "uint16",
    "uint": "uint32",
    "float": "float64",
    "str": "string",
    "text": "string",
    "guid": "uuid",
    "binary": "bytes",
    "varint": "varint32",
    "varlong": "varint64",
}
"""Names of these types in other languages."""
VARINTS: Final = tuple(f"{sign}varint{width}" for sign in ("", "unsigned_") for width in _WIDTHS)
TYPE_NAMES: Final = (*PRIMITIVES, *VARINTS)

_ENTITY_BASES: Final = {
    EntityType.TRANSACTIONAL_ID: STRING,
    EntityType.PRODUCER_ID: PRIMITIVES["int64"],
    EntityType.GROUP_ID: STRING,
    EntityType.TOPIC_NAME: STRING,
    EntityType.BROKER_ID: PRIMITIVES["int32"],
}


class ElementTypeError(RefusedError):
    """Raised if Kafka has no arrays of an element type."""


def parse_type(text: str) -> tuple[FieldType, Encoding | None]:
    """Parses a type, and the encoding that its name implies (``varint32`` is an int32 with packed32).

    Raises ``ElementTypeError`` for arrays of arrays, bytes and records, and ``RefusedError`` for any other text.
    """
    name = text.strip()
    if not name.startswith("[]"):
        return _parse_scalar(name)
    element, encoding = _parse_element(name[2:].strip(), name)
    return ArrayType(element), encoding


def _parse_element(name: str, whole: str) -> tuple[Primitive | StructType, Encoding | None]:
    if not name:
        raise ElementTypeError("missing element type of the array", 'write "[]int32", or the name of a struct after []')
    if name.startswith("[]"):
        raise ElementTypeError(
            f"invalid field type {quoted(whole)}: an array of arrays", "use an array of structs with an array field"
        )
    element, encoding = _parse_scalar(name)
    if element in (BYTES, RECORDS):
        instead = f"use an array of structs with a {name} field"
        raise ElementTypeError(f"invalid field type {quoted(whole)}: Kafka has no arrays of {name}", instead)
    return element, encoding


def _parse_scalar(name: str) -> tuple[Primitive | StructType, Encoding | None]:
    primitive = _PRIMITIVES.get(name)
    if primitive is not None:
        return primitive, None
    varint = _VARINT.fullmatch(name)
    if varint is not None:
        bits = _WIDTHS[varint[2]]
        return INTEGER_OF_WIDTH[bits], Encoding(EncodingForm.UPACKED if varint[1] else EncodingForm.PACKED, bits)
    if STRUCT_NAME.fullmatch(name):
        if len(name) > _LONGEST_NAME:
            instead = f"write a name of at most {_LONGEST_NAME} letters"
            raise RefusedError(f"the name {quoted(name)} is too long: {len(name)} letters", instead)
        return StructType(name), None
    if name[:1].isupper():
        raise RefusedError(f"invalid struct name {quoted(name)}", "use letters, digits and underscores only")
    meant = meant_type(name)
    instead = did_you_mean(name, TYPE_NAMES) if meant is None else f"did you mean {quoted(meant)}?"
    if not instead.startswith("did"):
        instead += ", an array of one of them such as []int32, or the capitalised name of a struct"
    raise RefusedError(f"invalid field type {quoted(name)}", instead)


def meant_type(name: str) -> str | None:
    """The primitive type that ``name`` means in other languages, or with different case."""
    lower = name.lower()
    return _OTHER_NAMES.get(lower, lower if lower in _PRIMITIVES or lower in VARINTS else None)


def element_or_self(type_: FieldType) -> Primitive | StructType:
    """The type of an array's elements, or the type itself."""
    return type_.element if isinstance(type_, ArrayType) else type_


def struct_name(type_: FieldType) -> str | None:
    """The name of the struct in a field, alone or in an array."""
    element = element_or_self(type_)
    return element.name if isinstance(element, StructType) else None


def can_be_nullable(type_: FieldType) -> bool:
    """Whether the type can be null (upstream: ``FieldType.canBeNullable``)."""
    return not isinstance(type_, Primitive) or not type_.size


def entity_base(entity: EntityType) -> Primitive | None:
    """The type that a field of this entity type must have, alone or in an array (upstream: ``EntityType``)."""
    return _ENTITY_BASES.get(entity)


def type_text(type_: FieldType) -> str:
    """The type as text for a message: as in a spec, clipped."""
    return clipped(str(type_))
