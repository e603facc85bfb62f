"""The fields of a struct version by version, for tables and histories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from messagegen.plan import ops


@dataclass(frozen=True, slots=True)
class OnWire:
    """A field in one version: its type, or its encoding where it has one (KIP-625), and whether it is nullable and tagged."""

    type: str
    nullable: bool
    tagged: bool


def on_wire(plan: ops.MessagePlan, struct: int) -> Mapping[int, Mapping[int, OnWire]]:
    """Each field of a struct, by its number, in each version of the message that has it."""
    found: dict[int, dict[int, OnWire]] = {number: {} for number in range(len(plan.structs[struct].fields))}
    for layout in plan.layouts:
        if layout.struct == struct:
            tagged = {one.field for one in layout.tagged}
            for field, codec in ops.fields_on_wire(layout):
                one = OnWire(_type(plan.structs[struct].fields[field], codec), _nullable(codec), field in tagged)
                found[field].update((version, one) for versions in layout.versions for version in versions)
    return found


def _type(field: ops.FieldPlan, codec: ops.Codec) -> str:
    element = codec.element if isinstance(codec, ops.ArrayCodec) else codec
    array = "[]" if isinstance(codec, ops.ArrayCodec) else ""
    if isinstance(element, ops.VarintCodec):
        return f"{array}{element.form}{element.bits}"
    return f"{array}{element.kind}" if isinstance(element, ops.FixedCodec) else field.type


def _nullable(codec: ops.Codec) -> bool:
    if isinstance(codec, ops.StructCodec):
        return codec.null_mark != "never"
    return isinstance(codec, ops.VariableCodec | ops.ArrayCodec) and codec.nullable
