"""Makes runs also read and write the length or tag count that follows them: one call instead of two."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from messagegen.lower.ops import LENGTH_SIZE, Block, Function, Op, map_blocks, reading, writing


def peek(functions: tuple[Function, ...]) -> tuple[Function, ...]:
    """The functions with lengths merged into the preceding runs.

    A run at the end of a struct also writes the empty tag section, if it has no known tags.
    """
    return tuple(replace(function, body=map_blocks(function.body, _block)) for function in functions)


def _block(block: Block) -> Block:
    if not any(isinstance(op, reading.ReadRun | writing.PackRun) for op in block):
        return block
    result: list[Op] = []
    rest = list(block)
    while rest:
        op = rest.pop(0)
        if isinstance(op, reading.ReadRun):
            conversions: list[Op] = []
            while rest and isinstance(rest[0], reading.MakeUuid):
                conversions.append(rest.pop(0))
            letter, name, rest = _length_of(rest)
            result += [replace(op, length=letter, length_name=name), *conversions]
        elif isinstance(op, writing.PackRun) and not op.letter and (sunk := _sink(op, tuple(rest))):
            rest = list(sunk)
        else:
            result.append(op)
    return tuple(result)


def _length_of(rest: list[Op]) -> tuple[str, Literal["", "length", "tag_count"], list[Op]]:
    """Letter and name of the length at the start of ``rest``, if any, and ``rest`` for a length that has been read."""
    match rest:
        case [reading.LookAtLength(), reading.ReadSized() | reading.ReadNumbers() as reader, *others]:
            return "B", "length", [replace(reader, length=replace(reader.length, behind=LENGTH_SIZE["B"])), *others]
        case [reading.ReadLength(format_), *others]:
            return format_.letters, "length", others
        case [reading.TagSection(block=(call,)) as section, *others] if isinstance(
            call, reading.CallTagDecoder | reading.ReadUnknownTags
        ):
            return (
                "B",
                "tag_count",
                [replace(section, peeked=True, block=(replace(call, behind=LENGTH_SIZE["B"]),)), *others],
            )
        case _:
            return "", "", rest


def _sink(run: writing.PackRun, rest: Block) -> Block | None:
    """``rest`` with a run merged with its first length, on every path to it; ``None`` if there is no length."""
    match rest:
        case [writing.PutLength(letter, value), *others]:
            return (replace(run, letter=letter, length=value), *others)
        case [writing.WriteUnknownTags() as tags, *others]:
            return (replace(run, letter="x"), replace(tags, packed=True), *others)
        case [writing.IfNone(null=null, block=block) as op, *others]:
            sunk, sunk_null = _sink(run, block), _sink(run, null)
            return (replace(op, null=sunk_null, block=sunk), *others) if sunk and sunk_null else None
        case [writing.IfShort(short=short, long=long) as op, *others]:
            sunk = _sink(run, short)
            return (replace(op, short=sunk, long=(run, *long)), *others) if sunk else None
        case [op, *others] if isinstance(op, _BEFORE_LENGTHS):
            sunk = _sink(run, tuple(others))
            return (op, *sunk) if sunk else None
        case _:
            return None


_BEFORE_LENGTHS = (
    writing.SetValue,
    writing.SetText,
    writing.CheckBytes,
    writing.CheckTuple,
    writing.CheckBools,
    writing.Measure,
)
"""Operations that may precede a length and write nothing."""
