"""Parses message specs into a frozen model (``model``) and findings."""

from messagegen.spec.error_codes import ErrorCodesSpec, check_beside_error_codes, parse_error_codes
from messagegen.spec.parsing import Parsed, parse
from messagegen.spec.rules import PURPOSES, RULES, check_together
from messagegen.spec.structure import ERROR_CODES, MESSAGE_SPEC, schema_text

__all__ = [
    "ERROR_CODES",
    "MESSAGE_SPEC",
    "PURPOSES",
    "RULES",
    "ErrorCodesSpec",
    "Parsed",
    "check_beside_error_codes",
    "check_together",
    "parse",
    "parse_error_codes",
    "schema_text",
]
