"""Lets equal consecutive arrays of numbers in a struct share a tuple, as replicas and in-sync replicas often can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from messagegen.lower.ops import Block, Function, Op, map_blocks, reading
from messagegen.primitives import PRIMITIVES

_INTEGERS: Final = {primitive.format for primitive in PRIMITIVES.values() if primitive.python == "int"}


def share(functions: tuple[Function, ...]) -> tuple[Function, ...]:
    """Adds a comparison after each array that is preceded by one of the same type."""
    return tuple(replace(function, body=map_blocks(function.body, _block)) for function in functions)


def _block(block: Block) -> Block:
    arrays = sum(isinstance(op, reading.ReadNumbers) for op in block)
    return tuple(_shared(block)) if arrays > 1 else block


def _shared(block: Block) -> Iterator[Op]:
    latest: reading.ReadNumbers | None = None
    for op in block:
        yield op
        if isinstance(op, reading.ReadNumbers):
            # Equal floats and bools may have different bytes.
            if latest and latest.number == op.number and op.number.letters in _INTEGERS:
                yield reading.ShareTuple(op.attribute, latest.attribute, op.number)
            latest = op
