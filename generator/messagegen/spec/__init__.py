"""Parses message specs into a frozen model (``model``) and findings."""

from messagegen.spec.error_codes import ErrorCodesSpec, check_beside_error_codes, parse_error_codes
from messagegen.spec.message_rules import check_together
from messagegen.spec.parsing import ParsedSpec, parse
from messagegen.spec.rules import Rule
from messagegen.spec.structure import ERROR_CODES, MESSAGE_SPEC, schema_text

__all__ = [
    "ERROR_CODES",
    "MESSAGE_SPEC",
    "ErrorCodesSpec",
    "ParsedSpec",
    "Rule",
    "check_beside_error_codes",
    "check_together",
    "parse",
    "parse_error_codes",
    "schema_text",
]
