"""Values of fields as Python source: defaults, and the condition that a value is not the default."""

from __future__ import annotations

import math
from uuid import UUID

from messagegen.emit.literals import float_literal, text_literal
from messagegen.plan import ops


def default_name(class_name: str) -> str:
    """The constant with the default of struct fields."""
    return f"_{class_name}_default"


def default_text(field: ops.FieldPlan) -> str:
    """A field's default."""
    match field.default:
        case value if value is ops.EMPTY_ARRAY:
            return "()"
        case value if value is ops.EMPTY_STRUCT:
            return default_name(field.type)
        case UUID() as value:
            return f'_UUID("{value}")' if value.int else "_ZERO_UUID"
        case float() as value:
            # One object, because it equals itself in dataclasses.
            return (
                "_NAN" if math.isnan(value) else float_literal(value) if math.isfinite(value) else f'float("{value}")'
            )
        case str() as value:
            return text_literal(value)
        case bytes() as value:
            return repr(value) if value else 'b""'
        case value:
            return repr(value)


def differs(field: ops.FieldPlan) -> str:
    """The condition that a field is not its default, as in Apache's ``generateNonDefaultValueCheck``."""
    target = f"struct.{field.attribute}"
    match field.default:
        case None:
            return f"{target} is not None"
        case value if value is ops.EMPTY_ARRAY:
            return f"{target} is not _NOTHING and _wire.some({target})"
        case value if value is ops.EMPTY_STRUCT:
            # Mostly it is the default itself, which all messages share.
            return f"{target} is not {default_text(field)} and {target} != {default_text(field)}"
        case bytes():
            return f"_arrays.some_bytes({target})"
        case bool() as value:
            return f"{target} is not {value}"
        case _:
            return f"{target} != {default_text(field)}"
