"""Operations: what generated code does, one after the other, as data only.

A function is a tuple of operations, and an operation may hold blocks of others. They work on local variables whose names are the
same in every function: ``struct`` is the object, ``data`` the bytes that are read and ``pos`` the position in them, ``value`` what is written,
``out`` the bytes that it is appended to, and ``length``, ``count`` and ``mark`` are what was read or measured last. Texts in operations are Python names and expressions, ready to be placed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal, dataclass_transform

LENGTH_SIZE: Final = {"B": 1, "h": 2, "i": 4}
"""The bytes of a length by its ``struct`` letter; ``B`` is a compact one, as long as it takes one byte."""


ConstantKind = Literal["unpack", "pack", "rows", "unpackers", "packers"]
"""What a constant made of a ``struct`` format does: ``_unpack_hi`` reads an int16 and an int32."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A Python expression, and the names in it that the module has to import or define."""

    text: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A ``struct`` format: its name in constants, its letters and its number of bytes."""

    name: str
    letters: str
    size: int

    def then(self, letter: str) -> Format:
        """The format with a length or a pad byte (``x``) after it; none where there is no letter."""
        return Format(self.name + letter, self.letters + letter, self.size + LENGTH_SIZE.get(letter, len(letter)))


INT16: Final = Format("h", "h", 2)
"""The format of lengths of strings."""
INT32: Final = Format("i", "i", 4)
"""The format of counts and of lengths of bytes."""


@dataclass(frozen=True, slots=True)
class Length:
    """A length or count: its ``struct`` letter, and how many bytes of it the position is behind already."""

    letter: str
    behind: int

    @property
    def compact(self) -> bool:
        """Whether it is one more than what it counts, as a varint."""
        return self.letter == "B"

    @property
    def ahead(self) -> int:
        """How many bytes of it are ahead of the position."""
        return LENGTH_SIZE[self.letter] - self.behind


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Op:
    """An operation: a frozen dataclass. What it needs of its module follows from its kind and its fields.

    ``imported`` are names that every one of the kind needs. The others are fields: ``named`` hold names or expressions, ``called``
    functions of the module, ``constants`` formats by the kind of constant that is made of them, ``holds`` blocks.
    """

    imported: ClassVar[tuple[str, ...]] = ()
    named: ClassVar[tuple[str, ...]] = ()
    called: ClassVar[tuple[str, ...]] = ()
    constants: ClassVar[tuple[tuple[ConstantKind, str], ...]] = ()
    holds: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def names(self) -> tuple[str, ...]:
        """The names that it needs of other modules, blocks left aside."""
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
    """One function of a layout; ``keeps_views`` if it takes the buffer of which views may be kept."""

    name: str
    kind: FunctionKind
    layout: int
    keeps_views: bool
    body: Block


def map_blocks(block: Block, change: Callable[[Block], Block]) -> Block:
    """The block and all blocks in it, each as ``change`` leaves it, the innermost first."""
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
