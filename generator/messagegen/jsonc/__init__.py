"""JSON with comments as a tree with positions: the only parser of specs, for reading and for formatting them."""

from messagegen.jsonc.parser import parse_json
from messagegen.jsonc.tree import (
    Array,
    Comment,
    Container,
    Document,
    JsonError,
    Object,
    Part,
    Position,
    Scalar,
    Value,
    plain,
)

__all__ = [
    "Array",
    "Comment",
    "Container",
    "Document",
    "JsonError",
    "Object",
    "Part",
    "Position",
    "Scalar",
    "Value",
    "parse_json",
    "plain",
]
