"""Selects the operations of each layout, value by value, in wire order."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.lower.ops import Function
from messagegen.lower.select.reading import readers
from messagegen.lower.select.writing import writers
from messagegen.plan import ops as planned


def select(plan: planned.MessagePlan) -> tuple[Function, ...]:
    """The functions of all layouts, for single structs, arrays of structs, or both."""
    return tuple(_functions(plan))


def _functions(plan: planned.MessagePlan) -> Iterator[Function]:
    single, many = _uses(plan)
    for index in range(len(plan.layouts)):
        if index in single | many:
            yield from readers(plan, index, one=index in single, many=index in many)
            yield from writers(plan, index, one=index in single, many=index in many)


def _uses(plan: planned.MessagePlan) -> tuple[set[int], set[int]]:
    """The layouts of single structs (including the message itself), and those of structs in arrays."""
    single = {root for _, root in plan.roots}
    many: set[int] = set()
    for layout in plan.layouts:
        for _, codec in planned.fields_on_wire(layout):
            if isinstance(codec, planned.StructCodec):
                single.add(codec.layout)
            elif isinstance(codec, planned.ArrayCodec) and isinstance(codec.element, planned.StructCodec):
                many.add(codec.element.layout)
    return single, many
