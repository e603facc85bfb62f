"""Helpers shared by the reading and writing emitters: names of functions, and ``struct`` formats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from messagegen.emit.uses import Uses
from messagegen.plan import ops
from messagegen.primitives import Primitive

TWO_BYTES: Final = 128
"""The lowest varint of two bytes.

Generated code has the number itself: a name takes up to 4 % longer where strings are short.
"""


@dataclass(frozen=True, slots=True)
class Length:
    """A number that precedes a value, with its ``struct`` letter and its size in the simplest case.

    A ``compact`` length is a varint of the number + 1, and takes one byte if it is below ``TWO_BYTES``.
    """

    letter: str
    size: int
    compact: bool = False


INT16: Final = Length("h", 2)
INT32: Final = Length("i", 4)
COMPACT: Final = Length("B", 1, compact=True)


def length_of(codec: ops.Codec) -> Length | None:
    """Return the length before a value; ``None`` if ``struct`` can't read and write it with the preceding fields."""
    match codec:
        case ops.VariableCodec(compact=True):
            return COMPACT
        case ops.VariableCodec(kind="string"):
            return INT16
        case ops.VariableCodec():
            return INT32
        case ops.ArrayCodec(ops.FixedCodec() as element, compact) if element.primitive.is_number:
            return COMPACT if compact else INT32
        case _:
            return None


def primitives_of(steps: Iterable[ops.FieldStep]) -> list[Primitive]:
    """Return the types of fields of constant size."""
    return [step.codec.primitive for step in steps if isinstance(step.codec, ops.FixedCodec)]


def format_of(steps: Iterable[ops.FieldStep]) -> tuple[str, int]:
    """Return the ``struct`` format of fields of constant size, and its number of bytes."""
    primitives = primitives_of(steps)
    letters = "".join(primitive.format for primitive in primitives)
    return letters, sum(primitive.size for primitive in primitives)


def local_variable(field: int) -> str:
    """Return the local variable with the value of a field whose name is long."""
    return f"field{field}"


def layout_name(plan: ops.MessagePlan, layout: int, use: Uses) -> str:
    """Return the common part of the names of a layout's functions: the class, and the layout's lowest version."""
    body = plan.layouts[layout]
    return f"{use.class_(plan.structs[body.struct].class_name)}_v{body.versions[0].lowest}"
