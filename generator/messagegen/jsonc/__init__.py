"""Parses JSON with comments to a tree with positions. It is the only JSON parser for specs, to read or format them."""

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
