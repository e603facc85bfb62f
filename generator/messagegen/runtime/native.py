"""Finds the optional native engine, and creates the classes of lazily decoded messages for it.

If the engine is not installed, straight-line Python is used. If it is installed but unusable, a warning is issued, too.
"""

from __future__ import annotations

import os

from . import PLAN_FORMAT
from .errors import DEFAULT_LIMITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .structs import Struct

ENGINE_FORMAT = 5
"""The engine interface that this runtime supports."""


def find() -> tuple[Any, str]:
    """Return the engine's module, or ``None`` and the reason. Warn if the engine is installed but unusable."""
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
    """Return a part of the engine's module by name, or ``None`` if the engine is missing or lacks the part."""
    return getattr(_NATIVE, name, None)


def engine(plan: str, classes: tuple[type, ...]) -> Any:
    """Return the engine of a message; ``None`` if no engine supports these classes."""
    try:
        return None if ENGINE is None else ENGINE(plan, classes, lazy_class, DEFAULT_LIMITS)
    except ValueError:
        return None


def lazy_class(cls: type[Struct], fields: Mapping[str, Any]) -> type[Struct]:
    """Return a class for lazily decoded structs of ``cls``; only ``type()`` distinguishes it from ``cls``.

    ``fields`` are the descriptors of all attributes (``messagegen_native``). Their ``replace`` returns a copy with
    changed values. In the copy, values that the struct has not created yet are still created on demand. It raises
    ``KeyError`` for an unknown attribute. When all values of an object exist, the engine changes its class to ``cls``.
    """
    replace = next(iter(fields.values())).replace

    def __reduce_ex__(self: Struct, _: Any) -> tuple[object, ...]:  # noqa: N807 - becomes the method
        import copyreg

        new: object = vars(copyreg)["__newobj__"]  # the function that the pickles of all objects refer to
        return new, (cls,), (None, {name: getattr(self, name) for name in fields})

    def __replace__(self: Struct, /, **changes: Any) -> Struct:  # noqa: N807
        try:
            replaced: Struct = replace(self, changes)
        except KeyError as unknown:
            name = unknown.args[0]
            raise TypeError(f"{cls.__qualname__}.__init__() got an unexpected keyword argument {name!r}") from None
        except TypeError:
            # The evaluation of the arguments, or another thread, may have completed the struct: then its class is
            # ``cls`` itself.
            if type(self) is not cls:
                raise
            return cls.__replace__(self, **changes)
        return replaced

    body: dict[str, Any] = {
        **fields,
        "__slots__": (),
        "__doc__": vars(cls)["__doc__"],
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__class__": property(lambda _: cls),
        "__reduce_ex__": __reduce_ex__,
        "__replace__": __replace__,
    }
    return type(cls.__name__, (cls,), body)


_NATIVE, WHY_NOT = find()
"""The engine's module and an empty string, or ``None`` and the reason."""

ENGINE: Any = native_part("Engine")
"""Creates the engine of a message from its plan, its classes, ``lazy_class`` and the default limits of this output.

``None`` if there is no engine, or if ``MESSAGEGEN_PURE`` is not empty. The engine has no limits of its own, so a newer
engine does not change which messages an output accepts.

An engine's ``decode(version, data, offset, limits)`` returns a message and the offset after it, and so does
``decode_lazily``. If ``limits`` is ``None``, the default limits apply. ``encode(version, message)`` returns bytes.
All raise ``KeyError`` for an unknown version, and ``ValueError`` for invalid data. When decoding, the arguments of the
``ValueError`` are the reason, the field path and the offset.
"""
