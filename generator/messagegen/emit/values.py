"""Values of fields as Python source: defaults, and the condition that a value is not the default."""

from __future__ import annotations

import math
from uuid import UUID

from messagegen.emit.literals import float_literal, text_literal
from messagegen.emit.uses import Uses
from messagegen.plan import ops


def default_name(class_name: str) -> str:
    """The constant with the default of struct fields."""
    return f"_{class_name}_default"


def default_source(field: ops.FieldPlan, use: Uses) -> str:
    """A field's default as an expression in Python."""
    match field.default:
        case value if value is ops.EMPTY_ARRAY:
            return "()"
        case value if value is ops.EMPTY_STRUCT:
            return default_name(field.type)
        case UUID() as value:
            return f'{use.UUID}("{value}")' if value.int else use.ZERO_UUID
        case float() as value if math.isnan(value):
            # One object, because before Python 3.13 it equals itself in dataclasses.
            return use.NAN
        case float() as value if math.isinf(value):
            return f'float("{value}")'
        case float() as value:
            return float_literal(value)
        case str() as value:
            return text_literal(value)
        case b"":
            return 'b""'
        case value:
            return repr(value)


def differs(field: ops.FieldPlan, use: Uses) -> list[str]:
    """The conditions that are all true if a field is not its default, which must equal itself.

    Upstream: ``MessageDataGenerator.generateNonDefaultValueCheck``.
    """
    target = f"struct.{field.attribute}"
    match field.default:
        case None:
            return [f"{target} is not None"]
        case value if value is ops.EMPTY_ARRAY:
            return [f"{target} is not {use.NOTHING}", f"{use.wire}.some({target})"]
        case value if value is ops.EMPTY_STRUCT:
            # Mostly it is the default itself, which all messages share.
            default = default_source(field, use)
            return [f"{target} is not {default}", f"{target} != {default}"]
        case bytes():
            return [f"{use.arrays}.some_bytes({target})"]
        case bool() as value:
            return [f"{target} is not {value}"]
        case _:
            return [f"{target} != {default_source(field, use)}"]
