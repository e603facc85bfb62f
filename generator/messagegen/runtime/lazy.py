"""Lazily decoded messages: the subclasses whose attributes the native engine makes on first read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .structs import Struct


def lazy_class(cls: type[Struct], fields: Mapping[str, Any]) -> type[Struct]:
    """A class for structs of ``cls`` that are not made yet; nothing but ``type()`` tells it from ``cls``.

    ``fields`` are the descriptors of all attributes (``messagegen_native``); their ``replace`` makes a copy with other
    values, in which the rest is not made if it is not made in the struct, and raises ``KeyError`` for an unknown
    attribute. The engine turns an object that is complete into one of ``cls``.
    """
    replace = next(iter(fields.values())).replace

    def __reduce_ex__(self: Struct, _: Any) -> tuple[object, ...]:  # noqa: N807 - becomes the method
        import copyreg

        new: object = vars(copyreg)["__newobj__"]  # what the pickles of all objects refer to
        return new, (cls,), (None, {name: getattr(self, name) for name in fields})

    def __replace__(self: Struct, /, **changes: Any) -> Struct:  # noqa: N807
        try:
            replaced: Struct = replace(self, changes)
        except KeyError as unknown:
            name = unknown.args[0]
            raise TypeError(f"{cls.__qualname__}.__init__() got an unexpected keyword argument {name!r}") from None
        except TypeError:
            # Making the arguments, or another thread, may have completed the struct: then it is one of the class
            # itself.
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
