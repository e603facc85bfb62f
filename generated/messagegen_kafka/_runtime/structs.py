"""What makes a class body of annotated defaults into a struct: slots, a keyword-only constructor, and value semantics.

Type checkers see frozen dataclasses (PEP 681). At run time the classes are plain slotted ones, because a frozen dataclass
makes decoding twice as slow, and they are built without the ``dataclasses`` module, because importing it takes longer than
everything else here together. ``dataclasses.fields``, ``replace`` and ``asdict`` work nevertheless: what they need is made
when they ask for it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import Field
    from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

    K = TypeVar("K")
    T = TypeVar("T")
else:

    def dataclass_transform(**_: bool) -> Callable[[T], T]:
        """Stands in for ``typing.dataclass_transform``, which only type checkers need."""
        return lambda cls: cls


class _DataclassFields:
    """Gives the ``dataclasses`` module the fields of a struct class, made on first use."""

    def __get__(self, instance: object, owner: type) -> dict[str, Field[Any]]:
        from dataclasses import field, make_dataclass

        annotations: dict[str, Any] = {}
        for base in reversed(owner.__mro__):
            annotations.update(vars(base).get("__annotations__", {}))
        fields = [
            (name, annotations.get(name, "object"), field(default=default, kw_only=True))
            for name, default in vars(owner)["__defaults__"].items()
        ]
        made: dict[str, Field[Any]] = vars(make_dataclass(owner.__name__, fields))["__dataclass_fields__"]
        type.__setattr__(owner, "__dataclass_fields__", made)
        return made


@dataclass_transform(kw_only_default=True, frozen_default=True)
class StructMeta(type):
    """Turns the defaults of a class body into slots and a constructor; names in capitals stay class constants."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> StructMeta:
        """Makes the class; its fields are the public names of its body that are neither constants nor functions."""
        own = {
            key: value
            for key, value in namespace.items()
            if key[0] != "_" and not key.isupper() and not callable(value) and not isinstance(value, classmethod)
        }
        for key in own:
            del namespace[key]
        namespace["__slots__"] = tuple(own)
        inherited = getattr(bases[0], "__defaults__", {}) if bases else {}
        defaults = {**own, **inherited}
        namespace["__defaults__"] = defaults
        namespace["__match_args__"] = ()
        _add_constructor(namespace, defaults)
        return super().__new__(mcs, name, bases, namespace)


def _add_constructor(namespace: dict[str, Any], defaults: dict[str, object]) -> None:
    """Compiles ``__init__`` and the tuple of all values; the names come from the class body, so they are identifiers."""
    parameters = ", ".join(f"{name}=_defaults[{name!r}]" for name in defaults)
    body = "".join(f"\n    self.{name} = {name}" for name in defaults)
    values = "".join(f"self.{name}, " for name in defaults)
    source = f"def __init__(self, *, {parameters}):{body}\ndef _values(self):\n    return ({values})"
    functions: dict[str, Any] = {"_defaults": defaults}
    exec(source, functions)  # noqa: S102 - the text is made above
    for name in ("__init__", "_values"):
        function = functions[name]
        function.__module__ = namespace["__module__"]
        function.__qualname__ = f"{namespace['__qualname__']}.{name}"
        namespace[name] = function


class StructBase:
    """Equality, hash and text by content."""

    __slots__ = ()

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
        __defaults__: ClassVar[dict[str, object]]

        def _values(self) -> tuple[object, ...]:
            """All values in order; made by the metaclass."""
            ...

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self):
            return self._values() == other._values()
        return NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __replace__(self, **changes: Any) -> Self:
        """What ``copy.replace`` calls from Python 3.13 on."""
        return type(self)(**{**dict(zip(self.__defaults__, self._values(), strict=True)), **changes})

    def __repr__(self) -> str:
        values = zip(self.__defaults__, self._values(), strict=True)
        shown = [f"{name}={value!r}" for name, value in values if value or name != "unknown_tagged_fields"]
        return f"{type(self).__qualname__}({', '.join(shown)})"


type.__setattr__(StructBase, "__dataclass_fields__", _DataclassFields())


class Struct(StructBase, metaclass=StructMeta):
    """A group of fields. ``unknown_tagged_fields`` are those of a newer sender, as (tag, bytes), kept for whoever reads on."""

    unknown_tagged_fields: tuple[tuple[int, bytes], ...] = ()


def index_by(elements: Iterable[T], key: Callable[[T], K]) -> dict[K, T]:
    """The elements by key; of elements with equal keys the first, as in Kafka's own collections."""
    index: dict[K, T] = {}
    for element in elements:
        index.setdefault(key(element), element)
    return index
