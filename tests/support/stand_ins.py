"""Substitutes for plain values. ``encode`` accepts both, and writes the same bytes."""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NoReturn
from uuid import UUID


class _Contrary:
    """Equals nothing, so that a codec can't rely on ``==``."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


class Index(_Contrary):
    """An integer that is not an ``int``, such as NumPy's integers."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


class Fraction(_Contrary):
    """A float that is not a ``float``."""

    __slots__ = ("number",)

    def __init__(self, number: float) -> None:
        self.number = number

    def __float__(self) -> float:
        return self.number


def _fail(*_: object) -> NoReturn:
    raise AssertionError("a method of a subclass was called")


_not_asked: Any = _fail
"""Replaces a method of a subclass. It is typed as ``Any``, so that type checkers do not compare signatures."""


class Integer(_Contrary, int):
    """A subclass of ``int``."""

    __slots__ = ()
    __int__ = _not_asked


class Real(_Contrary, float):
    """A subclass of ``float``."""

    __slots__ = ()
    __float__ = __int__ = _not_asked


class Text(_Contrary, str):
    """A subclass of ``str``."""

    __slots__ = ()
    encode = _not_asked


class Binary(_Contrary, bytes):
    """A subclass of ``bytes``."""

    __slots__ = ()
    __bytes__ = _not_asked


class Key(_Contrary, UUID):
    """A subclass of ``UUID``."""

    __slots__ = ()


class Row(_Contrary, tuple[Any, ...]):
    """A subclass of ``tuple``."""

    __slots__ = ()
    __iter__ = __len__ = _not_asked


class Sequence(_Contrary, list[Any]):  # type: ignore[misc]
    """A subclass of ``list``."""

    __slots__ = ()
    __iter__ = __len__ = _not_asked


def _mapped(data: bytes) -> mmap.mmap:
    """Return the bytes in anonymous memory, which belongs to no file."""
    mapped = mmap.mmap(-1, len(data))
    mapped[:] = data
    return mapped


def _every_second(data: bytes) -> memoryview:
    """Return a view whose bytes are not adjacent."""
    doubled = bytes(byte for each in data for byte in (each, 0))
    return memoryview(doubled)[::2]


_BUFFERS: tuple[Callable[[bytes], Any], ...] = (
    bytearray,
    memoryview,
    Binary,
    lambda data: array("B", data),
    _every_second,
)


class StandIns:
    """Replaces values with other values that have the same encoding.

    With ``subclasses``, structs and uuids become instances of subclasses, which ``messagegen_native.Engine`` leaves to
    the walk. ``share`` is the fraction of values that are replaced.
    """

    def __init__(self, random: Random, *, subclasses: bool = False, share: float = 0.7) -> None:
        self.random = random
        self.subclasses = subclasses
        self.share = share

    def value(self, value: Any) -> Any:
        """Return a substitute for a value, or for a struct and everything in it."""
        if hasattr(value, "__defaults__"):
            return self.struct(value)
        if type(value) is tuple:
            return self.array(tuple(map(self.value, value)))
        if self.random.random() >= self.share:
            return value
        match value:
            case bool() | None:
                return value
            case int():
                return self._integer(value)
            case float():
                return self._float(value)
            case str():
                return Text(value)
            case bytes():
                return self._buffer(value)
            case UUID():
                return Key(int=value.int) if self.subclasses else value
        raise TypeError(f"no field has a value of type {type(value).__name__}")

    def array(self, items: tuple[Any, ...]) -> Any:
        """Return an array with the same elements."""
        if self.random.random() >= self.share:
            return items
        return self.random.choice((list, list, Row, Sequence))(items)

    def struct(self, struct: Any) -> Any:
        """Return a struct with the same contents."""
        cls: Any = type(struct)
        made = (_subclass(cls) if self.subclasses and self.random.random() < self.share else cls)()
        for name in cls.__defaults__:
            held = getattr(struct, name)
            setattr(made, name, self.tags(held) if name == "unknown_tagged_fields" else self.value(held))
        return made

    def tags(self, fields: tuple[tuple[int, bytes], ...]) -> Any:
        """Return unknown tagged fields, each a pair of an ``int`` and bytes."""
        if self.random.random() >= self.share:
            return fields
        kinds: list[Any] = [tuple, list, Sequence]
        pairs = [self.random.choice(kinds[:2])([Integer(tag), self._buffer(data)]) for tag, data in fields]
        return self.random.choice(kinds)(pairs)

    def _integer(self, value: int) -> Any:
        choices: list[Any] = [Index(value), Integer(value)]
        if value in (0, 1):
            choices.append(bool(value))
        return self.random.choice(choices)

    def _float(self, value: float) -> Any:
        choices: list[Any] = [Fraction(value), Real(value)]
        if value.is_integer() and value:
            choices += [int(value), Index(int(value))]
        return self.random.choice(choices)

    def _buffer(self, value: bytes) -> Any:
        buffers = list(_BUFFERS)
        if value:
            buffers.append(_mapped)
        if not len(value) % 2:
            buffers.append(lambda data: array("H", data))
        return self.random.choice(buffers)(value)


@cache
def _subclass(cls: type[Any]) -> type[Any]:
    """Return a subclass of a struct that adds nothing."""
    return type(f"Own{cls.__name__}", (cls,), {"__slots__": (), "__module__": cls.__module__})
