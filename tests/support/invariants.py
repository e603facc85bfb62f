"""Checks the invariants of plans. A violation is a bug in the plan builder, not in a spec."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from messagegen.plan import ops

_BITS: Final = {f"int{bits}": bits for bits in (16, 32, 64)}
"""The sizes in bits of the integer types that may have an encoding (KIP-625)."""


class PlanError(AssertionError):
    """A plan that breaks an invariant."""


def check_plan(plan: ops.MessagePlan) -> None:
    """Raise ``PlanError`` with all broken invariants of a plan."""
    broken = list(_broken(plan))
    if broken:
        raise PlanError(f"the plan of {plan.name} is broken: {'; '.join(broken)}")


def _broken(plan: ops.MessagePlan) -> Iterator[str]:
    for struct in plan.structs:
        attributes = [field.attribute for field in struct.fields]
        keys = [field.key for field in struct.fields]
        if len(set(attributes)) < len(attributes) or len(set(keys)) < len(keys):
            yield f"{struct.class_name} has two fields of one attribute or key"
    if [version for version, _ in plan.roots] != list(plan.valid_versions):
        yield "the roots are not the valid versions"
    if any(plan.layouts[root].struct != 0 for _, root in plan.roots):
        yield "a root is not a layout of the message"
    for number, layout in enumerate(plan.layouts):
        for problem in _layout(plan, number, layout):
            yield f"layout {number}: {problem}"


def _layout(plan: ops.MessagePlan, number: int, layout: ops.Layout) -> Iterator[str]:
    struct = plan.structs[layout.struct]
    steps = list(ops.fields_on_wire(layout))
    every = sorted([*(field for field, _ in steps), *layout.guarded, *layout.ignored])
    if every != list(range(len(struct.fields))):
        yield "some field is forgotten or there twice"
    tags = [tagged.tag for tagged in layout.tagged]
    if sorted({*tags, *layout.foreign_tags}) != sorted([*tags, *layout.foreign_tags]) or tags != sorted(tags):
        yield "the tags are not unique and ascending"
    if (layout.tagged or layout.foreign_tags) and not layout.flexible:
        yield "there are tags, but no tag section"
    if not layout.versions:
        yield "no version uses it"
    for step in layout.steps:
        if not _well_made(step):
            yield "a run is not made of values of constant size, or such a value stands outside a run"
    for field, codec in steps:
        yield from (
            f"{struct.fields[field].name}: {problem}" for problem in _codec(plan, number, struct.fields[field], codec)
        )


def _well_made(step: ops.Step) -> bool:
    if isinstance(step, ops.RunStep):
        return bool(step.steps) and all(isinstance(member.codec, ops.FixedCodec) for member in step.steps)
    return not isinstance(step.codec, ops.FixedCodec)


def _codec(plan: ops.MessagePlan, number: int, field: ops.FieldPlan, codec: ops.Codec) -> Iterator[str]:
    is_array = field.type.startswith("[]")
    if codec.nullable and not field.nullable:
        yield "null on the wire, but not in the field"
    if isinstance(codec, ops.ArrayCodec):
        if not is_array:
            yield "an array codec on a single value"
        if codec.element.nullable:
            yield "null as an element"
        yield from _element(plan, number, field.element_type, codec.element)
        return
    if is_array:
        yield "a single value's codec on an array"
    else:
        yield from _element(plan, number, field.type, codec)


def _element(plan: ops.MessagePlan, number: int, type_: str, codec: ops.ElementCodec) -> Iterator[str]:
    if isinstance(codec, ops.StructCodec):
        if codec.layout >= number:
            yield "refers to a layout that is not above it"
        elif plan.structs[plan.layouts[codec.layout].struct].class_name != type_:
            yield "refers to a layout of another struct"
    elif not _carries(codec, type_):
        yield f"{codec} can't carry {type_}"


def _carries(codec: ops.FixedCodec | ops.VarintCodec | ops.VariableCodec, type_: str) -> bool:
    if isinstance(codec, ops.VarintCodec):
        return type_ in _BITS and codec.bits <= _BITS[type_]
    if codec.kind in _BITS and type_ in _BITS:
        return _BITS[codec.kind] <= _BITS[type_]
    return codec.kind == type_
