"""A message writer that uses only ``fields(version=)`` of the classes, and Kafka's rules for each type."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Final

from messagegen.plan import ops
from tests.support.varints import uvarint

_FORMATS: Final = {
    "bool": ">?",
    "int8": ">b",
    "int16": ">h",
    "uint16": ">H",
    "int32": ">i",
    "uint32": ">I",
    "int64": ">q",
    "float64": ">d",
}
_NULL_STRUCT: Final = b"\xff"
_STRUCT: Final = b"\x01"
_NULL_IN_TAG: Final = b"\x00"


def follows_rules(plan: ops.MessagePlan) -> bool:
    """Return whether all values have Kafka's default encoding.

    ``fields`` does not contain the encodings of KIP-625, or ``flexibleVersions`` of single fields.
    """
    return all(
        _is_usual(element, plan.structs[layout.struct].fields[index], layout)
        for layout in plan.layouts
        for index, codec in ops.fields_on_wire(layout)
        for element in [codec.element if isinstance(codec, ops.ArrayCodec) else codec]
    )


def _is_usual(codec: ops.Codec, field: ops.FieldPlan, layout: ops.Layout) -> bool:
    match codec:
        case ops.FixedCodec():
            return codec.kind == field.element_type
        case ops.VariableCodec():
            return codec.compact == layout.flexible
        case _:
            return isinstance(codec, ops.StructCodec)


def write_message(message: Any, version: int) -> bytes:
    """Return the bytes of a message in a version."""
    fields = type(message).fields(version=version)
    return _write_fields(fields, message, flexible=version in type(message).FLEXIBLE_VERSIONS)


def _write_fields(fields: Sequence[Any], value: Any, *, flexible: bool) -> bytes:
    always = [field for field in fields if field.tag is None]
    data = b"".join(_write_field(field, getattr(value, field.name), flexible=flexible) for field in always)
    return data + _write_tags(fields, value) if flexible else data


def _write_tags(fields: Sequence[Any], value: Any) -> bytes:
    tags: dict[int, bytes] = dict(value.unknown_tagged_fields)
    for field in fields:
        if field.tag is not None and getattr(value, field.name) != field.default:
            tags[field.tag] = _write_tagged(field, getattr(value, field.name))
    sections = [uvarint(tag) + uvarint(len(data)) + data for tag, data in sorted(tags.items())]
    return uvarint(len(tags)) + b"".join(sections)


def _write_tagged(field: Any, value: Any) -> bytes:
    """Encode a tagged field. In a tag section, a nullable struct has a different mark than elsewhere."""
    if field.struct is None or field.is_array or not field.nullable:
        return _write_field(field, value, flexible=True)
    if value is None:
        return _NULL_IN_TAG
    return _STRUCT + _write_fields(field.fields, value, flexible=True)


def _write_field(field: Any, value: Any, *, flexible: bool) -> bytes:
    if field.is_array:
        if value is None:
            return _length(None, flexible=flexible, size=4)
        elements = b"".join(_write_one(field, element, flexible=flexible) for element in value)
        return _length(len(value), flexible=flexible, size=4) + elements
    if field.struct is not None and field.nullable:
        return _NULL_STRUCT if value is None else _STRUCT + _write_one(field, value, flexible=flexible)
    return _write_one(field, value, flexible=flexible)


def _write_one(field: Any, value: Any, *, flexible: bool) -> bytes:
    """Encode a value that is not an array: an element, or the value of a field."""
    if field.struct is not None:
        return _write_fields(field.fields, value, flexible=flexible)
    if field.element_type in _FORMATS:
        return struct.pack(_FORMATS[field.element_type], value)
    if field.element_type == "uuid":
        return bytes(value.bytes)
    data = value.encode() if isinstance(value, str) else value
    size = 2 if field.element_type == "string" else 4
    return _length(None if data is None else len(data), flexible=flexible, size=size) + (data or b"")


def _length(length: int | None, *, flexible: bool, size: int) -> bytes:
    """Encode a length in ``size`` bytes, or as a varint; ``None`` stands for null."""
    if flexible:
        return uvarint(0 if length is None else length + 1)
    return (-1 if length is None else length).to_bytes(size, "big", signed=True)
