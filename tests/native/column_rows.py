"""Makes expected rows of Arrow columns with the reference walk, for the columns of one or several versions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any
from uuid import UUID

import pytest

from tests.native.random_messages import FOLDERS, Subject, subjects

native: Any = pytest.importorskip(
    "messagegen_native", reason="messagegen-native is not installed: see native/README.md"
)
pa: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed: Arrow arrays are looked at with it")

Row = dict[str, Any]


@cache
def all_subjects() -> list[Subject]:
    return [subject for folder in FOLDERS for subject in subjects(native.Engine, folder)]


def metadata(version: int = 13) -> Subject:
    return next(subject for subject in all_subjects() if str(subject) == f"MetadataResponse-{version}")


def array_of(batch: object) -> Any:
    """Return a batch as a struct array, after a full validation by Arrow."""
    array = pa.array(batch)
    array.validate(full=True)
    return array


def rows_of(batch: object) -> list[Any]:
    """Return the rows of a batch, after a full validation by Arrow."""
    found: list[Any] = without_nan(array_of(batch).to_pylist())
    return found


def expected(subject: Subject, data: bytes, layouts: Iterable[Any] | None = None, *, unknown: bool = False) -> Row:
    """Return the walk's result as a row, with the columns of ``layouts`` (default: the layout of the version)."""
    layout = subject.table.roots[subject.version]
    shared = list(layouts or [layout])
    try:
        message, end = subject.walk.walk_decode(subject.table, data, 0, subject.version)
    except subject.runtime("errors").DecodeError as error:
        return wrong(shared, error.reason, error.path, error.offset, unknown=unknown)
    if end < len(data):
        return wrong(shared, f"extra bytes after the message: {len(data) - end}", "", end, unknown=unknown)
    return {**struct(layout, shared, message, unknown=unknown), "_error": None}


def wrong(layouts: list[Any], message: str, path: str, offset: int, *, unknown: bool = False) -> Row:
    """Return the row for data that is not a message."""
    error = {"message": message, "path": path, "offset": offset}
    return {**dict.fromkeys(names(layouts, unknown=unknown)), "_error": error}


def names(layouts: list[Any], *, unknown: bool = False) -> list[str]:
    """Return the columns for several layouts of one struct, in the order of its fields."""
    held = {name for layout in layouts for name in codecs(layout)}
    with_tags = unknown and any(layout.flexible for layout in layouts)
    return [name for name in layouts[0].fields if name in held] + ["unknown_tagged_fields"] * with_tags


def codecs(layout: Any) -> dict[str, Any]:
    """Return the codecs of the fields in the wire format, by attribute."""
    found = {field.attribute: codec for field, codec in (*layout.steps, *layout.tagged.values())}
    return {attribute: found[attribute] for attribute in layout.fields if attribute in found}


def struct(layout: Any, layouts: list[Any], message: Any, *, unknown: bool) -> Row:
    """Return a struct of one layout, with the columns of several layouts."""
    own = codecs(layout)
    row: Row = {}
    for name in names(layouts, unknown=unknown):
        if name == "unknown_tagged_fields":
            row[name] = list(message.unknown_tagged_fields) if layout.flexible else None
        elif name in own:
            others = [codecs(other)[name] for other in layouts if name in codecs(other)]
            row[name] = value(own[name], others, getattr(message, name), unknown=unknown)
        else:
            row[name] = None
    return row


def value(codec: Any, others: list[Any], found: Any, *, unknown: bool) -> Any:
    """Return a value in Arrow's form, but NaN as text, because NaN does not equal itself."""
    if found is None:
        return None
    match codec.kind:
        case "array":
            elements = [other.element for other in others]
            return [value(codec.element, elements, item, unknown=unknown) for item in found]
        case "struct":
            return struct(codec.layout, [other.layout for other in others], found, unknown=unknown)
        case "float64" if math.isnan(found):
            return "NaN"
    return found.bytes if isinstance(found, UUID) else found


def without_nan(row: Any) -> Any:
    """Return the row after replacing each NaN with text."""
    if isinstance(row, dict):
        return {key: without_nan(item) for key, item in row.items()}
    if isinstance(row, list):
        return [without_nan(item) for item in row]
    return "NaN" if isinstance(row, float) and math.isnan(row) else row


def in_order(row: Any) -> Any:
    """Return the row with structs as lists of pairs, so that a comparison includes their order."""
    if isinstance(row, dict):
        return [(key, in_order(item)) for key, item in row.items()]
    return [in_order(item) for item in row] if isinstance(row, list) else row
