"""One layout for message specs: text -> the same spec in its layout, with its comments."""

from __future__ import annotations

from messagegen.findings import SpecError
from messagegen.fmt.layout import format_document
from messagegen.jsonc import Document, JsonError, Object, Scalar, Value, parse_json
from messagegen.spec import parse

__all__ = ["format_spec"]

Contents = str | tuple[object, ...]


def format_spec(data: bytes, file: str) -> bytes:
    """The spec in its layout, in UTF-8 without byte order mark, lines ended by a line feed.

    Only the text has to be JSON with comments; what else is wrong with the spec stays. Values are kept as written, so the
    spec means the same. Raises ``SpecError`` for text that can't be read, with findings that name ``file``.
    """
    try:
        document = parse_json(data.replace(b"\r\n", b"\n"))
    except JsonError:
        document = None
    if document is None or document.stray is not None:
        raise SpecError(parse(data, file).findings)
    formatted = format_document(document)
    if formatted != document.text:
        assert _contents(parse_json(formatted)) == _contents(document), "formatting keeps values and comments"
    return formatted.encode("utf-8")


def _contents(document: Document) -> tuple[object, ...]:
    """What formatting must keep: the values, apart from the order of properties, and the comments."""
    return (_value(document.root.value), sorted(comment.text for comment in document.comments()))


def _value(value: Value) -> Contents:
    if isinstance(value, Scalar):
        return value.raw
    # A duplicate property must keep its last value.
    parts = sorted(value.parts, key=lambda part: part.name) if isinstance(value, Object) else value.parts
    return tuple((part.name, _value(part.value)) for part in parts)
