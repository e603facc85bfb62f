"""What each byte of a message means: the tree of its parts, as the reference codec reads them."""

from __future__ import annotations

from messagegen.explain.explanation import Explanation, Problem, may_be_sensitive
from messagegen.explain.parts import explain_body, explain_request, explain_response
from messagegen.explain.records import explain_key, explain_named, explain_value
from messagegen.explain.tree import Kind, Node

__all__ = [
    "Explanation",
    "Kind",
    "Node",
    "Problem",
    "explain_body",
    "explain_key",
    "explain_named",
    "explain_request",
    "explain_response",
    "explain_value",
    "may_be_sensitive",
]
