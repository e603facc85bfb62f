"""What each byte of a message means: its parts, as the reference codec reads them."""

from __future__ import annotations

from messagegen.explain.explanation import (
    Explanation,
    Problem,
    explain_body,
    explain_request,
    explain_response,
    may_be_sensitive,
)
from messagegen.explain.tracer import Part

__all__ = [
    "Explanation",
    "Part",
    "Problem",
    "explain_body",
    "explain_request",
    "explain_response",
    "may_be_sensitive",
]
