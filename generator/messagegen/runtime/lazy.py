"""Lazily decoded messages: the subclasses whose attributes the native engine makes on first read. Loaded with the first of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from .structs import Struct

    class LazyField(Protocol):
        """The descriptor of an attribute (``messagegen_native``)."""

        def copy(self, instance: Any, /) -> Any:
            """A copy of a struct, in which nothing is made that is not made in the struct."""
            ...


def lazy_class(cls: type[Struct], fields: Mapping[str, LazyField]) -> type[Struct]:
    """A class for structs of ``cls`` that are not made yet; nothing but ``type()`` tells it from ``cls``.

    ``fields`` are the descriptors of all attributes. The engine turns an object that is complete into one of ``cls``.
    """
    copy = next(iter(fields.values())).copy

    def __reduce_ex__(self: Struct, _: Any) -> tuple[object, ...]:  # noqa: N807 - becomes the method
        import copyreg

        new: object = vars(copyreg)["__newobj__"]  # what the pickles of all objects refer to
        return new, (cls,), (None, {name: getattr(self, name) for name in fields})

    def __replace__(self: Struct, /, **changes: Any) -> Struct:  # noqa: N807
        replaced: Struct = copy(self)
        for name, value in changes.items():
            if name not in fields:
                raise TypeError(f"{cls.__qualname__}.__init__() got an unexpected keyword argument {name!r}")
            setattr(replaced, name, value)
        return replaced

    body: dict[str, Any] = {
        **fields,
        "__slots__": (),
        "__doc__": cls.__doc__,
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__class__": property(lambda _: cls),
        "__reduce_ex__": __reduce_ex__,
        "__replace__": __replace__,
    }
    return type(cls.__name__, (cls,), body)
