"""Kafka messages as typed Python; a message's module is loaded when its class is first asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, overload

    from ._runtime.errors import DecodeError as DecodeError
    from ._runtime.errors import EncodeError as EncodeError
    from ._runtime.limits import Limits as Limits
    from ._runtime.messages import Message as Message
    from ._runtime.errors import MessageError as MessageError
    from ._runtime.errors import UnsupportedVersionError as UnsupportedVersionError
    from ._runtime.messages import KeyedMessage, Request, Response
    from .common_structs import CommonStructs as CommonStructs
    from .defaults import Defaults as Defaults
    from .encodings import Encodings as Encodings
    from .entities import Entities as Entities
    from .every_type_request import EveryTypeRequest as EveryTypeRequest
    from .flexible_header import FlexibleHeader as FlexibleHeader
    from .group_thing_key import GroupThingKey as GroupThingKey
    from .group_thing_value import GroupThingValue as GroupThingValue
    from .hostile_text import HostileText as HostileText
    from .map_keys import MapKeys as MapKeys
    from .names import Names as Names
    from .nullable_response import NullableResponse as NullableResponse
    from .tagged import Tagged as Tagged
    from .type_maps import TypeMaps as TypeMaps
    from .zero_copy import ZeroCopy as ZeroCopy

__all__ = [
    "CommonStructs",
    "DecodeError",
    "Defaults",
    "EncodeError",
    "Encodings",
    "Entities",
    "EveryTypeRequest",
    "FlexibleHeader",
    "GroupThingKey",
    "GroupThingValue",
    "HostileText",
    "Limits",
    "MapKeys",
    "Message",
    "MessageError",
    "Names",
    "NullableResponse",
    "Tagged",
    "TypeMaps",
    "UnsupportedVersionError",
    "ZeroCopy",
    "message_classes",
]

_MODULES = {
    "DecodeError": "_runtime.errors",
    "EncodeError": "_runtime.errors",
    "Limits": "_runtime.limits",
    "Message": "_runtime.messages",
    "MessageError": "_runtime.errors",
    "UnsupportedVersionError": "_runtime.errors",
    "CommonStructs": "common_structs",
    "Defaults": "defaults",
    "Encodings": "encodings",
    "Entities": "entities",
    "EveryTypeRequest": "every_type_request",
    "FlexibleHeader": "flexible_header",
    "GroupThingKey": "group_thing_key",
    "GroupThingValue": "group_thing_value",
    "HostileText": "hostile_text",
    "MapKeys": "map_keys",
    "Names": "names",
    "NullableResponse": "nullable_response",
    "Tagged": "tagged",
    "TypeMaps": "type_maps",
    "ZeroCopy": "zero_copy",
}
_KEYS: dict[str, tuple[str, int]] = {
    "Entities": ("request", 1002),
    "EveryTypeRequest": ("request", 1001),
    "GroupThingKey": ("coordinator-key", 4),
    "GroupThingValue": ("coordinator-value", 4),
    "NullableResponse": ("response", 1001),
    "ZeroCopy": ("metadata", 7),
}


_KINDS = ("request", "response", "header", "data", "metadata", "coordinator-key", "coordinator-value")

if TYPE_CHECKING:

    @overload
    def message_classes(kind: Literal["request"], api_key: int) -> tuple[type[Request], ...]: ...
    @overload
    def message_classes(kind: Literal["response"], api_key: int) -> tuple[type[Response], ...]: ...
    @overload
    def message_classes(kind: str, api_key: int) -> tuple[type[KeyedMessage], ...]: ...
    def message_classes(kind: str, api_key: int) -> tuple[type[KeyedMessage], ...]: ...

else:

    def message_classes(kind, api_key):
        """The messages of a kind (request, response, metadata, coordinator-key, ...) that have an api key.

        Requests and responses have at most one; coordinators number their records each for itself, so keys repeat there.
        Raises ``ValueError`` for what is no kind.
        """
        if kind not in _KINDS:
            raise ValueError(f"{kind!r} is no kind of messages; write one of {', '.join(_KINDS)}")
        return tuple([_load(name) for name, key in _KEYS.items() if key == (kind, api_key)])


def _load(name: str) -> type[KeyedMessage]:
    from importlib import import_module

    value: type[KeyedMessage] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


if not TYPE_CHECKING:

    def __getattr__(name):
        if name in _MODULES:
            return _load(name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
