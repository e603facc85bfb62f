"""Message specs: text -> frozen model and findings."""

from messagegen.spec.model import (
    ArrayType,
    Default,
    EmptyDefault,
    Encoding,
    EncodingForm,
    EntityType,
    FieldSpec,
    FieldType,
    MessageKind,
    MessageSpec,
    Place,
    Position,
    PrimitiveType,
    StructSpec,
    StructType,
    Width,
)
from messagegen.spec.parsing import ParsedSpec, parse
from messagegen.spec.rules import Rule
from messagegen.spec.structure import schema_text
from messagegen.spec.together import check_together

__all__ = [
    "ArrayType",
    "Default",
    "EmptyDefault",
    "Encoding",
    "EncodingForm",
    "EntityType",
    "FieldSpec",
    "FieldType",
    "MessageKind",
    "MessageSpec",
    "ParsedSpec",
    "Place",
    "Position",
    "PrimitiveType",
    "Rule",
    "StructSpec",
    "StructType",
    "Width",
    "check_together",
    "parse",
    "schema_text",
]
