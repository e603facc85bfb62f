"""Messages as typed Python; a message's module is loaded when its class is first asked for.

``help(CLASS)`` shows the fields of a message or struct.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal as _Literal, overload as _overload

    from ._runtime.session import BrokerSession as BrokerSession
    from ._runtime.session import ClientSession as ClientSession
    from ._runtime.session import ClientSessionWithTokens as ClientSessionWithTokens
    from ._runtime.errors import DecodeError as DecodeError
    from ._runtime.errors import EncodeError as EncodeError
    from ._runtime.fields import FieldInfo as FieldInfo
    from ._runtime.session import FrameSizeError as FrameSizeError
    from ._runtime.session import Framer as Framer
    from ._runtime.session import InFlightRequest as InFlightRequest
    from ._runtime.messages import KeyedMessage as KeyedMessage
    from ._runtime.errors import Limits as Limits
    from ._runtime.base import Message as Message
    from ._runtime.errors import MessageError as MessageError
    from ._runtime.messages import NoCommonVersionError as NoCommonVersionError
    from ._runtime.session import Observer as Observer
    from ._runtime.session import ReceivedRequest as ReceivedRequest
    from ._runtime.session import ReceivedResponse as ReceivedResponse
    from ._runtime.messages import Request as Request
    from ._runtime.messages import Response as Response
    from ._runtime.session import SaslToken as SaslToken
    from ._runtime.session import SentRequest as SentRequest
    from ._runtime.session import SentToken as SentToken
    from ._runtime.session import SessionError as SessionError
    from ._runtime.session import UnreadableFrame as UnreadableFrame
    from ._runtime.errors import UnsupportedVersionError as UnsupportedVersionError
    from ._runtime.rewriting import rewrite as rewrite
    from .values_request import ValuesRequest as ValuesRequest

    __all__: list[str]

_NAMES: dict[str, tuple[str, str, int | None]] = {
    "BrokerSession": ("._runtime.session", "", None),
    "ClientSession": ("._runtime.session", "", None),
    "ClientSessionWithTokens": ("._runtime.session", "", None),
    "DecodeError": ("._runtime.errors", "", None),
    "EncodeError": ("._runtime.errors", "", None),
    "FieldInfo": ("._runtime.fields", "", None),
    "FrameSizeError": ("._runtime.session", "", None),
    "Framer": ("._runtime.session", "", None),
    "InFlightRequest": ("._runtime.session", "", None),
    "KeyedMessage": ("._runtime.messages", "", None),
    "Limits": ("._runtime.errors", "", None),
    "Message": ("._runtime.base", "", None),
    "MessageError": ("._runtime.errors", "", None),
    "NoCommonVersionError": ("._runtime.messages", "", None),
    "Observer": ("._runtime.session", "", None),
    "ReceivedRequest": ("._runtime.session", "", None),
    "ReceivedResponse": ("._runtime.session", "", None),
    "Request": ("._runtime.messages", "", None),
    "Response": ("._runtime.messages", "", None),
    "SaslToken": ("._runtime.session", "", None),
    "SentRequest": ("._runtime.session", "", None),
    "SentToken": ("._runtime.session", "", None),
    "SessionError": ("._runtime.session", "", None),
    "UnreadableFrame": ("._runtime.session", "", None),
    "UnsupportedVersionError": ("._runtime.errors", "", None),
    "rewrite": ("._runtime.rewriting", "", None),
    "ValuesRequest": (".values_request", "request", 1),
}
"""Each name with its module; of messages also their kind and API key."""
_KINDS = ("request", "response", "header", "data", "metadata", "coordinator-key", "coordinator-value")

if TYPE_CHECKING:

    @_overload
    def message_classes(kind: _Literal["request"], api_key: int) -> tuple[type[Request], ...]: ...
    @_overload
    def message_classes(kind: _Literal["response"], api_key: int) -> tuple[type[Response], ...]: ...
    @_overload
    def message_classes(kind: str, api_key: int) -> tuple[type[KeyedMessage], ...]: ...
    def message_classes(kind: str, api_key: int) -> tuple[type[KeyedMessage], ...]: ...

else:

    def _names_by_key():
        found = {}
        for name, (_, *key) in _NAMES.items():
            found.setdefault(tuple(key), []).append(name)
        return found

    _NAMES_BY_KEY = _names_by_key()

    def message_classes(kind, api_key):
        """The messages of a kind (request, response, metadata, coordinator-key, ...) that have an API key.

        Requests and responses have at most one; each coordinator numbers its own records, so keys repeat
        there. Raises ``ValueError`` for an unknown kind.
        """
        if kind not in _KINDS:
            raise ValueError(f"unknown message kind {kind!r}; expected one of {', '.join(_KINDS)}")
        names = _NAMES_BY_KEY.get((kind, api_key), ())
        return tuple([globals().get(name) or __getattr__(name) for name in names])


if not TYPE_CHECKING:
    __all__ = [*_NAMES, "message_classes"]

    def __getattr__(name):
        if name not in _NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(_NAMES[name][0], __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*globals(), *_NAMES]
