"""Messages as typed Python; a message's module is loaded when its class is first asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, overload

    from ._runtime.records.control import ControlRecord as ControlRecord
    from ._runtime.errors import DecodeError as DecodeError
    from ._runtime.errors import EncodeError as EncodeError
    from ._runtime.limits import Limits as Limits
    from ._runtime.base import Message as Message
    from ._runtime.errors import MessageError as MessageError
    from ._runtime.records.values import Record as Record
    from ._runtime.records.values import RecordBatch as RecordBatch
    from ._runtime.records.reading import RecordBatches as RecordBatches
    from ._runtime.records.values import RecordHeader as RecordHeader
    from ._runtime.records.compression import UnsupportedCompressionError as UnsupportedCompressionError
    from ._runtime.errors import UnsupportedVersionError as UnsupportedVersionError
    from ._runtime.records.times import parse_timestamp as parse_timestamp
    from ._runtime.records.reading import read_records as read_records
    from ._runtime.messages import KeyedMessage, Request, Response
    from .structs_response import StructsResponse as StructsResponse
    from .tags import Tags as Tags
    from .values_request import ValuesRequest as ValuesRequest

__all__ = [
    "ControlRecord",
    "DecodeError",
    "EncodeError",
    "Limits",
    "Message",
    "MessageError",
    "Record",
    "RecordBatch",
    "RecordBatches",
    "RecordHeader",
    "StructsResponse",
    "Tags",
    "UnsupportedCompressionError",
    "UnsupportedVersionError",
    "ValuesRequest",
    "message_classes",
    "parse_timestamp",
    "read_records",
]

_MODULES = {
    "ControlRecord": "._runtime.records.control",
    "DecodeError": "._runtime.errors",
    "EncodeError": "._runtime.errors",
    "Limits": "._runtime.limits",
    "Message": "._runtime.base",
    "MessageError": "._runtime.errors",
    "Record": "._runtime.records.values",
    "RecordBatch": "._runtime.records.values",
    "RecordBatches": "._runtime.records.reading",
    "RecordHeader": "._runtime.records.values",
    "UnsupportedCompressionError": "._runtime.records.compression",
    "UnsupportedVersionError": "._runtime.errors",
    "parse_timestamp": "._runtime.records.times",
    "read_records": "._runtime.records.reading",
    "StructsResponse": ".structs_response",
    "Tags": ".tags",
    "ValuesRequest": ".values_request",
}
_KEYS: dict[str, tuple[str, int]] = {
    "StructsResponse": ("response", 1),
    "ValuesRequest": ("request", 1),
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
        """The messages of a kind (request, response, metadata, coordinator-key, ...) that have an API key.

        Requests and responses have at most one; coordinators number their records each for itself, so keys repeat
        there. Raises ``ValueError`` for what is no kind.
        """
        if kind not in _KINDS:
            raise ValueError(f"unknown message kind {kind!r}; expected one of {', '.join(_KINDS)}")
        return tuple([_load(name) for name, key in _KEYS.items() if key == (kind, api_key)])


def _load(name: str) -> Any:
    from importlib import import_module

    value = getattr(import_module(_MODULES[name], __name__), name)
    globals()[name] = value
    return value


if not TYPE_CHECKING:

    def __getattr__(name):
        if name in _MODULES:
            return _load(name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
