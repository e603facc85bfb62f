# ruff: noqa: SLF001 - the names of fields are in no public place of the library
"""The library kafka-python: its messages from and to JSON, by the schemas that it carries."""

from __future__ import annotations

import pkgutil
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from importlib import import_module
from typing import Any
from uuid import UUID

from tests.peers.protocol import UnsupportedError, serve

_MODULES = ("admin", "consumer", "metadata", "producer", "sasl")


@cache
def _classes() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in _MODULES:
        full_name = f"kafka.protocol.{name}"
        package = import_module(full_name)
        parts = [
            import_module(each.name) for each in pkgutil.iter_modules(getattr(package, "__path__", []), f"{full_name}.")
        ]
        for module in (package, *parts):
            # What consumers write into groups has its version before it in this library.
            found |= {key: value for key, value in vars(module).items() if hasattr(value, "is_request")}
    return found


def _class(message: str, version: int) -> Any:
    cls = _classes().get(message)
    if cls is None or not cls.valid_versions[0] <= version <= cls.valid_versions[1]:
        raise UnsupportedError(f"no {message} version {version}")
    return cls


def encode(message: str, version: int, json: Any) -> bytes:
    """The bytes of a JSON value."""
    cls = _class(message, version)
    return bytes(_from_json(cls, cls._struct, json, version).encode())


def decode(message: str, version: int, data: bytes) -> Any:
    """The JSON value of bytes."""
    cls = _class(message, version)
    return _to_json(cls._struct, cls.decode(data, version=version), version)


def reencode(message: str, version: int, data: bytes) -> bytes:
    """Decodes a message, and encodes what came of it."""
    return bytes(_class(message, version).decode(data, version=version).encode())


_OPERATIONS = {
    "MetadataResponse": "clusterAuthorizedOperations",
    "MetadataResponseTopic": "topicAuthorizedOperations",
    "DescribeClusterResponse": "clusterAuthorizedOperations",
}
"""What the library calls ``authorized_operations``, by struct."""


def _key(struct: Any, field: Any) -> str:
    name: str = field._json["name"]
    if name == "authorized_operations":
        holder = struct._json["name"] if struct._json["type"] in ("request", "response") else struct.type_str
        return _OPERATIONS.get(holder, "authorizedOperations")
    return name[:1].lower() + name[1:]


def _from_json(cls: Any, struct: Any, json: Any, version: int) -> Any:
    values = {
        field.name: _value(field, json[_key(struct, field)], version)
        for field in struct.fields.values()
        if _key(struct, field) in json
    }
    return cls(version=version, **values)


def _value(field: Any, json: Any, version: int) -> Any:
    if json is None:
        return None
    if field.is_struct_array():
        return [_from_json(field.data_class, field, each, version) for each in json]
    if field.is_struct():
        return _from_json(field.data_class, field, json, version)
    return [_scalar(field, each) for each in json] if field.is_array() else _scalar(field, json)


def _scalar(field: Any, json: Any) -> Any:
    match field.type_str.removeprefix("[]"):
        case "uuid":
            return UUID(bytes=urlsafe_b64decode(json + "=="))
        case "bytes" | "records":
            return b64decode(json)
        case "bitfield":
            return {bit for bit in range(32) if json >> bit & 1}
        case _:
            return json


def _to_json(struct: Any, value: Any, version: int) -> Any:
    found = {}
    for field in struct.fields.values():
        if not field.for_version_q(version):
            continue
        own = getattr(value, field.name)
        if not (field.tagged_field_q(version) and own == field.default):
            found[_key(struct, field)] = _json(field, own, version)
    return found


def _json(field: Any, value: Any, version: int) -> Any:
    if value is None:
        return {"bitfield": -(2**31), "uuid": "A" * 22}.get(field.type_str)
    if field.is_struct_array():
        return [_to_json(field, each, version) for each in value]
    if field.is_struct():
        return _to_json(field, value, version)
    return [_scalar_json(field, each) for each in value] if field.is_array() else _scalar_json(field, value)


def _scalar_json(field: Any, value: Any) -> Any:
    match field.type_str.removeprefix("[]"):
        case "uuid":
            return urlsafe_b64encode(value.bytes).decode().rstrip("=")
        case "bytes" | "records":
            return b64encode(bytes(value)).decode()
        case "bitfield":
            return int.from_bytes(sum(1 << bit for bit in value).to_bytes(4, "big"), "big", signed=True)
        case _:
            return value


if __name__ == "__main__":
    serve({"encode": encode, "decode": decode, "reencode": reencode})
