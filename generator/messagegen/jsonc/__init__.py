"""JSON with comments as a tree that keeps comments and offsets, for tools that change the text of a spec."""

from messagegen.jsonc.edits import Edit, apply_edits
from messagegen.jsonc.parser import TreeError, parse_tree
from messagegen.jsonc.tree import Comment, Container, Document, Part, Scalar, Value

__all__ = [
    "Comment",
    "Container",
    "Document",
    "Edit",
    "Part",
    "Scalar",
    "TreeError",
    "Value",
    "apply_edits",
    "parse_tree",
]
