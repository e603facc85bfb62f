"""The ``type`` of a field (upstream: ``FieldType.parse``), with KIP-625's type names, and its encodings."""

from __future__ import annotations

import re
from typing import Final

from messagegen.findings import clipped, quoted
from messagegen.primitives import INTEGER_OF_WIDTH, PRIMITIVES, Primitive
from messagegen.spec.model import ArrayType, Encoding, EncodingForm, FieldType, StructType, Width
from messagegen.spec.report import RefusedError, did_you_mean

_STRUCT_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9_]{0,99}")
_VARINT: Final = re.compile(r"(unsigned_)?varint(16|32|64)")
_ENCODING: Final = re.compile(r"(fixed|packed|upacked)(16|32|64)")
_NO_ELEMENTS: Final = ("bytes", "records")
_WIDTHS: Final[dict[str, Width]] = {"16": 16, "32": 32, "64": 64}
INTEGER_WIDTHS: Final[dict[FieldType, Width]] = {INTEGER_OF_WIDTH[width]: width for width in _WIDTHS.values()}
_OTHER_NAMES: Final = {
    "boolean": "bool",
    "byte": "int8",
    "short": "int16",
    "int": "int32",
    "integer": "int32",
    "long": "int64",
    "bigint": "int64",
    "timestamp": "int64",
    "uint8": "int16",
    "uint64": "int64",
    "float": "float64",
    "float32": "float64",
    "number": "float64",
    "str": "string",
    "text": "string",
    "char": "string",
    "varchar": "string",
    "binary": "bytes",
    "blob": "bytes",
    "bytearray": "bytes",
    "byte[]": "bytes",
    "[]byte": "bytes",
    "guid": "uuid",
}
"""Kafka's types by their names in Java, Python, Go, Avro, SQL and other languages, in lower case."""
_LONGEST: Final = 200
"""The maximum length of an unknown type that advice considers, enough for a struct name in brackets."""
_OTHER_ARRAYS: Final = re.compile(
    r"(?P<before>.+)\[\]|\[\](?P<after>.+)|(?:list|array|seq|sequence|vec)\s*[<\[(](?P<inside>.+)[>\])]", re.IGNORECASE
)
TYPE_NAMES: Final = (*PRIMITIVES, *(f"{sign}varint{width}" for sign in ("", "unsigned_") for width in _WIDTHS))


def parse_type(text: str) -> tuple[FieldType, Encoding | None]:
    """Parse a type, and the encoding that its name implies (``varint32`` is an int32 with packed32).

    Raise ``RefusedError`` for an invalid type. Arrays of arrays, bytes or records are invalid, because Kafka has none.
    """
    name = text.strip()
    if not name.startswith("[]"):
        return _parse_element(name)
    inner = name[2:].strip()
    if inner in _NO_ELEMENTS or inner.startswith("[]"):
        message = f"invalid field type {quoted(name)}: Kafka has no arrays of {clipped(inner)}"
        raise RefusedError("FIELD_TYPE_KNOWN", message, "use an array of structs with such a field")
    element, encoding = _parse_element(inner, "[]")
    return ArrayType(element), encoding


def _parse_element(name: str, array: str = "") -> tuple[Primitive | StructType, Encoding | None]:
    """Parse a type that is not an array; ``array`` is the ``[]`` before an element type, for errors."""
    if name in PRIMITIVES or name == "double":
        return PRIMITIVES.get(name, PRIMITIVES["float64"]), None
    if varint := _VARINT.fullmatch(name):
        bits = _WIDTHS[varint[2]]
        return INTEGER_OF_WIDTH[bits], Encoding(EncodingForm.UPACKED if varint[1] else EncodingForm.PACKED, bits)
    if _STRUCT_NAME.fullmatch(name):
        return StructType(name), None
    message = f"invalid field type {quoted(array + name)}: expected a primitive type or the name of a struct"
    raise RefusedError("FIELD_TYPE_KNOWN", message, _type_advice(name, array))


def meant_type(name: str) -> str | None:
    """Return Kafka's type for a name of another language, such as ``boolean`` or ``string[]``; ``None`` if unknown."""
    if len(name) > _LONGEST:
        return None
    lower = name.strip().lower()
    if lower in _OTHER_NAMES:
        return _OTHER_NAMES[lower]
    if lower in PRIMITIVES:
        return lower
    array = _OTHER_ARRAYS.fullmatch(name.strip())
    if array is None:
        return None
    element = (array["before"] or array["inside"] or array["after"]).strip()
    meant = meant_type(element) or element
    known = meant in PRIMITIVES or _STRUCT_NAME.fullmatch(meant) is not None
    return f"[]{meant}" if known and meant not in _NO_ELEMENTS else None


def _type_advice(name: str, array: str) -> str:
    """Return the advice for an unknown type."""
    meant = meant_type(array + name)
    if meant is not None:
        return f"write {quoted(meant)}"
    struct = "".join(re.findall("[A-Za-z0-9]", name[:_LONGEST]))
    if name[:1].isupper() and _STRUCT_NAME.fullmatch(struct):
        return f"write {quoted(array + struct)}"
    known = tuple(f"{array}{each}" for each in TYPE_NAMES if not array or each not in _NO_ELEMENTS)
    near = did_you_mean(array + name, known)
    if near.startswith("did you mean"):
        return near
    return f"{near}, or {'[] and ' if array else ''}the name of a struct"


def parse_encoding(text: str) -> Encoding:
    """Return the encoding that ``text`` names; raise ``RefusedError``."""
    match = _ENCODING.fullmatch(text)
    if match is None:
        raise RefusedError("PROPERTY_TYPE", f"invalid encoding {quoted(text)}", 'write for example "packed32"')
    return Encoding(EncodingForm(match[1]), _WIDTHS[match[2]])


def element_or_self(type_: FieldType) -> Primitive | StructType:
    """Return the type of an array's elements, or the type itself."""
    return type_.element if isinstance(type_, ArrayType) else type_


def integer_width(type_: FieldType) -> Width | None:
    """Return the number of bits of an int16, int32 or int64, or of such array elements; ``None`` for other types."""
    return INTEGER_WIDTHS.get(element_or_self(type_))


def struct_name(type_: FieldType) -> str | None:
    """Return the name of the struct that a field holds, alone or in an array; ``None`` for primitive types."""
    element = element_or_self(type_)
    return element.name if isinstance(element, StructType) else None
