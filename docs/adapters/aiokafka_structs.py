"""Makes aiokafka's message classes, one for each version, from generated classes.

aiokafka uses the results of ``structs`` like its hand-written classes: values by position, nested structs as tuples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from aiokafka.protocol.abstract import AbstractType  # type: ignore[import-untyped]
from aiokafka.protocol.api import RequestStruct, Response  # type: ignore[import-untyped]
from aiokafka.protocol.types import Array, Schema  # type: ignore[import-untyped]

from messagegen_kafka import FieldInfo


def structs(
    request: Any, versions: Iterable[int], prefix: str, names: Mapping[str, str], scalars: Sequence[str] = ()
) -> Iterator[Any]:
    """Yield the classes of a request and its response in some versions.

    The name of a class is ``prefix`` and, for example, ``Request_v0`` or ``Response_v0``. ``names`` maps fields to
    their names in aiokafka. ``scalars`` names arrays of structs with one field, which aiokafka replaces by the field's
    values.
    """
    for version in versions:
        response = _struct_class(Response, f"{prefix}Response_v{version}", request.RESPONSE, version, names, ())
        yield response
        request_struct = _struct_class(RequestStruct, f"{prefix}Request_v{version}", request, version, names, scalars)
        request_struct.RESPONSE_TYPE = response
        request_struct.FLEXIBLE_VERSION = version in request.FLEXIBLE_VERSIONS
        yield request_struct


def _struct_class(
    base: Any, name: str, message: Any, version: int, names: Mapping[str, str], scalars: Sequence[str]
) -> Any:
    fields = message.fields(version=version)
    schema = _schema(fields, names, scalars)

    def encode(self: Any) -> Any:
        values = [getattr(self, name) for name in schema.names]
        return _to_struct(message, fields, values).encode(version=version)

    def decode(cls: Any, data: Any) -> Any:
        found, _ = message.decode_from(data if isinstance(data, bytes) else data.read(), version=version)
        return cls(*to_values(found, fields, scalars))

    constants = {"API_KEY": message.API_KEY, "API_VERSION": version, "SCHEMA": schema, "RESPONSE_TYPE": None}
    return type(name, (base,), {"encode": encode, "decode": classmethod(decode), **constants})


def _schema(fields: Sequence[FieldInfo], names: Mapping[str, str], scalars: Sequence[str]) -> Any:
    """Return the schema of fields: names, arrays and structs. aiokafka uses it only for printing."""
    pairs: list[tuple[str, Any]] = []
    for field in fields:
        is_struct = field.struct is not None and field.name not in scalars
        value = _schema(field.fields, names, ()) if is_struct else AbstractType
        pairs.append((names.get(field.name, field.name), Array(value) if field.is_array else value))
    return Schema(*pairs)


def _to_struct(cls: Any, fields: Sequence[FieldInfo], row: Any) -> Any:
    """Return the generated struct for a tuple of aiokafka's values, or for a single value."""
    values: Any = row if isinstance(row, tuple | list) else (row,)
    made: dict[str, Any] = {}
    for field, value in zip(fields, values, strict=True):
        made[field.name] = value
        if field.struct is not None and value is not None:
            made[field.name] = [_to_struct(field.struct, field.fields, each) for each in value]
    return cls(**made)


def to_values(struct: Any, fields: Sequence[FieldInfo], scalars: Sequence[str]) -> Iterator[Any]:
    """Yield the values of a generated struct in aiokafka's form."""
    for field in fields:
        value = getattr(struct, field.name)
        if field.struct is not None and value is not None:
            rows = [tuple(to_values(each, field.fields, ())) for each in value]
            value = [row[0] for row in rows] if field.name in scalars else rows
        yield list(value) if isinstance(value, tuple) else value
