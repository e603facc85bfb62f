"""Makes kafka-python encode and decode its messages with generated classes.

``adapt`` replaces the codecs that kafka-python compiles from specs at run time. Its message objects do not change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from uuid import UUID

from kafka.protocol.data_container import DataContainer  # type: ignore[import-untyped]
from kafka.protocol.schemas.fields.codecs import BitField  # type: ignore[import-untyped]

_NO_UUID = UUID(int=0)


def adapt(cls: Any, message: Any) -> None:
    """Make a class of kafka-python, such as ``MetadataRequest``, use the generated class of the same message."""
    struct = cls._struct

    def encoder(version: int, **_: object) -> Callable[[Any, Any], None]:
        fields = message.fields(version=version)

        def encode(item: Any, out: Any) -> None:
            data = _to_struct(message, fields, struct, item, version).encode(version=version)
            out.ensure(len(data))
            out.buf[out.pos : out.pos + len(data)] = data
            out.pos += len(data)

        return encode

    def decoder(version: int, data_class: Any, **_: object) -> Callable[[Any, int], tuple[Any, int]]:
        fields = message.fields(version=version)

        def decode(data: Any, start: int) -> tuple[Any, int]:
            found, end = message.decode_from(data, start, version=version)
            return _to_object(data_class, fields, struct, found, version), end

        return decode

    struct.compiled_encode_into = encoder
    struct.compiled_decode_from = decoder


def _pairs(fields: Any, struct: Any, version: int) -> Iterator[tuple[Any, Any]]:
    """Yield the fields of a version in pairs with kafka-python's fields. Both are in wire order."""
    tagged = {field.tag: field for field in struct.fields.values() if field.tagged_field_q(version)}
    always = iter(struct.untagged_fields(version))
    for field in fields:
        yield field, next(always) if field.tag is None else tagged[field.tag]


def _to_struct(cls: Any, fields: Any, struct: Any, item: Any, version: int) -> Any:
    """Return the generated struct for an object, a tuple of values, or the value of the only field."""
    values: Any = (item,) if isinstance(item, str | int | float) else item
    made: dict[str, Any] = {}
    for index, (field, other) in enumerate(_pairs(fields, struct, version)):
        value = values[index] if isinstance(values, tuple) else getattr(item, other.name)
        if other.type_str == "bitfield":
            made[field.name] = int.from_bytes(BitField.encode(value), "big", signed=True)
        elif value is not None and field.struct is not None:
            rows = value if field.is_array else [value]
            structs = [_to_struct(field.struct, field.fields, other, row, version) for row in rows]
            made[field.name] = structs if field.is_array else structs[0]
        elif value is not None or field.nullable:
            made[field.name] = value.encode() if isinstance(value, DataContainer) else value
    return cls(**made)


def _to_object(data_class: Any, fields: Any, struct: Any, found: Any, version: int) -> Any:
    """Return the object for a generated struct, without tagged fields that have their default value."""
    made: dict[str, Any] = {f"_{tag}": data for tag, data in found.unknown_tagged_fields}
    for field, other in _pairs(fields, struct, version):
        value = getattr(found, field.name)
        if field.tag is not None and value == field.default:
            continue
        if other.type_str == "bitfield":
            value = BitField.decode(BytesIO(value.to_bytes(4, "big", signed=True)))
        elif value is not None and field.struct is not None:
            rows = value if field.is_array else [value]
            objects = [_to_object(other.data_class, field.fields, other, row, version) for row in rows]
            value = objects if field.is_array else objects[0]
        elif field.is_array and value is not None:
            value = list(value)
        elif value == _NO_UUID:
            value = None
        made[other.name] = value
    return data_class(version=version, **made)
