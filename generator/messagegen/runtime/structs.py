"""Structs: groups of fields with equality, a hash and a ``repr``.

They are dataclasses: ``dataclass`` adds slots to a class, and the standard library adds everything else. Type checkers
see frozen dataclasses (PEP 681). At run time they are not frozen, because freezing would make decoding twice as slow.
The standard library's decorator runs when a class is first compared, hashed, printed, constructed or inspected:
importing ``dataclasses`` takes longer than importing a message, and decoding does not need it.

Several threads may complete the same class at the same time (``docs/design/025-threads.md``).
"""

from __future__ import annotations

from . import part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field
    from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

    S = TypeVar("S", bound="Value")
    T = TypeVar("T")
else:

    def dataclass_transform(**_: bool) -> Callable[[T], T]:
        """Replace ``typing.dataclass_transform`` at run time, because only type checkers need it."""
        return lambda decorator: decorator

    class ClassVar:
        """Replaces ``typing.ClassVar`` until annotations are evaluated: importing ``typing`` takes too long."""

        def __class_getitem__(cls, type_: Any) -> Any:
            from typing import ClassVar as Real

            return Real[type_]


_LATE = ("__dataclass_fields__", "__dataclass_params__", "__init__")
"""The attributes that the standard library adds to a class when one of them is first read."""
_REPLACED = ("__eq__", "__hash__")
"""Further methods that the standard library adds to a class. Before that, a class has the methods of ``Value``.

These are plain functions instead of ``_Late`` attributes, because the interpreter ignores every exception that the
look-up of a special method raises.
"""
_TAGS = "unknown_tagged_fields"


class _Late:
    """An attribute of a struct class that the standard library creates on first access."""

    __slots__ = ("cls", "name")

    def __set_name__(self, cls: type[Any], name: str) -> None:
        self.cls = cls
        self.name = name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        value = _completed(self.cls)[self.name]
        return value if instance is None or not callable(value) else value.__get__(instance, owner)


class _Doc:
    """The docstring of a struct class with its fields, for ``help``. It is made on demand."""

    __slots__ = ("summary",)

    def __init__(self, summary: str) -> None:
        self.summary = summary

    def __get__(self, _: object, owner: type[Any]) -> str:
        from .fields import document

        return document(owner, self.summary)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def dataclass(cls: type[S]) -> type[S]:
    """Do the same as ``dataclass(slots=True, kw_only=True, unsafe_hash=True, match_args=False)``, but on first use.

    Every field needs a default. The class's own fields come before inherited fields.
    """
    own = {name: vars(cls)[name] for name in cls.__annotations__}
    body: dict[str, Any] = {
        **{name: _Late() for name in _LATE},
        **{name: vars(Value)[name] for name in _REPLACED},
        "__repr__": Value.__repr__ if cls.SENSITIVE else _repr_in_lines,
        **{name: value for name, value in vars(cls).items() if name not in (*own, "__dict__", "__weakref__")},
        "__doc__": cls.__doc__ and _Doc(cls.__doc__),
        "__qualname__": cls.__qualname__,
        "__slots__": tuple(own),
        "__defaults__": {**own, **getattr(cls, "__defaults__", {})},
        "__completed__": {},
    }
    made: Any = type(cls.__name__, cls.__bases__, body)
    return made  # type: ignore[no-any-return]  # the same class, made again


def _completed(cls: type[Any]) -> Mapping[str, Any]:
    """Add the attributes of the standard library's dataclass to a class, and return them by name.

    Each thread that needs the attributes creates them itself, and all threads use those of the first thread that is
    done. There is no lock, because the thread that holds it may not exist after a fork, or may be interrupted by the
    garbage collector, which needs the same lock.
    """
    # An import waits until no other thread is importing the module. `dataclasses` looks at `typing` without waiting.
    import dataclasses
    import typing as _  # noqa: F401

    try:
        if not cls.__completed__:
            cls.__completed__.setdefault("", _made(cls, dataclasses.dataclass))
        completed: Mapping[str, Any] = cls.__completed__[""]
    except AttributeError as error:
        # `hasattr` and similar functions would take an AttributeError to mean that the attribute is missing.
        raise RuntimeError(f"{cls.__qualname__} cannot be made a dataclass: {error}") from error
    for name in _LATE:
        if type(vars(cls)[name]) is _Late:
            setattr(cls, name, completed[name])
    for name in _REPLACED:
        if vars(cls)[name] is vars(Value)[name]:
            setattr(cls, name, completed[name])
    return completed


def _made(cls: type[Any], standard_dataclass: Callable[..., Any]) -> Mapping[str, Any]:
    """Let the standard library create a class with the same fields, and return its attributes."""
    annotations: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        annotations.update(getattr(base, "__annotations__", {}))
    defaults: dict[str, object] = cls.__defaults__
    body = {
        "__annotations__": {name: annotations[name] for name in defaults},
        "__doc__": cls.__name__,
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        **defaults,
    }
    decorate = standard_dataclass(slots=True, kw_only=True, unsafe_hash=True, match_args=False)
    decorated: type[object] = decorate(type(cls.__name__, (), body))
    made: Mapping[str, Any] = vars(decorated)
    for name in cls.SENSITIVE:
        # If a subclass is decorated, its __repr__ would otherwise include the field.
        made["__dataclass_fields__"][name].repr = False
    return {name: made[name] for name in (*_LATE, *_REPLACED)}


def _completed_of(value: Value) -> Mapping[str, Any]:
    """Complete the struct class of a value, or its base class, and return the added attributes."""
    return _completed(next(cls for cls in type(value).__mro__ if "__completed__" in vars(cls)))


class Value:
    """A group of fields that is compared, hashed and printed by content. Decorate subclasses with ``dataclass``."""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
        __defaults__: ClassVar[dict[str, object]]
        SENSITIVE: ClassVar[Mapping[str, tuple[str, ...]]]
        """Fields that ``repr`` and errors hide, each with the fields that decide whether it is hidden.

        These are the name of a config and, optionally, flags. If there are none, the field is always hidden.

        ``dataclasses.asdict``, ``to_json`` without ``redact``, and pickles contain the values.
        """

    else:
        __slots__ = ()
        SENSITIVE = {}
        __match_args__ = ()

    def __eq__(self, other: object) -> bool:
        equal: bool = _completed_of(self)["__eq__"](self, other)
        return equal

    def __hash__(self) -> int:
        hashed: int = _completed_of(self)["__hash__"](self)
        return hashed

    def __replace__(self, **changes: Any) -> Self:
        """Return a copy with changed fields; ``copy.replace`` calls this method since Python 3.13."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__dataclass_fields__}, **changes})

    def __getstate__(self) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        """Return attributes that have no slot, and the fields: for copies, and for pickles of all protocols."""
        state: Any = object.__getstate__(self)
        return state if type(state) is tuple else (state, {})  # pyright: ignore[reportUnknownVariableType]

    def __setstate__(self, state: tuple[dict[str, Any] | None, dict[str, Any]]) -> None:
        """Set the fields to values from a pickle; fields that an older class lacked get their defaults.

        Raises ``TypeError`` for a field that this class lacks.
        """
        others, values = state
        for name in values:
            if name not in self.__defaults__ and not hasattr(type(self), name):
                cls = type(self).__qualname__
                raise TypeError(f"{cls} has no field {name!r}; the pickle is of another version of the class")
        for name, value in {**self.__defaults__, **values}.items():
            object.__setattr__(self, name, value)
        if others is not None:
            self.__dict__.update(others)

    def __repr__(self) -> str:
        texts = {name: repr(getattr(self, name)) for name in self.__dataclass_fields__}
        if texts.get(_TAGS) == "()":
            del texts[_TAGS]
        if self.SENSITIVE:
            texts = part("secrets").hide(self, texts)
        return f"{type(self).__qualname__}({', '.join(f'{name}={text}' for name, text in texts.items())})"


def _repr_in_lines(self: Value) -> str:
    return Value.__repr__(self)


def _created_repr(self: Value) -> str:
    return Value.__repr__(self)


# pprint puts each field on its own line, and shows all fields, only if the function seems to be the standard library's.
_created_repr.__qualname__ = "__create_fn__.<locals>.__repr__"
_repr_in_lines.__wrapped__ = _created_repr  # type: ignore[attr-defined]


@dataclass
class Struct(Value):
    """A struct of a message.

    ``unknown_tagged_fields`` are tagged fields from a newer sender, as (tag, bytes) pairs; encoding keeps them.
    """

    unknown_tagged_fields: tuple[tuple[int, bytes], ...] = ()


def as_class(cls: type[S], struct: Value) -> S:
    """Return a struct as an instance of ``cls``, a subclass of its class. Fields that only ``cls`` has get defaults."""
    made = object.__new__(cls)
    for name, field in cls.__dataclass_fields__.items():
        object.__setattr__(made, name, getattr(struct, name) if name in cls.__defaults__ else field.default)
    return made
