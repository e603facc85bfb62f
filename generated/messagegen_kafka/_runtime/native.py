"""Finds the optional native engine; without it, or with one for another form of plans, straight-line Python serves."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Engine(Protocol):
        """One message's plan, ready to run; both methods raise a ``ValueError`` without path for what they refuse."""

        def decode(self, version: int, buffer: bytes, offset: int, source: bytes | memoryview) -> tuple[Any, int]:
            """Reads one message; gives it and the offset after it. Raises ``KeyError`` for an unknown version."""
            ...

        def encode(self, version: int, message: object) -> bytes:
            """The bytes of a message. Raises ``KeyError`` for an unknown version."""
            ...


PLAN_FORMAT = 1
"""The form of plan texts that this runtime carries; an engine for another form leaves them alone."""


def _engine_class() -> Callable[[str, tuple[type, ...]], Engine] | None:
    if os.environ.get("MESSAGEGEN_PURE"):
        return None
    try:
        native = __import__("messagegen_native")
    except ImportError:
        return None
    return native.Engine if native.PLAN_FORMAT == PLAN_FORMAT else None


ENGINE = _engine_class()
"""Makes the engine of a message from its plan and classes, or ``None``; ``MESSAGEGEN_PURE`` (not empty) turns it off."""
