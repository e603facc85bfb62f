"""What decoded values may cost beyond their bytes: the charges of straight-line code for each element of an array.

A charge is the maximum cost of a value of a codec, minus the memory factor's share of its bytes. As long as the charges of a
message stay within its memory constant, the message is within its limit, whatever its contents.
"""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.plan import ops
from messagegen.primitives import PRIMITIVES, Primitive
from messagegen.runtime import ARRAY, FACTOR, MEMORY_CONSTANT, TAG_CHARGE, costs
from messagegen.runtime import FEW as FEW  # noqa: PLC0414 - the text of codecs takes it from here


class Charges:
    """The charges of a message."""

    def __init__(self, plan: ops.MessagePlan) -> None:
        self.plan = plan
        self._structs: list[int] = []
        self.smallest: list[int] = []
        """The minimum number of bytes of a struct, by layout."""
        for layout in plan.layouts:
            self._structs.append(self._struct(layout))
            self.smallest.append(sum(self._least(step.codec) for step in ops.fields_in_order(layout)) + layout.flexible)

    def element(self, codec: ops.ElementCodec) -> int:
        """For an element of an array; nothing if its bytes always pay for it."""
        sleeps = isinstance(codec, ops.StructCodec) and ops.may_sleep(self.plan, codec)
        return max(0, costs.PLACE + costs.SLEEPING * sleeps + self._value(codec))

    def tag(self, layout: ops.Layout) -> int:
        """For a field of a layout's tag section: an unknown one, or the most expensive known one."""
        return max([TAG_CHARGE, *self._known_tags(layout)])

    def own(self) -> int:
        """For the message itself, without the elements of its arrays."""
        return max([0, *(self._structs[root] for _, root in self.plan.roots)])

    def small(self) -> int:
        """The number of bytes up to which no message can reach the default limits, whatever its contents."""
        rates = list(self._rates())
        if not all(size for _, size in rates):
            return 0
        left = MEMORY_CONSTANT - self.own()
        return max(0, int(left / max([1.0, *(charge / size for charge, size in rates)])))

    def _rates(self) -> Iterator[tuple[int, int]]:
        """Charges, and the minimum number of bytes for each."""
        for layout in self.plan.layouts:
            if layout.flexible:
                # The most expensive one for its bytes has none and is alone in its section.
                yield ARRAY + max([costs.EMPTY_TAG_CHARGE, *self._known_tags(layout)]), 2
            for _, codec in ops.fields_on_wire(layout):
                if isinstance(codec, ops.ArrayCodec):
                    is_text = isinstance(codec.element, ops.VariableCodec)
                    yield self.element(codec.element), 1 if is_text else self._least(codec.element)

    def _known_tags(self, layout: ops.Layout) -> Iterator[int]:
        return (self._value(tagged.codec) - 2 * FACTOR for tagged in layout.tagged)

    def _least(self, codec: ops.Codec) -> int:
        """The minimum number of bytes of a value."""
        match codec:
            case ops.FixedCodec(kind):
                return PRIMITIVES[kind].size
            case ops.VariableCodec(kind, compact=False):
                return 2 if kind == "string" else 4
            case ops.ArrayCodec(compact=False):
                return 4
            case ops.StructCodec(layout, nullable=False):
                return self.smallest[layout]
            case _:
                return 1

    def _struct(self, layout: ops.Layout) -> int:
        fields = len(self.plan.structs[layout.struct].fields)
        values = (self._value(step.codec) for step in ops.fields_in_order(layout))
        return costs.of_struct(fields) + sum(values) - FACTOR * layout.flexible

    def _value(self, codec: ops.Codec) -> int:
        match codec:
            case ops.FixedCodec(kind):
                return _fixed(PRIMITIVES[kind])
            case ops.VarintCodec(bits=bits):
                return (costs.INT64 if bits == 64 else costs.INT) - FACTOR
            case ops.VariableCodec():
                return _variable(codec)
            case ops.StructCodec(layout, nullable):
                return max(0, self._structs[layout]) - FACTOR * nullable
            case ops.ArrayCodec(element, compact):
                return _array(element, 1 if compact else 4)


def _fixed(primitive: Primitive) -> int:
    return costs.most(primitive.format) - FACTOR * primitive.size


def _variable(codec: ops.VariableCodec) -> int:
    """The most expensive ones are short: a non-ASCII character, two bytes."""
    length = 1 if codec.compact else 2 if codec.kind == "string" else 4
    empty = -FACTOR * length
    two = empty - 2 * FACTOR
    if codec.kind == "string":
        return max(empty, two + costs.TEXT + 2 * costs.TEXT_BYTE)
    return max(empty, two + costs.BYTES + 2)


def _array(element: ops.ElementCodec, length: int) -> int:
    """An array without its elements, except numbers that are read inline."""
    empty = -FACTOR * length
    if not isinstance(element, ops.FixedCodec) or not PRIMITIVES[element.kind].is_number:
        return empty + ARRAY
    number = costs.NUMBER_PLACE + _fixed(PRIMITIVES[element.kind])
    return empty + ARRAY + max(0, number) * (FEW - 1)
