"""Parts of specs in words, as findings and reports show them."""

from __future__ import annotations

from messagegen.plan import ops
from messagegen.spec.model import ArrayType, FieldType, StructType
from messagegen.spec.report import quoted


def shape(type_: FieldType) -> str:
    """A type in words in which all structs are one type."""
    prefix, element = ("[]", type_.element) if isinstance(type_, ArrayType) else ("", type_)
    return f"{prefix}{'struct' if isinstance(element, StructType) else element}"


def default_text(value: ops.PlanDefault) -> str:
    """A default as people read it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    return "empty" if value in {ops.EMPTY_ARRAY, ops.EMPTY_STRUCT, b""} else str(value)
