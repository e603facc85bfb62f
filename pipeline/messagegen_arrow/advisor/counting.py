"""Counts of the integers in messages, and of their bytes in each encoding, without Python objects for rows."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.advisor.encodings import ENCODINGS, Numbers, split, total_bytes
from messagegen_arrow.advisor.fields import IntegerField, integer_fields, wanted_paths
from messagegen_arrow.columns.decoding import decode_columns
from messagegen_arrow.columns.json_text import JsonField, is_default, json_fields
from messagegen_arrow.columns.model import MessageColumns
from messagegen_arrow.malformed import ERROR_NAME
from messagegen_arrow.plans import read_plan


@dataclass(slots=True)
class FieldCounts:
    """Counts of the values of a field."""

    count: int = 0
    minimum: int | None = None
    maximum: int | None = None
    negatives: int = 0
    bytes_in: dict[str, int | None] = field(default_factory=dict)
    """The size of all values in each encoding, in bytes; ``None`` if some values do not fit.

    A type that cannot have an encoding has an entry under its own name.
    """

    def add(self, integer: IntegerField, values: Numbers) -> None:
        """Add values of a field."""
        names = [each for each in ENCODINGS if split(each)[1] <= integer.width] if integer.advisable else [integer.type]
        for name in names:
            before, more = self.bytes_in.get(name, 0), total_bytes(name, values)
            self.bytes_in[name] = None if before is None or more is None else before + more
        if len(values):
            self.count += len(values)
            self.minimum = min(int(each) for each in (values.min(), self.minimum) if each is not None)
            self.maximum = max(int(each) for each in (values.max(), self.maximum) if each is not None)
            self.negatives += int(np.count_nonzero(values < 0))


@dataclass(slots=True)
class Counts:
    """Counts of the messages that were added."""

    messages: int = 0
    bytes: int = 0
    """The size in bytes of all messages that could be decoded."""
    malformed: dict[int | None, tuple[int, str]] = field(default_factory=dict)
    """For each version, the number of messages that could not be decoded, and the first error.

    The version is ``None`` for rows without a version.
    """
    fields: dict[IntegerField, FieldCounts] = field(default_factory=dict)

    def add(self, values: pa.Array, versions: pa.Array, plan_text: str) -> None:
        """Add messages, as ``binary``, with their versions; null messages are ignored."""
        known = read_plan(plan_text).roots
        for version in versions.unique().to_pylist():
            mask = versions.is_null() if version is None else pc.equal(versions, version)
            rows = values.filter(mask).drop_null()
            if version is None or version not in known:
                self._add_malformed(version, len(rows), f"there is no version {version}")
            elif len(rows):
                self._add_version(rows, version, plan_text)

    def _add_malformed(self, version: int | None, count: int, example: str) -> None:
        if count:
            before, first = self.malformed.get(version, (0, example))
            self.malformed[version] = (before + count, first)

    def _add_version(self, rows: pa.Array, version: int, plan_text: str) -> None:
        # A message without integers has no paths: an empty tuple selects no fields, while ``None`` would select all.
        wanted = MessageColumns(plan_text, (version,), tuple(sorted(wanted_paths(plan_text, version))), names="snake")
        decoded = decode_columns(wanted, rows, version)
        errors = decoded.field(ERROR_NAME)
        if errors.null_count < len(errors):
            first = errors.drop_null()[0].as_py()
            example = f"{first['path']}: {first['message']}".removeprefix(": ")
            self._add_malformed(version, len(errors) - errors.null_count, example)
            decoded, rows = decoded.filter(errors.is_null()), rows.filter(errors.is_null())
        self.messages += len(rows)
        self.bytes += pc.sum(pc.binary_length(rows)).as_py() or 0
        integers = integer_fields(plan_text, version)
        for path, numbers in _integers(json_fields(wanted), decoded, ""):
            self.fields.setdefault(integers[path], FieldCounts()).add(integers[path], numbers)


def _integers(fields: Mapping[str, JsonField], structs: pa.StructArray, outer: str) -> Iterator[tuple[str, Numbers]]:
    """Yield the path and the values of each integer field, without nulls and without unwritten tagged fields."""
    columns = dict(zip(structs.type.names, structs.flatten(), strict=True))
    for name, known in fields.items():
        column = columns[name]
        if known.is_tagged:
            column = column.filter(pc.invert(is_default(column, known)))
        if pa.types.is_list(column.type):
            column = column.flatten()
        if known.fields:
            yield from _integers(known.fields, column, f"{outer}{name}.")
        elif pa.types.is_integer(column.type):
            yield f"{outer}{name}", column.drop_null().cast(pa.int64()).to_numpy(zero_copy_only=False)
