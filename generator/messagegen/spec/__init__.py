"""Parses message specs into a frozen model and findings."""

from messagegen.jsonc import Position
from messagegen.spec.error_codes import (
    ErrorCodesSpec,
    ErrorSpec,
    ParsedErrorCodes,
    check_beside_error_codes,
    parse_error_codes,
)
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
    StructSpec,
    StructType,
    Width,
)
from messagegen.spec.parsing import ParsedSpec, parse
from messagegen.spec.rules import Rule
from messagegen.spec.structure import ERROR_CODES, MESSAGE_SPEC, is_schema, schema_text
from messagegen.spec.together import check_together

__all__ = [
    "ERROR_CODES",
    "MESSAGE_SPEC",
    "ArrayType",
    "Default",
    "EmptyDefault",
    "Encoding",
    "EncodingForm",
    "EntityType",
    "ErrorCodesSpec",
    "ErrorSpec",
    "FieldSpec",
    "FieldType",
    "MessageKind",
    "MessageSpec",
    "ParsedErrorCodes",
    "ParsedSpec",
    "Place",
    "Position",
    "Rule",
    "StructSpec",
    "StructType",
    "Width",
    "check_beside_error_codes",
    "check_together",
    "is_schema",
    "parse",
    "parse_error_codes",
    "schema_text",
]
