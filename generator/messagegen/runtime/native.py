"""Finds the optional native engine.

Without it, straight-line Python is used; if it is installed but of no use, there is a warning.
"""

from __future__ import annotations

import os

from . import PLAN_FORMAT
from .lazy import lazy_class as lazy_class  # noqa: PLC0414 - the engine takes it from here
from .limits import DEFAULT_LIMITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ENGINE_FORMAT = 5
"""The engine interface that this runtime supports."""


def find() -> tuple[Any, str]:
    """The engine's module, or ``None`` and the reason. Warns if the engine is installed but cannot be used."""
    if os.environ.get("MESSAGEGEN_PURE"):
        return None, "MESSAGEGEN_PURE is set"
    try:
        native = __import__("messagegen_native")
    except ModuleNotFoundError:
        return None, "messagegen-native is not installed"
    except ImportError as error:
        reason = f"messagegen-native cannot be loaded ({error}); install it again for this Python and platform"
    else:
        found, needed = (native.PLAN_FORMAT, native.ENGINE_FORMAT), (PLAN_FORMAT, ENGINE_FORMAT)
        if found == needed:
            return native, ""
        newer = "generate the messages again, or upgrade the package that has them"
        reason = "messagegen-native has plan format {} and engine format {}, but this code needs {} and {}; {}".format(
            *found, *needed, "upgrade messagegen-native" if found < needed else newer
        )
    import warnings

    message = f"{__package__}: {reason}. Until then, messages are handled in pure Python"
    warnings.warn(message, RuntimeWarning, stacklevel=2)
    return None, reason


def native_part(name: str) -> Any:
    """Another part of the engine by its name; ``None`` if there is no engine, or if it does not have that part."""
    return getattr(_NATIVE, name, None)


def engine(plan: str, classes: tuple[type, ...]) -> Any:
    """The engine of a message; ``None`` if there is none, or if it does not support these classes."""
    try:
        return None if ENGINE is None else ENGINE(plan, classes, lazy_class, DEFAULT_LIMITS)
    except ValueError:
        return None


_NATIVE, WHY_NOT = find()
"""The engine's module, and an empty text; or ``None`` and the reason."""

ENGINE: Any = native_part("Engine")
"""Creates the engine of a message from its plan, its classes, ``lazy_class`` and the default limits of this output.

``None`` without an engine; ``MESSAGEGEN_PURE`` (not empty) disables it. An engine has no limits of its own, so a newer
one does not change what an output accepts.

``decode(version, data, offset, limits)`` of an engine returns a message and the offset after it; ``decode_lazily``
does, too. ``limits`` may be ``None`` for the default ones. ``encode(version, message)`` returns bytes. All raise
``KeyError`` for an unknown version, and ``ValueError`` for what is invalid; its arguments after decoding are reason,
field path and offset.
"""
