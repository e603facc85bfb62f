"""Finds the optional native engine; without it, or with one for another form of plans, straight-line Python serves."""

from __future__ import annotations

import os

from . import PLAN_FORMAT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Engine(Protocol):
        """One message's plan, ready to run; both methods raise a ``ValueError`` for what they refuse."""

        def decode(
            self,
            version: int,
            buffer: bytes,
            offset: int,
            source: bytes | memoryview,
            limits: tuple[int, int, int, int] | None = None,
        ) -> tuple[Any, int]:
            """Reads one message; gives it and the offset after it. Raises ``KeyError`` for an unknown version.

            A refusal has reason, field path and offset as its arguments.
            """
            ...

        def encode(self, version: int, message: object) -> bytes:
            """The bytes of a message. Raises ``KeyError`` for an unknown version."""
            ...


ENGINE_FORMAT = 2
"""The form of engines that this runtime knows: 2 takes limits, and says where something is wrong."""


def _engine_class() -> Callable[[str, tuple[type, ...]], Engine] | None:
    if os.environ.get("MESSAGEGEN_PURE"):
        return None
    try:
        native = __import__("messagegen_native")
    except ImportError:
        return None
    fits = native.PLAN_FORMAT == PLAN_FORMAT and getattr(native, "ENGINE_FORMAT", 1) == ENGINE_FORMAT
    return native.Engine if fits else None


ENGINE = _engine_class()
"""Makes the engine of a message from its plan and classes, or ``None``; ``MESSAGEGEN_PURE`` (not empty) turns it off."""
