"""The memory that array elements may take beyond what their bytes pay for: the project's only table of memory costs.

Every byte of a message pays for ``PAID_PER_BYTE`` bytes of memory. The charge of an array is a constant: the largest
cost that one of its elements can have, minus the bytes of memory that the element's own bytes pay for. A decoder takes
``charge x elements`` from the memory budget of the message before it creates the first element
(``docs/design/009-limits.md``).

The cost of an element is the cost of its Python objects or of its columns, whichever is larger. So decoding to
objects, lazy decoding and decoding to columns accept the same messages. The cost of objects is the number of bytes that
CPython 3.11 requests from its allocator, as ``tracemalloc`` reports them; newer versions need less. Arrays inside the
element and fields in tag sections have their own charges.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from messagegen.plan import ops
from messagegen.primitives import PRIMITIVES, Primitive
from messagegen.runtime.errors import DEFAULT_LIMITS, PAID_PER_BYTE

# Objects. The sizes of tuples and structs include the garbage collector's header.
_STRUCT: Final = 32
_SLOT: Final = 8
"""A field of a struct, or an element of a tuple."""
_TUPLE: Final = 40
_LIST_PLACE: Final = 9
"""An element of a growing list. Until an array is complete, it is a list, unless its elements are numbers."""
_SLEEPING: Final = 48
"""The position of a struct in a lazily decoded array."""
_INT: Final = 32
_LONG: Final = 36
"""An int of more than 60 bits."""
_BITS_OF_INT: Final = 60
_FLOAT: Final = 24
_UUID: Final = 100
"""The object and its int of 128 bits."""
_TEXT_OF_2_BYTES: Final = 76
"""The string with the highest cost per byte: one character outside Latin-1 that has two bytes in UTF-8."""
_BYTES_OF_2_BYTES: Final = 35
"""The bytes object with the highest cost per byte. Python caches shorter objects."""
_SHORTEST: Final = 2
"""The number of bytes of this string or this bytes object on the wire, without the length before them."""

# Lengths on the wire.
_INT16: Final = 2
_INT32: Final = 4
_SHORTEST_VARINT: Final = 1
"""Also the size of the mark before a nullable struct."""

# Unknown tagged fields. The most expensive one has a two-byte tag, a one-byte size and a two-byte value.
_UNKNOWN_TAG_SIZE: Final = 5
_SHORTEST_TAG: Final = 2
"""The minimum number of bytes of a tag and a size together."""

# Columns.
_COLUMN_GROWTH: Final = 3
"""While a column grows, its old and its doubled memory exist at the same time."""
_OFFSET_BITS: Final = 32
"""Columns of strings, bytes, arrays and maps have an offset for each row."""
_VALIDITY_BITS: Final = 1
_UNSIGNED_GROWTH: Final = 2
"""Columns store unsigned integers as signed integers of twice the size."""
_UUID_TEXT: Final = 36
"""Columns store uuids as text."""


def with_charges(plan: ops.MessagePlan) -> ops.MessagePlan:
    """Return the plan with the charge of each array, and the charge of each layout's tag sections."""
    return _Charges(plan).charged()


class _Charges:
    """Computes the charges of a plan, layout by layout, because each layout refers only to earlier layouts."""

    def __init__(self, plan: ops.MessagePlan) -> None:
        self.plan = plan
        self.struct_of_class = {struct.class_name: index for index, struct in enumerate(plan.structs)}
        self.column_bits: dict[int, int] = {}
        """The bits per row in the columns of a struct, except in nested arrays, by struct index."""
        self.objects: list[int] = []
        """The largest cost of the objects of a struct beyond what its bytes pay for, by layout index."""
        self.least_bytes: list[int] = []
        """The smallest number of bytes of a struct, by layout index."""

    def charged(self) -> ops.MessagePlan:
        layouts: list[ops.Layout] = []
        for layout in self.plan.layouts:
            self.objects.append(self.objects_of_struct(layout))
            codecs = [step.codec for step in ops.fields_in_order(layout)]
            self.least_bytes.append(sum(map(self.least, codecs)) + int(layout.flexible))
            layouts.append(self.charged_layout(len(layouts), layout))
        return replace(self.plan, layouts=tuple(layouts), small=self.small(layouts))

    def charged_layout(self, index: int, layout: ops.Layout) -> ops.Layout:
        return replace(
            layout,
            least_bytes=self.least_bytes[index],
            charge=self.element_charge(ops.StructCodec(index, nullable=False)),
            steps=tuple(map(self.charged_step, layout.steps)),
            tagged=tuple(replace(tagged, codec=self.charged_codec(tagged.codec)) for tagged in layout.tagged),
            tag_charge=self.tag_charge(layout) if layout.flexible else 0,
        )

    def charged_step(self, step: ops.Step) -> ops.Step:
        if isinstance(step, ops.RunStep):
            return step
        return replace(step, codec=self.charged_codec(step.codec))

    def charged_codec(self, codec: ops.Codec) -> ops.Codec:
        if not isinstance(codec, ops.ArrayCodec):
            return codec
        return replace(codec, charge=self.element_charge(codec.element))

    def element_charge(self, codec: ops.ElementCodec) -> int:
        return max(0, self.element_objects(codec), self.element_columns(codec))

    def tag_charge(self, layout: ops.Layout) -> int:
        """Return the largest cost of a field, known or unknown, in a tag section.

        Known fields take at least two bytes, for tag and size. Their columns count as columns of the struct.
        """
        section_and_field = _TUPLE + _TUPLE + 2 * _SLOT + _LIST_PLACE + _SLOT
        unknown = section_and_field + _INT + _BYTES_OF_2_BYTES - PAID_PER_BYTE * _UNKNOWN_TAG_SIZE
        known = [self.value_objects(tagged.codec) - PAID_PER_BYTE * _SHORTEST_TAG for tagged in layout.tagged]
        return max([unknown, *known])

    def small(self, layouts: list[ops.Layout]) -> int:
        """Return the largest size in bytes at which no message exceeds the default limits, whatever its contents."""
        rates = [layout.tag_charge / _SHORTEST_TAG for layout in layouts]
        for layout in layouts:
            for _, codec in ops.fields_on_wire(layout):
                if isinstance(codec, ops.ArrayCodec) and codec.charge:
                    least = self.least(codec.element)
                    rates.append(codec.charge / least if least else math.inf)
        surplus = DEFAULT_LIMITS.memory_factor - PAID_PER_BYTE
        most: int = DEFAULT_LIMITS.tagged_field_count * _SHORTEST_TAG
        highest = max(rates, default=0) - surplus
        return min(most, int(DEFAULT_LIMITS.memory_constant / highest)) if highest > 0 else most

    # Objects: the largest cost beyond what the bytes pay for, which may be negative.

    def element_objects(self, codec: ops.ElementCodec) -> int:
        value = self.value_objects(codec)
        if isinstance(codec, ops.FixedCodec) and codec.primitive.is_number:
            return _SLOT + value
        sleeping = _SLEEPING if ops.may_sleep(self.plan, codec) else 0
        return _SLOT + _LIST_PLACE + sleeping + value

    def value_objects(self, codec: ops.Codec) -> int:
        match codec:
            case ops.FixedCodec(kind):
                primitive = PRIMITIVES[kind]
                return _fixed_object(primitive) - PAID_PER_BYTE * primitive.size
            case ops.VarintCodec():
                # One byte is the most expensive length: not all such ints are cached, and longer varints pay for more.
                return _INT - PAID_PER_BYTE
            case ops.VariableCodec(kind):
                shortest = _TEXT_OF_2_BYTES if kind == "string" else _BYTES_OF_2_BYTES
                return max(0, shortest - PAID_PER_BYTE * _SHORTEST) - PAID_PER_BYTE * self.least(codec)
            case ops.StructCodec(layout, nullable):
                objects = self.objects[layout]
                return max(0, objects) - PAID_PER_BYTE if nullable else objects
            case ops.ArrayCodec():
                return _TUPLE - PAID_PER_BYTE * self.least(codec)

    def objects_of_struct(self, layout: ops.Layout) -> int:
        fields_and_unknown_tags = len(self.plan.structs[layout.struct].fields) + 1
        values = sum(self.value_objects(step.codec) for step in ops.fields_in_order(layout))
        tag_count = PAID_PER_BYTE if layout.flexible else 0
        return _STRUCT + _SLOT * fields_and_unknown_tags + values - tag_count

    # Columns: each field of a struct has one, even if the field is absent or tagged.

    def element_columns(self, codec: ops.ElementCodec) -> int:
        if isinstance(codec, ops.StructCodec):
            bits = _VALIDITY_BITS + self.struct_bits(self.plan.layouts[codec.layout].struct)
        elif isinstance(codec, ops.VarintCodec):
            bits = _VALIDITY_BITS + codec.bits
        else:
            bits = _VALIDITY_BITS + _primitive_bits(PRIMITIVES[codec.kind])
        return _bytes_of_bits(_COLUMN_GROWTH * bits) - PAID_PER_BYTE * self.least(codec)

    def struct_bits(self, index: int) -> int:
        if index not in self.column_bits:
            fields = self.plan.structs[index].fields
            unknown_tags = _VALIDITY_BITS + _OFFSET_BITS
            self.column_bits[index] = unknown_tags + sum(map(self.field_bits, fields))
        return self.column_bits[index]

    def field_bits(self, field: ops.FieldPlan) -> int:
        if field.type.startswith("[]"):
            return _VALIDITY_BITS + _OFFSET_BITS
        if field.type not in PRIMITIVES:
            return _VALIDITY_BITS + self.struct_bits(self.struct_of_class[field.type])
        return _VALIDITY_BITS + _primitive_bits(PRIMITIVES[field.type]) + 8 * _default_length(field.default)

    # Bytes on the wire

    def least(self, codec: ops.Codec) -> int:
        """Return the smallest number of bytes of a value."""
        match codec:
            case ops.FixedCodec(kind):
                return PRIMITIVES[kind].size
            case ops.VariableCodec("string", compact=False):
                return _INT16
            case ops.VariableCodec(compact=False) | ops.ArrayCodec(compact=False):
                return _INT32
            case ops.StructCodec(layout, nullable=False):
                return self.least_bytes[layout]
            case _:
                return _SHORTEST_VARINT


def _fixed_object(primitive: Primitive) -> int:
    """Return the largest cost of the Python object of a fixed-size value."""
    match primitive.python:
        case "bool":
            return 0
        case "float":
            return _FLOAT
        case "UUID":
            return _UUID
        case _:
            return _LONG if 8 * primitive.size > _BITS_OF_INT else _INT


def _primitive_bits(primitive: Primitive) -> int:
    """Return the bits of a value in its column, without the contents of strings and bytes."""
    match primitive.python:
        case "bool":
            return 1
        case "UUID":
            return _OFFSET_BITS + 8 * _UUID_TEXT
        case "str" | "bytes":
            return _OFFSET_BITS
        case _:
            bits = 8 * primitive.size
            return bits * _UNSIGNED_GROWTH if primitive.is_unsigned else bits


def _default_length(default: ops.PlanDefault) -> int:
    """Return the number of bytes of a default in its column, if it is a string or bytes, otherwise 0."""
    if isinstance(default, str):
        return len(default.encode())
    if isinstance(default, bytes):
        return len(default)
    return 0


def _bytes_of_bits(bits: int) -> int:
    return -(-bits // 8)
