"""JSON with comments as a tree with positions: the one parser of specs, for reading them and for changing their text."""

from __future__ import annotations

from messagegen.jsonc.edits import Edit, apply_edits
from messagegen.jsonc.parser import parse_json
from messagegen.jsonc.problems import JsonError
from messagegen.jsonc.tree import Array, Comment, Container, Document, Object, Part, Position, Scalar, Value, plain

__all__ = [
    "Array",
    "Comment",
    "Container",
    "Document",
    "Edit",
    "JsonError",
    "Object",
    "Part",
    "Position",
    "Scalar",
    "Value",
    "apply_edits",
    "parse_json",
    "plain",
]
