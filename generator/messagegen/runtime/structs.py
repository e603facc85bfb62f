"""Structs: values of fields with equality, a hash and a ``repr``.

They are dataclasses: ``dataclass`` adds slots to a class, and the standard library adds everything else. Type checkers
see frozen dataclasses (PEP 681). At run time they are not frozen, because that makes decoding twice as slow. The
standard library's decorator runs when a class is first compared, hashed, printed, constructed or inspected: importing
``dataclasses`` takes longer than importing a message, and decoding does not need it.
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
        """Replaces ``typing.dataclass_transform``, which only type checkers need."""
        return lambda decorator: decorator

    class ClassVar:
        """Becomes ``typing.ClassVar`` where annotations are evaluated: importing ``typing`` takes too long."""

        def __class_getitem__(cls, type_: Any) -> Any:
            from typing import ClassVar as Real

            return Real[type_]


_LATE = ("__dataclass_fields__", "__dataclass_params__", "__eq__", "__hash__", "__init__", "__repr__")
"""The attributes that the standard library adds to a class."""
_TAGS = "unknown_tagged_fields"


class _Late:
    """An attribute of a struct class that the standard library creates on first access."""

    __slots__ = ("cls", "name")

    def __set_name__(self, cls: type[Any], name: str) -> None:
        self.cls = cls
        self.name = name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        _complete(self.cls)
        value = vars(self.cls)[self.name]
        return value if instance is None or not callable(value) else value.__get__(instance, owner)


class _Doc:
    """The docstring of a struct class with its fields, which ``help`` shows; made when it is asked for."""

    __slots__ = ("summary",)

    def __init__(self, summary: str) -> None:
        self.summary = summary

    def __get__(self, _: object, owner: type[Any]) -> str:
        from .describe import document

        return document(owner, self.summary)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def dataclass(cls: type[T]) -> type[T]:
    """Does the same as ``dataclass(slots=True, kw_only=True, unsafe_hash=True, match_args=False)``, but later.

    Every field needs a default. Fields of the class come before inherited ones.
    """
    own = {name: vars(cls)[name] for name in cls.__annotations__}
    body: dict[str, Any] = {
        **{name: _Late() for name in _LATE},
        **{name: value for name, value in vars(cls).items() if name not in (*own, "__dict__", "__weakref__")},
        "__doc__": cls.__doc__ and _Doc(cls.__doc__),
        "__qualname__": cls.__qualname__,
        "__slots__": tuple(own),
        "__defaults__": {**own, **getattr(cls, "__defaults__", {})},
    }
    made: Any = type(cls.__name__, cls.__bases__, body)
    return made  # type: ignore[no-any-return]  # the same class, made again


def _complete(cls: type[Any]) -> None:
    """Has the standard library create a class with the same fields, and copies the results."""
    from dataclasses import dataclass as standard_dataclass

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
    model = dict(vars(decorate(type(cls.__name__, (), body))))
    for name in cls.SENSITIVE:
        # For the decorator of a subclass, whose __repr__ would include it.
        model["__dataclass_fields__"][name].repr = False
    # This tells pprint to break lines at fields, of which it shows all.
    _repr_in_lines.__wrapped__ = model["__repr__"].__wrapped__  # type: ignore[attr-defined]
    model["__repr__"] = Value.__repr__ if cls.SENSITIVE else _repr_in_lines
    for name in _LATE:
        if type(vars(cls)[name]) is _Late:
            setattr(cls, name, model[name])


class Value:
    """A group of fields that compares, hashes and prints by content. Subclasses are made with ``dataclass``."""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
        __defaults__: ClassVar[dict[str, object]]
        SENSITIVE: ClassVar[Mapping[str, tuple[str, ...]]]
        """Fields that ``repr`` and errors hide: always, or depending on the fields named with them.

        Those are the name of a config and a flag.

        ``dataclasses.asdict``, ``to_json`` without ``redact``, and pickles have their values.
        """

    else:
        __slots__ = ()
        SENSITIVE = {}
        __match_args__ = ()

    def __replace__(self, **changes: Any) -> Self:
        """Called by ``copy.replace`` since Python 3.13."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__dataclass_fields__}, **changes})

    def __repr__(self) -> str:
        texts = {name: repr(getattr(self, name)) for name in self.__dataclass_fields__}
        if texts.get(_TAGS) == "()":
            del texts[_TAGS]
        if self.SENSITIVE:
            texts = part("secrets").hide(self, texts)
        return f"{type(self).__qualname__}({', '.join(f'{name}={text}' for name, text in texts.items())})"


def _repr_in_lines(self: Value) -> str:
    return Value.__repr__(self)


@dataclass
class Struct(Value):
    """A struct of a message.

    ``unknown_tagged_fields`` are those of a newer sender, as (tag, bytes), and are kept when encoding.
    """

    unknown_tagged_fields: tuple[tuple[int, bytes], ...] = ()


def as_class(cls: type[S], struct: Value) -> S:
    """A struct as an instance of a subclass of its class, whose own fields have their defaults."""
    made = object.__new__(cls)
    for name, field in cls.__dataclass_fields__.items():
        object.__setattr__(made, name, getattr(struct, name) if name in cls.__defaults__ else field.default)
    return made
