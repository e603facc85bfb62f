"""A message of made-up values in one version: every field set, one element in each array, always the same."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from messagegen.plan import ops
from messagegen.plan.text import plan_text
from messagegen.plan.walkable import Plain, plain_classes
from messagegen.primitives import PRIMITIVES
from messagegen.runtime.plans import Plan, read_plan

_NUMBERS: Final = (
    ("Timestamp", 1_767_225_600_000),
    ("TimeMs", 1_767_225_600_000),
    ("Ms", 30_000),
    ("Bytes", 1_048_576),
    ("Offset", 42),
    ("Epoch", 5),
    ("ErrorCode", 0),
    ("Index", 0),
)
"""Values of integers by the end of a field's name; others are 1, as are those in too few bits for it."""
_STRINGS: Final = {"topicName": "orders", "groupId": "billing", "transactionalId": "payments"}
_VALUES: Final[dict[str, object]] = {
    "float": 0.5,
    "UUID": UUID("01234567-89ab-cdef-0123-456789abcdef"),
    "bytes": b"\x0a\x0b\x0c",
}
"""Values by the type in Python."""


class Samples:
    """Samples of one message; ``plan`` is its plan as the reference codec reads it."""

    def __init__(self, plan: ops.MessagePlan) -> None:
        self._plan = plan
        self._classes = plain_classes(plan)
        self.plan: Plan = read_plan(plan_text(plan), self._classes)

    def message(self, version: int) -> Plain:
        """The sample in a version that the message has."""
        return self._struct(dict(self._plan.roots)[version])

    def _struct(self, index: int) -> Plain:
        layout = self._plan.layouts[index]
        struct = self._plan.structs[layout.struct]
        made = self._classes[struct.class_name]()
        for number, codec in ops.fields_on_wire(layout):
            field = struct.fields[number]
            setattr(made, field.attribute, self._value(field, codec))
        return made

    def _value(self, field: ops.FieldPlan, codec: ops.Codec) -> object:
        match codec:
            case ops.ArrayCodec(element):
                return (self._value(field, element),)
            case ops.StructCodec(layout):
                return self._struct(layout)
            case ops.VariableCodec("string"):
                return _STRINGS.get(field.entity) or field.attribute.rstrip("_").rpartition("_")[2]
            case ops.VarintCodec(_, bits):
                return _number(field, bits)
            case ops.FixedCodec(kind) | ops.VariableCodec(kind):
                primitive = PRIMITIVES[kind]
                if primitive.python == "bool":
                    return not field.default
                if primitive.python in _VALUES:
                    return _VALUES[primitive.python]
                return _number(field, 8 * primitive.size)


def _number(field: ops.FieldPlan, bits: int) -> int:
    """A number that is not the default, so that a tagged field is written."""
    value = next((value for ending, value in _NUMBERS if field.name.endswith(ending)), 1)
    value = value if value < 1 << (bits - 1) else 1
    return value + (value == field.default and field.tag is not None)
