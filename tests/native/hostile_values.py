"""Values that look like what a field holds without being it, and objects that lie about themselves."""

from __future__ import annotations

import math
from array import array
from collections import UserList, deque
from collections.abc import Iterator, Sequence
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction
from types import SimpleNamespace
from typing import Any
from uuid import UUID


class Longer(list[Any]):
    """A list that says that it is longer than it is."""

    def __len__(self) -> int:
        return super().__len__() + 3


class Elsewhere(tuple[Any, ...]):
    """A tuple that shows other elements than it has."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return iter((7, 8, 9))

    def __bool__(self) -> bool:
        return False


class Growing(list[Any]):
    """A list with an element that makes it grow when it is looked at."""

    def __init__(self) -> None:
        super().__init__((1, _Grows(self), 3))


class _Grows:
    def __init__(self, owner: list[Any]) -> None:
        self.owner = owner

    def __index__(self) -> int:
        self.owner.append(5)
        return 2


class AlwaysEqual:
    """Equal to everything, unequal to nothing, and false."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __bool__(self) -> bool:
        return False


class Raises:
    """Raises whatever one asks it."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, error: type[Exception]) -> None:
        self.error = error

    def _raise(self, *_: object) -> Any:
        raise self.error("not today")

    __eq__ = __ne__ = __bool__ = __len__ = __iter__ = __index__ = __float__ = __getitem__ = _raise


class Posing:
    """Says that it is of another class."""

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __getattribute__(self, name: str) -> Any:
        return super().__getattribute__("cls" if name == "__class__" else name)

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Iterator[int]:
        return iter((1, 2))


class Odd(int):
    """An int that is equal to nothing and says that it is another one."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    def __index__(self) -> int:
        return 99

    def __int__(self) -> int:
        return 98


class Data(bytes):
    """Bytes that say that there are none of them."""

    def __len__(self) -> int:
        return 0

    def __bytes__(self) -> bytes:
        return b"others"


class Named(UUID):
    """A uuid of a class of its own."""


class Number(IntEnum):
    """An integer with a name."""

    ONE = 1


class Word(StrEnum):
    """A string with a name."""

    ONE = "one"


class Floating:
    """Something that stands for a float."""

    def __float__(self) -> float:
        return 2.5


def hostile_values(classes: Sequence[Any]) -> tuple[Any, ...]:
    """Such values, each new; ``classes`` are those of a message and its structs."""
    released = memoryview(b"gone")
    released.release()
    return (
        *(
            "false",
            "5",
            0,
            1,
            0.0,
            1.0,
            math.nan,
            math.inf,
            Decimal(1),
            Fraction(1, 2),
            1j,
            10**5000,
            10**400,
            -(10**400),
        ),
        *(set[int](), {1, 2}, frozenset((1,)), {1: 2}, {}.keys(), iter((1, 2)), (n for n in (1, 2)), range(2)),
        *(deque((1, 2)), UserList([1]), array("i", (1, 2)), bytearray(b"\1\2"), b"\1\2", "ab", "\udfff", "é" * 20_000),
        *(memoryview(array("i", (1, 2))), memoryview(array("d")), memoryview(b"abcdef")[::-2], released),
        *(memoryview(b"abcdef").cast("B", (2, 3)), memoryview(b"x" * 20)[4:9], Data(b"data")),
        *(
            Longer((1, 2)),
            Elsewhere((1, 2)),
            Elsewhere(),
            Longer(),
            Growing(),
            AlwaysEqual(),
            Odd(3),
            Number.ONE,
            Word.ONE,
        ),
        *(Raises(error) for error in (ValueError, TypeError, KeyError, RuntimeError, OverflowError, AttributeError)),
        *(Posing(kind) for kind in (tuple, list, str, bool, int, bytes, UUID, *classes)),
        *(SimpleNamespace(bytes=b"short", int=5, unknown_tagged_fields=()), Named(int=5), UUID(int=5), Floating()),
        *(((1000, memoryview(array("i", (1, 2)))),), ((1000, "text"),), ((1000, None),), ((1000,),), (1000, b""), None),
        *(
            ((Odd(1000), b""),),
            ((1000.0, b""),),
            ((True, b""),),
            [[1000, bytearray(b"x")]],
            (n for n in ((1000, b""),)),
        ),
        *((("1000", b"x"),), {1000: b"x"}, ((10**30, b""),), ((1000, b""), (1000, b""))),
        *(cls() for cls in classes),
        *((cls(),) for cls in classes),
        *([cls(), cls()] for cls in classes),
    )
