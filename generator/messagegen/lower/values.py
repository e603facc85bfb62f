"""Names and expressions that several passes use: functions, ``struct`` formats, defaults."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final
from uuid import UUID

from messagegen.lower.literals import float_literal, text_literal
from messagegen.lower.ops import Expression, Format
from messagegen.plan import ops as planned
from messagegen.primitives import PRIMITIVES

_NAMES: Final = {"?": "t", "16s": "u"}
"""Names for formats that are not a single letter."""


def format_of(kinds: Iterable[str]) -> Format:
    """The format of consecutive values of constant size."""
    primitives = [PRIMITIVES[kind] for kind in kinds]
    return Format(
        "".join(_NAMES.get(primitive.format, primitive.format) for primitive in primitives),
        "".join(primitive.format for primitive in primitives),
        sum(primitive.size for primitive in primitives),
    )


def members(struct: planned.StructPlan, steps: Iterable[planned.FieldStep]) -> list[tuple[str, str]]:
    """The fields of a run, with their kinds."""
    return [
        (struct.fields[step.field].attribute, step.codec.kind)
        for step in steps
        if isinstance(step.codec, planned.FixedCodec)
    ]


def function_name(plan: planned.MessagePlan, layout: int) -> str:
    """The common part of the names of a layout's functions: its class and the lowest version that uses it."""
    body = plan.layouts[layout]
    return f"{plan.structs[body.struct].class_name}_v{body.versions[0].lowest}"


def default_name(class_name: str) -> str:
    """The constant with the default of struct fields."""
    return f"_{class_name}_default"


def is_numbers(codec: planned.Codec) -> bool:
    """Whether a value is an array of numbers or bools, which ``struct`` reads in one step."""
    return (
        isinstance(codec, planned.ArrayCodec)
        and isinstance(codec.element, planned.FixedCodec)
        and PRIMITIVES[codec.element.kind].is_number
    )


def default_of(field: planned.FieldPlan) -> Expression:
    """A field's default."""
    value = field.default
    if value is planned.EMPTY_ARRAY:
        return Expression("()")
    if value is planned.EMPTY_STRUCT:
        return Expression(default_name(field.type))
    if isinstance(value, UUID):
        return Expression(f'_UUID("{value}")', ("_UUID",)) if value.int else Expression("_ZERO_UUID", ("_ZERO_UUID",))
    if isinstance(value, float) and math.isnan(value):
        return Expression("_NAN", ("_NAN",))
    if isinstance(value, float) and math.isinf(value):
        return Expression("_INFINITY" if value > 0 else "-_INFINITY", ("_INFINITY",))
    if isinstance(value, str):
        return Expression(text_literal(value))
    if isinstance(value, bytes):
        return Expression(repr(value) if value else 'b""')
    if isinstance(value, float):
        return Expression(float_literal(value))
    return Expression(repr(value))


def differs(field: planned.FieldPlan) -> Expression:
    """The condition that a field is not its default, as in Apache's ``generateNonDefaultValueCheck``."""
    target, default = f"struct.{field.attribute}", field.default
    if default is None:
        return Expression(f"{target} is not None")
    if default is planned.EMPTY_ARRAY:
        return Expression(f"{target} is not _NOTHING and _some({target})", ("_NOTHING", "_some"))
    if isinstance(default, bytes):
        return Expression(f"_some_bytes({target})", ("_some_bytes",))
    if isinstance(default, bool):
        return Expression(f"{target} is not {default}")
    value = default_of(field)
    return Expression(f"{target} != {value.text}", value.names)
