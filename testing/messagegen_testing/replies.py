"""The replies to requests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol


class AnyResponse(Protocol):
    """A response of any generated package: each package has its own classes."""

    def encode_frame(self, *, version: int, correlation_id: int, **header: object) -> bytes:
        """Return the bytes of the response, with their length and header."""
        ...


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: a message, or the unchanged bytes from a broker, including their length.

    ``version`` is the version of the message, if it differs from the request's. A reply without a message and a frame
    sends nothing. ``cut_after`` is the number of bytes that are sent before the connection is closed. A ``silent``
    reply leaves the connection open, but nothing more is sent on it. A ``reset`` reply ends the connection with RST. A
    ``missing`` reply is from a scripted broker that has no answer of its own.
    """

    message: Any = None
    frame: bytes | None = None
    version: int | None = None
    cut_after: int | None = None
    silent: bool = False
    reset: bool = False
    missing: bool = False

    @property
    def is_last(self) -> bool:
        """Whether nothing is sent on the connection after this reply."""
        return self.silent or self.reset or self.cut_after is not None

    def changed(self, message: Any) -> Reply:
        """Return this reply with ``message`` as its message."""
        return self if message is self.message else replace(self, message=message, frame=None)

    def cut(self, after_bytes: int) -> Reply:
        """Return this reply, cut after ``after_bytes`` bytes."""
        return replace(self, cut_after=after_bytes)

    def data(self, version: int, correlation_id: int) -> bytes:
        """Return the bytes for the client, for a request of ``version``. Raises ``EncodeError``."""
        if self.frame is not None:
            return self.frame
        if self.message is None:
            return b""
        written = version if self.version is None else self.version
        frame: bytes = self.message.encode_frame(version=written, correlation_id=correlation_id)
        return frame


SILENCE = Reply(silent=True)
HANG_UP = Reply(cut_after=0)
RESET = Reply(reset=True)
MISSING = Reply(cut_after=0, missing=True)
NOTHING = Reply()
