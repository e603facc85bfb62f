"""Reads arrays of structs of constant size in one step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from messagegen.lower.ops import Block, Function, Op, reading


def rows(functions: tuple[Function, ...]) -> tuple[Function, ...]:
    """Adds a path that reads all elements at once, if they consist of a run and at most an empty tag section."""
    return tuple(replace(function, body=tuple(_body(function.body))) for function in functions)


def _body(block: Block) -> Iterator[Op]:
    for op in block:
        if isinstance(op, reading.ForCount) and (row := _rows(op)):
            yield row
            made, *others = op.block
            assert isinstance(made, reading.NewObject)
            yield replace(op, block=(replace(made, first=False), *others))
        else:
            yield op


def _rows(each: reading.ForCount) -> reading.ReadRows | None:
    match each.block:
        case (reading.NewObject() as made, *defaults, reading.ReadRun() as run, end, reading.Append() as append):
            if not all(isinstance(op, reading.SetDefault) for op in defaults):
                return None
            has_tags = isinstance(end, reading.TagSection)
            row = run.fields.then("x" * has_tags)
            block = (made, reading.SetRow(run.attributes), *defaults, reading.NoTags(), append)
            return reading.ReadRows(row, has_tags, block)
        case _:
            return None
