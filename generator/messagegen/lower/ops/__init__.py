"""Operations: the steps of generated code, as data only.

A function is a tuple of operations, and an operation may contain blocks of others. They use local variables with the same
names in every function: ``struct`` is the object, ``data`` the bytes to read and ``pos`` the position in them, ``value`` the value
to write, ``out`` the bytes to append it to, and ``length``, ``count`` and ``mark`` are what was read or measured last. Texts in
operations are Python names and expressions, ready to be printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal, dataclass_transform

LENGTH_SIZE: Final = {"B": 1, "h": 2, "i": 4}
"""The size of a length by its ``struct`` letter; ``B`` is a compact length of one byte."""


ConstantKind = Literal["unpack", "pack", "rows", "unpackers", "packers"]
"""The kinds of constants for a ``struct`` format: ``_unpack_hi`` reads an int16 and an int32."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A Python expression, and the names in it that the module must import or define."""

    text: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A ``struct`` format: its name in constants, its letters and its number of bytes."""

    name: str
    letters: str
    size: int

    def then(self, letter: str) -> Format:
        """The format followed by a length or a pad byte (``x``), if there is a letter."""
        return Format(self.name + letter, self.letters + letter, self.size + LENGTH_SIZE.get(letter, len(letter)))


INT16: Final = Format("h", "h", 2)
"""The format of lengths of strings."""
INT32: Final = Format("i", "i", 4)
"""The format of counts and of lengths of bytes."""


@dataclass(frozen=True, slots=True)
class Length:
    """A length or count: its ``struct`` letter, and how many of its bytes the position has passed."""

    letter: str
    behind: int

    @property
    def compact(self) -> bool:
        """Whether it is one more than what it counts, as a varint."""
        return self.letter == "B"

    @property
    def ahead(self) -> int:
        """How many of its bytes are after the position."""
        return LENGTH_SIZE[self.letter] - self.behind


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Op:
    """An operation: a frozen dataclass. Its kind and fields determine what it needs from its module.

    ``imported`` are names that every operation of the kind needs. The others name fields: ``named`` those with names or
    expressions, ``called`` with functions of the module, ``constants`` with formats by kind of constant, ``holds`` with blocks.
    """

    imported: ClassVar[tuple[str, ...]] = ()
    named: ClassVar[tuple[str, ...]] = ()
    called: ClassVar[tuple[str, ...]] = ()
    constants: ClassVar[tuple[tuple[ConstantKind, str], ...]] = ()
    holds: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def names(self) -> tuple[str, ...]:
        """The names that it needs from other modules, excluding blocks."""
        if not self.named:
            return self.imported
        values = [getattr(self, field) for field in self.named]
        return self.imported + tuple(
            name for value in values if value for name in (value.names if isinstance(value, Expression) else (value,))
        )

    def calls(self) -> tuple[str, ...]:
        """The functions of the module that it calls."""
        return tuple([getattr(self, field) for field in self.called]) if self.called else ()

    def formats(self) -> tuple[tuple[ConstantKind, Format], ...]:
        """The constants that it needs, by their kinds and formats."""
        if not self.constants:
            return ()
        return tuple([(kind, one) for kind, field in self.constants if (one := getattr(self, field))])

    def blocks(self) -> list[tuple[str, Block]]:
        """The blocks in it, by name."""
        return [(name, getattr(self, name)) for name in self.holds]


Block = tuple[Op, ...]


FunctionKind = Literal["decode one", "decode many", "decode tags", "encode one", "encode many"]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a layout; ``keeps_views`` if it takes the buffer for views."""

    name: str
    kind: FunctionKind
    layout: int
    keeps_views: bool
    body: Block


def map_blocks(block: Block, change: Callable[[Block], Block]) -> Block:
    """The block with ``change`` applied to it and all blocks in it, innermost first."""
    return change(tuple([_with_blocks(op, change) if op.holds else op for op in block]))


def _with_blocks(op: Op, change: Callable[[Block], Block]) -> Op:
    mapped = [(name, block, map_blocks(block, change)) for name, block in op.blocks() if block]
    changes: dict[str, Any] = {name: new for name, block, new in mapped if new != block}
    return replace(op, **changes) if changes else op


def walk(block: Block) -> list[Op]:
    """Every operation of a block and of the blocks in it, in order."""
    found: list[Op] = []
    for op in block:
        found.append(op)
        for name in op.holds:
            found += walk(getattr(op, name))
    return found
