"""Explains each byte of a message: lists its parts, as the reference codec reads them."""

from messagegen.explain.explanation import Explanation, explain, may_be_sensitive
from messagegen.explain.report import as_json, table
from messagegen.explain.tracer import Part

__all__ = ["Explanation", "Part", "as_json", "explain", "may_be_sensitive", "table"]
