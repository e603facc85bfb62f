"""Finds the optional native engine. Without it, straight-line Python is used; if it is installed but of no use, there is a warning."""

from __future__ import annotations

import os

from . import PLAN_FORMAT
from .lazy import lazy_class as lazy_class  # noqa: PLC0414 - the engine takes it from here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    Decode = Callable[[int, bytes, int, bytes, tuple[int, int, int, int] | None], tuple[Any, int]]

    class Engine(Protocol):
        """The plan of a message, ready to run; all methods raise ``ValueError`` for invalid input."""

        decode: Decode
        """Reads a message of a version in a buffer at an offset; the fourth argument is the buffer again, then limits.

        Returns it and the offset after it. Raises ``KeyError`` for an unknown version. The arguments of the ``ValueError`` are reason,
        field path and offset.
        """
        decode_lazily: Decode
        """Like ``decode``, but values are made when they are first read."""

        def encode(self, version: int, message: object) -> bytes:
            """The bytes of a message. Raises ``KeyError`` for an unknown version."""
            ...


ENGINE_FORMAT = 3
"""The engine interface that this runtime supports: 3 decodes lazily."""


def find() -> tuple[Any, str]:
    """The engine's module, or ``None`` and the reason. Warns if the engine is installed but cannot be used."""
    if os.environ.get("MESSAGEGEN_PURE"):
        return None, "MESSAGEGEN_PURE is set"
    try:
        native = __import__("messagegen_native")
    except ModuleNotFoundError:
        return None, "messagegen-native is not installed"
    except ImportError as error:
        return None, _warned(
            f"messagegen-native cannot be loaded ({error}); install it again for this Python and platform"
        )
    formats = native.PLAN_FORMAT, getattr(native, "ENGINE_FORMAT", 1)
    if formats == (PLAN_FORMAT, ENGINE_FORMAT):
        return native, ""
    advice = (
        "upgrade messagegen-native"
        if formats < (PLAN_FORMAT, ENGINE_FORMAT)
        else "generate the messages again, or upgrade the package that has them"
    )
    return None, _warned(
        f"messagegen-native has plan format {formats[0]} and engine format {formats[1]}, but this code needs {PLAN_FORMAT}"
        f" and {ENGINE_FORMAT}; {advice}"
    )


def _warned(reason: str) -> str:
    import warnings

    warnings.warn(
        f"{__package__}: {reason}. Until then, messages are handled in pure Python", RuntimeWarning, stacklevel=3
    )
    return reason


def native_part(name: str) -> Any:
    """Another part of the engine by its name; ``None`` if there is no engine, or if it does not have that part."""
    return getattr(_NATIVE, name, None)


def engine(plan: str, classes: tuple[type, ...]) -> Engine | None:
    """The engine of a message; ``None`` if there is none, or if it does not support these classes."""
    try:
        return None if ENGINE is None else ENGINE(plan, classes, lazy_class)
    except ValueError:
        return None


_NATIVE, WHY_NOT = find()
"""The engine's module, and an empty text; or ``None`` and the reason."""

ENGINE: Callable[[str, tuple[type, ...], Callable[..., type]], Engine] | None = native_part("Engine")
"""Creates the engine of a message from its plan, its classes and ``lazy_class``, or ``None``; ``MESSAGEGEN_PURE`` (not empty) disables it."""
