"""Values of fields as Python source: defaults, and the condition that a value is not the default."""

from __future__ import annotations

import math
from uuid import UUID

from messagegen.emit.literals import float_literal, text_literal
from messagegen.emit.uses import LONG, Uses
from messagegen.plan import ops


def default_name(class_name: str) -> str:
    """Return the constant with the default of struct fields."""
    return f"_default_{class_name}"


def default_source(field: ops.FieldPlan, use: Uses) -> str:
    """Return a field's default as an expression in Python: a name or a short literal.

    A long literal becomes a constant. If the field has a long name, so does a call such as ``float("inf")``.
    """
    has_room = len(field.attribute) <= LONG
    match field.default:
        case value if value is ops.EMPTY_ARRAY:
            return "()"
        case value if value is ops.EMPTY_STRUCT:
            return default_name(use.class_(field.type))
        case UUID(int=0):
            return use.ZERO_UUID
        case UUID() as value:
            source = f'{use.UUID}("{value}")'
            return source if has_room else use.literal(source)
        case float() as value if math.isnan(value):
            # Use one object: before Python 3.13, dataclasses with the same NaN object are equal.
            return use.NAN
        case float() as value if math.isinf(value):
            source = f'float("{value}")'
            return source if has_room else use.literal(source)
        case float() as value:
            return float_literal(value)
        case str() as value:
            source = text_literal(value)
            return source if len(source) <= LONG else use.text(value)
        case b"":
            return 'b""'
        case value:
            return repr(value)


def differs(field: ops.FieldPlan, value: str, known: str, use: Uses) -> str:
    """Return the condition that ``value`` differs from the default of ``field``. The default must equal itself.

    The identity is compared first, because calling a function takes longer. ``known`` is the default object, if equal
    values are mostly this object.
    """
    if field.default is None or isinstance(field.default, bool):
        return f"{value} is not {known}"
    compared = f"not {use.wire}.is_default({value}, {known or default_source(field, use)})"
    return f"{value} is not {known} and {compared}" if known else compared


def known_default(field: ops.FieldPlan, use: Uses) -> str:
    """Return an expression for a field's default object; empty if equal values are mostly other objects.

    Python has one object for each small integer, and for the empty string. Comparing identities is faster, and a value
    may be any object, whose ``==`` need not agree with the bytes that are written for it.
    """
    match field.default:
        case value if value is ops.EMPTY_ARRAY:
            return use.NOTHING
        case value if value is ops.EMPTY_STRUCT:
            return default_source(field, use)
        case None | bool() as value:
            return str(value)
        case int() as value:
            return use.integer(value)
        case "":
            return use.EMPTY
        case UUID(int=0):
            return use.ZERO_UUID
        case _:
            return ""
