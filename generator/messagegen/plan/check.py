"""What every plan must satisfy, whatever made it; a violation is a bug in the builder, not in a spec."""

from __future__ import annotations

from collections.abc import Iterator

from messagegen.plan import ops

_INTEGERS = frozenset({"int16", "int32", "int64"})


class PlanError(AssertionError):
    """A plan that breaks an invariant."""


def check_plan(plan: ops.MessagePlan) -> None:
    """Raises ``PlanError`` with every broken invariant of a plan."""
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
    steps = [*ops.field_steps(layout), *((tagged.field, tagged.codec) for tagged in layout.tagged)]
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
        if isinstance(step, ops.FieldStep) == isinstance(_codec_of(step), ops.FixedCodec):
            yield "a run is not made of values of constant size, or such a value stands outside a run"
    for field, codec in steps:
        yield from (
            f"{struct.fields[field].name}: {problem}" for problem in _codec(plan, number, struct.fields[field], codec)
        )


def _codec_of(step: ops.Step) -> ops.Codec:
    if isinstance(step, ops.FieldStep):
        return step.codec
    variable = [member.codec for member in step.steps if not isinstance(member.codec, ops.FixedCodec)]
    return variable[0] if variable or not step.steps else step.steps[0].codec


def _codec(plan: ops.MessagePlan, number: int, field: ops.FieldPlan, codec: ops.Codec) -> Iterator[str]:
    if isinstance(codec, ops.ArrayCodec):
        if not field.type.startswith("[]"):
            yield "an array codec on a single value"
        if codec.nullable and not field.nullable:
            yield "null on the wire, but not in the field"
        codec = codec.element
    element_type = field.type.removeprefix("[]")
    if isinstance(codec, ops.StructCodec):
        if codec.layout >= number:
            yield "refers to a layout that is not above it"
        elif plan.structs[plan.layouts[codec.layout].struct].class_name != element_type:
            yield "refers to a layout of another struct"
    elif not _carries(codec, element_type):
        yield f"{codec} can't carry {element_type}"
    elif isinstance(codec, ops.VariableCodec) and codec.nullable and not field.nullable:
        yield "null on the wire, but not in the field"


def _carries(codec: ops.FixedCodec | ops.VarintCodec | ops.VariableCodec, type_: str) -> bool:
    if isinstance(codec, ops.VarintCodec):
        return type_ in _INTEGERS
    return codec.kind == type_ or {codec.kind, type_} <= _INTEGERS
