"""Structs are dataclasses: ``dataclass`` adds slots to a class, and the standard library adds everything else.

Type checkers see frozen dataclasses (PEP 681). At run time they are not frozen, because that makes decoding twice as slow.
The standard library's decorator runs when a class is first compared, hashed, printed, constructed or inspected: importing
``dataclasses`` takes longer than importing a message, and decoding does not need it.
"""

from __future__ import annotations

import sys

from . import part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from dataclasses import Field
    from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

    K = TypeVar("K")
    S = TypeVar("S", bound="Value")
    T = TypeVar("T")
else:

    def dataclass_transform(**_: bool) -> Callable[[T], T]:
        """Replaces ``typing.dataclass_transform``, which only type checkers need."""
        return lambda decorator: decorator


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


_LATE = ("__dataclass_fields__", "__dataclass_params__", "__eq__", "__hash__", "__init__", "__repr__")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def dataclass(cls: type[T]) -> type[T]:
    """Does the same as ``dataclasses.dataclass(slots=True, kw_only=True, unsafe_hash=True, match_args=False)``, but later.

    Every field needs a default. Fields of the class come before inherited ones.
    """
    body: dict[str, Any] = dict(vars(cls))
    own = {name: body.pop(name) for name in cls.__annotations__}
    for name in ("__dict__", "__weakref__"):
        body.pop(name, None)
    body["__slots__"] = slots = _Slots(dict.fromkeys(own))
    body["__defaults__"] = {**own, **getattr(cls, "__defaults__", {})}
    for name in _LATE:
        body.setdefault(name, _Late())
    remade: Any = type(cls.__name__, cls.__bases__, body)
    made: type[T] = remade
    made.__qualname__ = cls.__qualname__
    slots.cls = made
    return made


class _Slots(dict[str, None]):
    """The slots of a class with what ``help`` shows of them: the texts of the spec, which are read from the plan when they are asked for."""

    cls: type[Any]

    def __getitem__(self, name: str) -> Any:
        from json import loads

        plan = getattr(sys.modules.get(self.cls.__module__), "_PLAN", "")
        about = f" :about {name} "
        lines = plan.partition(f"\nstruct {self.cls.__name__}\n")[2].partition("\nstruct ")[0].splitlines()
        return next((loads(line.removeprefix(about)) for line in lines if line.startswith(about)), None)


def _complete(cls: type[Any]) -> None:
    """Has the standard library create a class with the same fields, and copies the results."""
    from dataclasses import dataclass as standard_dataclass

    annotations: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        annotations.update(getattr(base, "__annotations__", {}))
    defaults: dict[str, object] = cls.__defaults__
    body = {
        "__annotations__": {name: annotations[name] for name in defaults},
        "__doc__": cls.__doc__ or cls.__name__,
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        **defaults,
    }
    decorate = standard_dataclass(slots=True, kw_only=True, unsafe_hash=True, match_args=False)
    model = dict(vars(decorate(type(cls.__name__, (), body))))
    for name in cls.SENSITIVE:
        # For the decorator of a subclass, whose __repr__ would include it.
        model["__dataclass_fields__"][name].repr = False
    model["__repr__"] = _repr_like(model["__repr__"], wraps=not cls.SENSITIVE)
    for name in _LATE:
        if type(vars(cls)[name]) is _Late:
            setattr(cls, name, model[name])


def _repr_like(generated: Any, *, wraps: bool) -> Callable[[Value], str]:
    """``__repr__`` of a class. If it wraps the generated one, pprint breaks lines at fields and shows all of them."""

    def __repr__(self: Value) -> str:  # noqa: N807 - becomes the method
        shown = [f"{name}={value!r}" for name, value, *_ in self.__rich_repr__() if value or name != _TAGS]
        return f"{type(self).__qualname__}({', '.join(shown)})"

    __repr__.__qualname__ = generated.__qualname__
    if wraps:
        __repr__.__wrapped__ = generated.__wrapped__  # type: ignore[attr-defined]  # functools.wraps sets it so
    return __repr__


_TAGS = "unknown_tagged_fields"


class Value:
    """A group of fields that compares, hashes and prints by content. Subclasses are made with ``dataclass``."""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
        __defaults__: ClassVar[dict[str, object]]
        SENSITIVE: ClassVar[Mapping[str, tuple[str, ...]]]
        """Fields that ``repr`` and errors hide: always, or depending on the fields named with them (a config's name, a flag)."""

        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    else:
        __slots__ = ()
        SENSITIVE = {}
        __match_args__ = ()
        __pydantic_config__ = {"arbitrary_types_allowed": True}  # memoryviews

    def __replace__(self, **changes: Any) -> Self:
        """Called by ``copy.replace`` since Python 3.13."""
        return type(self)(**{**{name: getattr(self, name) for name in self.__dataclass_fields__}, **changes})

    def __rich_repr__(self) -> Iterator[tuple[str, object] | tuple[str, object, object]]:
        """The fields for rich, like ``__repr__``: those that have a value, unknown tagged fields only if there are any."""
        value_of: Callable[[Value, str], Any] = getattr
        if self.SENSITIVE:
            value_of = part("secrets").shown_value
        for name in self.__dataclass_fields__:
            try:
                value: object = value_of(self, name)
            except AttributeError:
                continue  # It was not decoded.
            yield (name, value, ()) if name == _TAGS else (name, value)


@dataclass
class Struct(Value):
    """A struct of a message. ``unknown_tagged_fields`` are those of a newer sender, as (tag, bytes), and are kept when encoding."""

    unknown_tagged_fields: tuple[tuple[int, bytes], ...] = ()


def default_of(cls: type[S]) -> S:
    """An instance with the defaults of all fields, created without a constructor call."""
    made = object.__new__(cls)
    for name, value in made.__defaults__.items():
        object.__setattr__(made, name, value)
    return made


def as_class(cls: type[S], struct: Value) -> S:
    """A struct as an instance of a subclass of its class; fields that were not decoded stay so."""
    made = object.__new__(cls)
    for name, field in cls.__dataclass_fields__.items():
        if name not in cls.__defaults__:
            value = field.default
        elif hasattr(struct, name):
            value = getattr(struct, name)
        else:
            continue
        object.__setattr__(made, name, value)
    return made


def index_by(elements: Iterable[T], key: Callable[[T], K]) -> dict[K, T]:
    """The elements by key; if keys are equal, the first element wins, as in Kafka's own collections."""
    index: dict[K, T] = {}
    for element in elements:
        index.setdefault(key(element), element)
    return index
