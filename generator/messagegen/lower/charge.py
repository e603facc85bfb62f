"""Charges the allowance for arrays and tag sections, and rejects too many elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from messagegen.lower.charges import Charges
from messagegen.lower.ops import Block, Function, Op, map_blocks, reading
from messagegen.plan import ops as planned
from messagegen.runtime import costs

_CREDIT: Final = 4 * costs.FACTOR
"""The memory that the bytes of the smallest shared number would have paid for."""


def charge(plan: planned.MessagePlan, functions: tuple[Function, ...]) -> tuple[Function, ...]:
    """Adds limits to functions; ``docs/design/009-limits.md`` describes allowances."""
    charges = Charges(plan)
    return tuple(
        _Charging(plan, charges, function).charged() if function.kind.startswith("decode") else function
        for function in functions
    )


class _Charging:
    """Charges a function."""

    def __init__(self, plan: planned.MessagePlan, charges: Charges, function: Function) -> None:
        self.charges = charges
        self.function = function
        self.layout = plan.layouts[function.layout]
        struct = plan.structs[self.layout.struct]
        self.codecs = {struct.fields[field].attribute: codec for field, codec in planned.fields_on_wire(self.layout)}
        self.each = charges.element(planned.StructCodec(function.layout, "never"))

    def charged(self) -> Function:
        body = map_blocks(self.function.body, lambda block: tuple(map(self.op, block)))
        if self.function.kind == "decode many":
            body = tuple(_credited(body))
        return replace(self.function, body=body)

    def op(self, op: Op) -> Op:
        match op:
            case reading.ReadArray(attribute):
                codec = self.codecs[attribute]
                assert isinstance(codec, planned.ArrayCodec)
                return replace(op, charge=self.charges.element(codec.element))
            case reading.ReadTags():
                return replace(op, charge=self.charges.tag(self.layout))
            case reading.UnlessCounted(block):
                return replace(op, block=(*block, *self.checks()))
            case _:
                return op

    def checks(self) -> Iterator[Op]:
        function = self.function
        if self.charges.smallest[self.function.layout] == 0:
            yield reading.CheckBytesLeft()
        counted = reading.ReadCounted(
            "_read_leaves" if self.charges.is_leaf(self.layout) else "_read_structs",
            function.name,
            function.keeps_views,
            function.layout,
            self.each,
        )
        yield reading.ChargeArray(self.each, (counted,))


def _credited(body: Block) -> Iterator[Op]:
    for op in body:
        if isinstance(op, reading.ForCount) and any(map(_saves, op.block)):
            yield reading.StartCredit()
            yield replace(op, block=tuple(_counted(op.block)))
            yield reading.GiveCredit(_CREDIT)
        else:
            yield op


def _saves(op: Op) -> bool:
    """Whether numbers that share a tuple have at least the four bytes that are credited."""
    return isinstance(op, reading.ShareTuple) and op.number.size >= 4


def _counted(block: Block) -> Iterator[Op]:
    """The block with numbers counted if their tuple is dropped: only short arrays, because readers charge long ones themselves."""
    for op, following in zip(block, (*block[1:], None), strict=True):
        if following and _saves(following):
            assert isinstance(op, reading.ReadNumbers)
            assert isinstance(following, reading.ShareTuple)
            yield replace(op, few=(replace(following, counted=True),), many=(following,))
        elif not _saves(op):
            yield op
