"""Counts the integers of messages, and their bytes in each encoding, in Arrow columns and without Python objects for rows."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.advisor.encodings import ENCODINGS, Numbers, split, total_bytes
from messagegen_arrow.advisor.fields import IntegerField, integer_fields, wanted_paths
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.plans import Field, Layout, Plan, nested_layouts, read_plan, tagged_attributes


@dataclass(slots=True)
class FieldCounts:
    """One integer field, at one path, in one version."""

    count: int = 0
    messages: int = 0
    """Messages that have at least one value of the field on the wire."""
    minimum: int | None = None
    maximum: int | None = None
    negatives: int = 0
    minus_ones: int = 0
    bytes_in: dict[str, int | None] = field(default_factory=dict)
    """The bytes of all values in each encoding, ``None`` if some do not fit; of a type without encodings in that alone."""

    def add(self, integer: IntegerField, values: Numbers, messages: int) -> None:
        """Adds values of a field that are spread over so many messages."""
        names = [each for each in ENCODINGS if split(each)[1] <= integer.width] if integer.advisable else [integer.type]
        for name in names:
            before, more = self.bytes_in.get(name, 0), total_bytes(name, values)
            self.bytes_in[name] = None if before is None or more is None else before + more
        if not len(values):
            return
        self.count += len(values)
        self.messages += messages
        self.minimum = min(int(values.min()), int(values.max()) if self.minimum is None else self.minimum)
        self.maximum = max(int(values.max()), int(values.min()) if self.maximum is None else self.maximum)
        self.negatives += int(np.count_nonzero(values < 0))
        self.minus_ones += int(np.count_nonzero(values == -1))


@dataclass(slots=True)
class VersionCounts:
    """The messages of one version."""

    messages: int = 0
    bytes: int = 0
    malformed: int = 0
    """Messages that could not be decoded; the other counts do not include them."""
    example: str | None = None
    """The first error of these."""
    fields: dict[str, FieldCounts] = field(default_factory=dict)
    """Path, in attributes, to the field."""


Counts = dict[int | None, VersionCounts]
"""Version to its messages; ``None`` are rows without a version, all of which are malformed."""


def count_batch(counts: Counts, values: pa.Array, versions: pa.Array, plan_text: str) -> None:
    """Adds messages as ``binary``, and the version of each; null messages do not count."""
    known = read_plan(plan_text)
    for version in versions.unique().to_pylist():
        mask = versions.is_null() if version is None else pc.fill_null(pc.equal(versions, version), fill_value=False)
        rows = values.filter(mask).drop_null()
        if not len(rows):
            continue
        of_version = counts.setdefault(version, VersionCounts())
        if version is None or version not in known.roots:
            of_version.malformed += len(rows)
            of_version.example = f"there is no version {version}"
        else:
            _count_version(of_version, rows, version, plan_text)


def _count_version(counts: VersionCounts, rows: pa.Array, version: int, plan_text: str) -> None:
    plan = read_plan(plan_text)
    # For a message without integers there are no paths, and an empty list means no fields, while ``None`` would mean all.
    wanted = MessageColumns(plan_text, (version,), tuple(sorted(wanted_paths(plan_text, version))), names="snake")
    decoded = decode_columns(wanted, rows, version)
    errors = decoded.field(ERROR_NAME)
    if errors.null_count < len(errors):
        first = errors.drop_null()[0].as_py()
        counts.malformed += len(errors) - errors.null_count
        counts.example = counts.example or f"{first['path']}: {first['message']}".removeprefix(": ")
        decoded, rows = decoded.filter(errors.is_null()), rows.filter(errors.is_null())
    counts.messages += len(rows)
    counts.bytes += pc.sum(pc.binary_length(rows)).as_py() or 0
    integers = {each.path: each for each in integer_fields(plan_text, version)}
    bounds = np.arange(len(rows) + 1, dtype=np.int64)
    for path, array, found in _leaves(plan, plan.roots[version], decoded, bounds, ""):
        numbers = array.cast(pa.int64()).to_numpy(zero_copy_only=False)
        messages = int(np.count_nonzero(np.diff(found)))
        counts.fields.setdefault(path, FieldCounts()).add(integers[path], numbers, messages)


def _leaves(
    plan: Plan, layout: Layout, structs: pa.StructArray, bounds: Numbers, outer: str
) -> Iterator[tuple[str, pa.Array, Numbers]]:
    """Path, values and bounds of each integer field; message i has the values from ``bounds[i]`` to ``bounds[i + 1]``.

    Null structs and arrays have no values, and neither have tagged fields that are not written.
    """
    columns = dict(zip(structs.type.names, structs.flatten(), strict=True))
    for each in layout.fields.values():
        column = columns.get(each.attribute)
        if column is None or each.attribute not in layout.codecs:
            continue
        inside = bounds
        if each.attribute in tagged_attributes(layout):
            column, inside = _only(column, _differs_from_default(plan, column, each), inside)
        if each.is_array:
            lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
            column, inside = column.flatten(), _sums(lengths)[inside]
        path = f"{outer}{each.attribute}"
        nested = nested_layouts([layout], each.attribute)
        if nested:
            yield from _leaves(plan, nested[0], column, inside, f"{path}.")
        elif pa.types.is_integer(column.type):
            yield path, *_only(column, column.is_valid(), inside)


def _only(values: pa.Array, wanted: pa.BooleanArray, bounds: Numbers) -> tuple[pa.Array, Numbers]:
    """The selected values, and the new bounds of each message."""
    return values.filter(wanted), _sums(wanted.to_numpy(zero_copy_only=False))[bounds]


def _sums(numbers: Any) -> Numbers:
    """The sum of all numbers before each one, and of all."""
    found = np.zeros(len(numbers) + 1, np.int64)
    np.cumsum(numbers, out=found[1:])
    return found


def _differs_from_default(plan: Plan, column: pa.Array, each: Field) -> pa.BooleanArray:
    """Which values of a column differ from the default of its field; null only equals a null default."""
    if each.default_text == "null":
        return column.is_valid()
    if each.default_text == "[]":
        found = pc.not_equal(pc.list_value_length(column), 0)
    elif each.default_text == "{}":
        found = column.is_null()
        inner = plan.structs[each.element_type].fields
        for name, values in zip(column.type.names, column.flatten(), strict=True):
            found = pc.or_(found, _differs_from_default(plan, values, inner[name]))
    else:
        found = pc.not_equal(column, pa.scalar(_default(column.type, each), column.type))
    return pc.fill_null(found, fill_value=True)


def _default(type_: pa.DataType, each: Field) -> Any:
    value = json.loads(each.default_text)
    if each.type == "uuid":
        raw = bytes.fromhex(value)
        return urlsafe_b64encode(raw)[:22].decode() if pa.types.is_string(type_) else raw
    return bytes.fromhex(value) if each.type in {"bytes", "records"} else value
