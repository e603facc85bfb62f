"""Finds the optional native engine; without it, or if it supports another plan format, straight-line Python is used."""

from __future__ import annotations

import os

from . import PLAN_FORMAT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Engine(Protocol):
        """The plan of a message, ready to run; all methods raise ``ValueError`` for invalid input."""

        def decode(
            self,
            version: int,
            buffer: bytes,
            offset: int,
            source: bytes | memoryview,
            limits: tuple[int, int, int, int] | None = None,
        ) -> tuple[Any, int]:
            """Reads a message; returns it and the offset after it. Raises ``KeyError`` for an unknown version.

            The arguments of the ``ValueError`` are reason, field path and offset.
            """
            ...

        def decode_lazily(
            self,
            version: int,
            buffer: bytes,
            offset: int,
            source: bytes | memoryview,
            limits: tuple[int, int, int, int] | None = None,
        ) -> tuple[Any, int]:
            """Like ``decode``, but values are made when they are first read."""
            ...

        def projection(self, tree: dict[str, Any]) -> Any:
            """Chooses fields for ``decode_fields``, by a tree of attributes in which ``None`` stands for a whole field."""
            ...

        def decode_fields(
            self,
            version: int,
            buffer: bytes,
            offset: int,
            source: bytes | memoryview,
            limits: tuple[int, int, int, int] | None,
            projection: Any,
        ) -> tuple[Any, int]:
            """Like ``decode``, but only chosen fields are made."""
            ...

        def encode(self, version: int, message: object) -> bytes:
            """The bytes of a message. Raises ``KeyError`` for an unknown version."""
            ...


ENGINE_FORMAT = 3
"""The engine interface that this runtime supports: 3 decodes lazily, and chosen fields."""


def _engine_class() -> Callable[[str, tuple[type, ...], Callable[..., type]], Engine] | None:
    if os.environ.get("MESSAGEGEN_PURE"):
        return None
    try:
        native = __import__("messagegen_native")
    except ImportError:
        return None
    fits = native.PLAN_FORMAT == PLAN_FORMAT and getattr(native, "ENGINE_FORMAT", 1) == ENGINE_FORMAT
    return native.Engine if fits else None


def lazy_class(*arguments: Any) -> type:
    """The class for structs that are not made yet (``lazy.py``, which is loaded on first use)."""
    from .lazy import lazy_class as made

    return made(*arguments)


ENGINE = _engine_class()
"""Creates the engine of a message from its plan, its classes and ``lazy_class``, or ``None``; ``MESSAGEGEN_PURE`` (not empty) disables it."""
