"""Messages as JSON values in the format of Kafka's generated ``JsonConverter`` classes, including their quirks.

Tagged fields appear only if they differ from their default. Bytes and records are base64; uuids are base64url without
padding. A float needs a decimal point. An int8 from 128 to 256 is read as the number minus 128 (upstream:
``MessageUtil``).
"""

from __future__ import annotations

import re
from _operator import index
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from uuid import UUID

from . import part
from .errors import CodecFailure, EncodeError, WrongValue
from .plan import PRIMITIVES
from .wire import array_of, bytes_of, float_of, utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .plan import Codec, Field, Layout, Plan, Primitive

_UUID_LENGTH = 22
_UUID = re.compile("[A-Za-z0-9_-]{22}(==)?")
_GROUP = 4
"""The number of characters of base64 that stand for three bytes."""
_BASE64 = re.compile("[A-Za-z0-9+/]*={0,2}")
_RUNS = re.compile(r"[^\0- =]+=*|=+")
"""Matches characters of base64 up to a space, a control character, or the end of padding."""


def message_to_json(plan: Plan, message: object, version: int, *, redact: bool = False) -> dict[str, Any]:
    """Return the JSON value of a message that the version can encode. ``redact`` hides sensitive values."""
    return _struct_to_json(plan.roots[version], message, redact=redact)


def message_from_json(plan: Plan, value: Mapping[str, Any], version: int) -> Any:
    """Return the message for a JSON value. Raises ``EncodeError`` with the field path."""
    path: list[str] = []
    layouts = {layout.struct.class_name: layout for layout in plan.layouts if version in layout.versions}
    try:
        return _struct_from_json(plan.roots[version], value, path, layouts)
    except CodecFailure as failure:
        error = _error(plan, version, path, failure)
    # Outside of the except block: the context of an error must not contain a secret.
    raise error


def _error(plan: Plan, version: int, path: list[str], failure: Exception) -> EncodeError:
    attributes = [part[1:] for part in path if part[0] == "."]
    reason = str(failure)
    if plan.is_sensitive:
        reason = part("secrets").shown_reason(failure, reason, plan.roots[version], attributes)
    return EncodeError(plan.name, version, "".join(path).removeprefix("."), reason)


def _struct_to_json(layout: Layout, message: Any, *, redact: bool) -> dict[str, Any]:
    codecs = layout.codecs
    result: dict[str, Any] = {}
    for field in layout.fields.values():
        codec = codecs.get(field.attribute)
        if codec is None:
            continue
        value = getattr(message, field.attribute)
        if field.attribute not in layout.optional or not field.is_default(value):
            if redact and value is not None and layout.cls.SENSITIVE and _is_hidden(message, field.attribute):
                result[field.key] = part("secrets").REDACTED
            else:
                result[field.key] = _value_to_json(codec, value, redact=redact)
    return result


def _is_hidden(struct: Any, attribute: str) -> bool:
    hidden: bool = part("secrets").is_hidden(struct, attribute)
    return hidden


def _value_to_json(codec: Codec, value: Any, *, redact: bool) -> Any:
    """Return the JSON form of a value that the codec can write; its type may differ from the decoded type."""
    if value is None:
        return None
    if codec.layout is not None:
        return _struct_to_json(codec.layout, value, redact=redact)
    if codec.element is not None:
        return [_value_to_json(codec.element, item, redact=redact) for item in array_of(value)]
    match PRIMITIVES[codec.kind].python if codec.kind in PRIMITIVES else "int":
        case "bool":
            return value
        case "float":
            return float_of(value)
        case "UUID":
            return urlsafe_b64encode(value.int.to_bytes(16, "big")).rstrip(b"=").decode()
        case "bytes":
            return b64encode(bytes(bytes_of(value))).decode()
        case "str":
            return utf8(value).decode()
        case _:
            return index(value)


def _struct_from_json(layout: Layout, json: object, path: list[str], layouts: dict[str, Layout]) -> Any:
    value: Mapping[str, Any] = _of_type(Mapping, "an object", json)
    known = {field.key: field for field in layout.fields.values()}
    for key in value:
        if key not in known:
            name = layout.cls.__name__
            raise CodecFailure(f'unknown field "{key}" of {name}; it has {", ".join(known) or "none"}')
    codecs = layout.codecs
    message = layout.cls()
    for key, field in known.items():
        path.append(f".{field.attribute}")
        codec = codecs.get(field.attribute)
        if key in value:
            setattr(message, field.attribute, _field_from_json(field, codec, value[key], path, layouts))
        elif codec and field.attribute not in layout.optional:
            raise CodecFailure(f'missing field "{key}"')
        path.pop()
    return message


def _field_from_json(field: Field, codec: Codec | None, value: Any, path: list[str], layouts: dict[str, Layout]) -> Any:
    if value is None and field.nullable:
        return None
    if not field.is_array:
        return _value_from_json(field.type, codec, value, path, layouts)
    items: list[Any] = []
    for number, item in enumerate(_of_type(list, "an array", value)):
        path.append(f"[{number}]")
        items.append(_value_from_json(field.element_type, codec and codec.element, item, path, layouts))
        path.pop()
    return tuple(items)


def _value_from_json(type_: str, codec: Codec | None, value: Any, path: list[str], layouts: dict[str, Layout]) -> Any:
    if primitive := PRIMITIVES.get(type_):
        return _primitive_from_json(primitive, value)
    # A common struct may have a layout even in a version that lacks this field.
    layout = codec.layout if codec else layouts.get(type_)
    if layout is None:
        raise CodecFailure("this version has no such field, so an object is not allowed")
    return _struct_from_json(layout, value, path, layouts)


_PLAIN: dict[str, type[Any]] = {"bool": bool, "float": float}


def _primitive_from_json(primitive: Primitive, value: Any) -> Any:
    if primitive.range:
        return _integer(primitive.name, *primitive.range, value)
    plain = _of_type(_PLAIN.get(primitive.python, str), primitive.json, value)
    if primitive.python == "UUID":
        return _uuid(plain)
    if primitive.python == "bytes":
        return _bytes(plain)
    return plain


def _of_type(cls: type[Any], expected: str, value: Any) -> Any:
    if not isinstance(value, cls):
        raise WrongValue(f"expected {expected}, got {{}}", value)
    return value


def _integer(type_: str, lowest: int, highest: int, number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool):
        raise WrongValue("expected an integer, got {}", number)
    value = int(number)
    if type_ == "int8" and highest < value <= 256:
        value -= 128
    if not lowest <= value <= highest:
        raise WrongValue(f"{{}} does not fit in {type_}", value)
    return value


def _uuid(text: str) -> UUID:
    """Return the UUID of base64url. Upstream: ``Uuid.fromString``."""
    if not _UUID.fullmatch(text):
        raise WrongValue("{} is not 16 bytes of base64url", text)
    return UUID(bytes=urlsafe_b64decode(text[:_UUID_LENGTH] + "=="))


def _bytes(text: str) -> bytes:
    """Return the bytes of base64. Upstream: Jackson's ``Base64Variant.decode``.

    Jackson ignores spaces and control characters between groups of four characters, and reads on after padding.
    """
    runs = _RUNS.findall(text)
    if not all(_BASE64.fullmatch(run) and len(run) % _GROUP == 0 for run in runs):
        raise WrongValue("{} is not base64", text)
    return b"".join(map(b64decode, runs))
