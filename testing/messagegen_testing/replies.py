"""What a client gets for a request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol


class AnyResponse(Protocol):
    """A response of any generated package: each has classes of its own."""

    def encode_frame(self, *, version: int, correlation_id: int, **header: object) -> bytes:
        """The bytes of the response, with their length and header."""
        ...


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: a message, or bytes of a broker that are not changed, with their length.

    ``version`` is that of the message, if it is not that of the request. Without a message and a frame, the request has
    no answer. ``cut_after`` is the number of bytes that are sent before the connection
    is closed. A reply that is ``silent`` leaves the connection open, and nothing is sent on it any more.
    """

    message: Any = None
    frame: bytes | None = None
    version: int | None = None
    cut_after: int | None = None
    silent: bool = False

    def changed(self, message: Any) -> Reply:
        """The same reply with another message."""
        return self if message is self.message else replace(self, message=message, frame=None)

    def cut(self, after_bytes: int) -> Reply:
        """The beginning of the same reply."""
        return replace(self, cut_after=after_bytes)

    def data(self, version: int, correlation_id: int) -> bytes:
        """The bytes for the client, for a request of this version. Raises ``EncodeError``."""
        if self.frame is not None:
            return self.frame
        if self.message is None:
            return b""
        written = version if self.version is None else self.version
        frame: bytes = self.message.encode_frame(version=written, correlation_id=correlation_id)
        return frame


SILENCE = Reply(silent=True)
HANG_UP = Reply(cut_after=0)
NOTHING = Reply()
