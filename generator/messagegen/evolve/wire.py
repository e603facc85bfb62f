"""Compares the wire format of two plans: the kind of a value, its length form, and whether it takes any bytes.

Names don't matter here. Two kinds are equal if and only if the bytes of one are read as the same value by the other.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from messagegen.plan import ops


@dataclass(frozen=True, slots=True)
class Slot:
    """The position of a field in one version: among the untagged fields (``tag`` is ``None``) or under its tag.

    ``empty`` says that no value of the field takes any bytes: a struct without fields in a version that is not flexible, or
    a tagged struct that always equals its default.
    """

    number: int
    tag: int | None
    codec: ops.Codec
    empty: bool


def kind(codec: ops.Codec) -> str:
    """The kind of a value, such as ``int32``, ``packed64``, ``[]string`` or ``struct``; records count as bytes."""
    match codec:
        case ops.FixedCodec(name):
            return name
        case ops.VarintCodec(form, bits):
            return f"{form}{bits}"
        case ops.VariableCodec(name):
            return "bytes" if name == "records" else name
        case ops.StructCodec():
            return "struct"
        case ops.ArrayCodec(element):
            return f"[]{kind(element)}"


def compact(codec: ops.Codec) -> tuple[bool, ...]:
    """Whether the lengths of a value and of its elements are compact."""
    match codec:
        case ops.VariableCodec(compact=own):
            return (own,)
        case ops.ArrayCodec(element, compact=own):
            return (own, *compact(element))
        case _:
            return ()


def nullable(codec: ops.Codec) -> bool:
    """Whether the value may be null."""
    match codec:
        case ops.VariableCodec(nullable=own) | ops.ArrayCodec(nullable=own):
            return own
        case ops.StructCodec(null_mark=mark):
            return mark != "never"
        case _:
            return False


def held_layout(codec: ops.Codec) -> int | None:
    """The layout of a struct value, or of struct elements."""
    if isinstance(codec, ops.ArrayCodec):
        codec = codec.element
    return codec.layout if isinstance(codec, ops.StructCodec) else None


def slots(plan: ops.MessagePlan, layout: ops.Layout) -> Iterator[Slot]:
    """The fields of a layout: untagged ones in wire order, then tagged ones by tag."""
    for step in layout.steps:
        for one in step.steps if isinstance(step, ops.RunStep) else (step,):
            yield Slot(one.field, None, one.codec, _takes_no_bytes(plan, one.codec))
    for tagged in layout.tagged:
        yield Slot(tagged.field, tagged.tag, tagged.codec, _has_one_value(plan, tagged.codec))


def signature(plan: ops.MessagePlan, codec: ops.Codec) -> str:
    """The wire format of a value as text, with structs expanded and without names: it stays the same if a field is renamed."""
    text = f"{kind(codec)}{'c' if True in compact(codec) else ''}{'?' if nullable(codec) else ''}"
    index = held_layout(codec)
    if index is None:
        return text
    inside = slots(plan, plan.layouts[index])
    return f"{text}({','.join(f'{slot.tag}={signature(plan, slot.codec)}' for slot in inside)})"


def same_default(old: object, new: object) -> bool:
    """Whether two defaults are the same value; 0.0 and -0.0 differ, and NaN equals NaN."""
    if isinstance(old, float) and isinstance(new, float):
        return (old != old and new != new) or struct.pack(">d", old) == struct.pack(">d", new)  # noqa: PLR0124 - NaN
    return old is new or (type(old) is type(new) and old == new)


def _takes_no_bytes(plan: ops.MessagePlan, codec: ops.Codec) -> bool:
    if not isinstance(codec, ops.StructCodec) or codec.null_mark != "never":
        return False
    layout = plan.layouts[codec.layout]
    return not layout.flexible and all(slot.empty for slot in slots(plan, layout))


def _has_one_value(plan: ops.MessagePlan, codec: ops.Codec) -> bool:
    """Whether a value can't differ from its default: a struct none of whose fields exists in this version."""
    if not isinstance(codec, ops.StructCodec) or codec.null_mark != "never":
        return False
    return all(_has_one_value(plan, slot.codec) for slot in slots(plan, plan.layouts[codec.layout]))
