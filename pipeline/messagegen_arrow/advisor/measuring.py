"""Calculates statistics of decoded Arrow columns with numpy, without Python objects for rows or values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import compute

from messagegen_arrow.advisor.defaults import differs_from_default
from messagegen_arrow.advisor.encodings import CLASS_STARTS, CLASSES, LENGTHS
from messagegen_arrow.advisor.fields import IntegerField
from messagegen_arrow.advisor.statistics import FieldStatistics
from messagegen_arrow.plans import Layout, Plan, nested_layouts

pc: Any = compute
"""Typed as ``Any``, because Arrow creates most of its functions at import and type checkers do not find them."""

Numbers = npt.NDArray[np.int64]

_STARTS: Final = np.array(CLASS_STARTS, np.int64)
_NARROW: Final = 1 << 16
"""Values within a range this small are counted directly, which is much faster than searching for classes."""


def measure_columns(
    plan: Plan, layout: Layout, rows: pa.StructArray, fields: Sequence[IntegerField]
) -> dict[str, FieldStatistics]:
    """The statistics of the integers of messages of one version, by path.

    ``rows`` are the messages; their columns have attributes or Kafka's names, and missing ones are skipped. Null rows, structs and
    arrays have no values, and neither have tagged fields that are not written.
    """
    by_path = {field.path: field for field in fields}
    bounds = np.arange(len(rows) + 1, dtype=np.int64)
    return {
        path: _measure(values, found, by_path[path]) for path, values, found in _leaves(plan, layout, rows, bounds, "")
    }


def _leaves(
    plan: Plan, layout: Layout, structs: pa.StructArray, bounds: Numbers, outer: str
) -> Iterator[tuple[str, pa.Array, Numbers]]:
    """Path, values and bounds of each integer field; message i has the values from ``bounds[i]`` to ``bounds[i + 1]``."""
    columns = dict(zip((field.name for field in structs.type), structs.flatten(), strict=True))
    for field in layout.fields.values():
        column = columns.get(field.attribute, columns.get(field.key))
        if column is None or field.attribute not in layout.codecs:
            continue
        inside = bounds
        if field.tag in layout.tagged:
            column, inside = _only(column, differs_from_default(plan, column, field), inside)
        if field.is_array:
            column, inside = _elements(column, inside)
        path = f"{outer}{field.attribute}"
        nested = nested_layouts([layout], field.attribute)
        if nested:
            yield from _leaves(plan, nested[0], column, inside, f"{path}.")
        elif pa.types.is_integer(column.type):
            yield path, *_only(column, column.is_valid(), inside)


def _only(values: pa.Array, wanted: pa.BooleanArray, bounds: Numbers) -> tuple[pa.Array, Numbers]:
    """The selected values, and the new bounds of each message."""
    kept = wanted.to_numpy(zero_copy_only=False)
    if kept.all():
        return values, bounds
    before = np.zeros(len(kept) + 1, np.int64)
    np.cumsum(kept, out=before[1:])
    return values.filter(wanted), before[bounds]


def _elements(arrays: pa.ListArray, bounds: Numbers) -> tuple[pa.Array, Numbers]:
    """The elements of all arrays, and the bounds of each message."""
    lengths = pc.fill_null(pc.list_value_length(arrays), 0).to_numpy(zero_copy_only=False)
    before = np.zeros(len(arrays) + 1, np.int64)
    np.cumsum(lengths, out=before[1:])
    return arrays.flatten(), before[bounds]


def _measure(array: pa.Array, bounds: Numbers, field: IntegerField) -> FieldStatistics:
    if not len(array):
        return FieldStatistics()
    values: Numbers = array.to_numpy(zero_copy_only=False).astype(np.int64, copy=False)
    low, high = int(values.min()), int(values.max())
    keys, classes = _classes(values, low, high)
    numbers = np.bincount(keys, minlength=len(classes)).astype(np.int64)
    counts = np.zeros(CLASSES, np.int64)
    np.add.at(counts, classes, numbers)
    per_message = np.diff(bounds)
    sums = _sums(keys, classes, numbers, per_message, bounds, field.width)
    return FieldStatistics(tuple(counts.tolist()), low, high, int(np.count_nonzero(per_message)), sums)


def _classes(values: Numbers, low: int, high: int) -> tuple[Numbers, Numbers]:
    """A small number for each value, and the class of each such number."""
    if high - low < _NARROW:
        return values - low, np.searchsorted(_STARTS, np.arange(low, high + 1), side="right") - 1
    return np.searchsorted(_STARTS, values, side="right") - 1, np.arange(CLASSES)


def _sums(
    keys: Numbers, classes: Numbers, numbers: Numbers, per_message: Numbers, bounds: Numbers, width: int
) -> tuple[int, ...]:
    """The sums of ``FieldStatistics.sums``."""
    packed, upacked = (_lengths(form, width)[classes] for form in ("packed", "upacked"))
    if per_message.max() == 1:
        # With one value a message, the sums follow from the counts.
        one = np.ones_like(numbers)
        return tuple(int((numbers * a * b).sum()) for a, b in _pairs(one, packed, upacked))
    totals = (per_message, *(_totals(lengths[keys], bounds) for lengths in (packed, upacked)))
    # A column has at most 2 GiB, so no sum of squares needs more than 64 bits.
    return tuple(int(np.dot(a.astype(np.uint64), b.astype(np.uint64))) for a, b in _pairs(*totals))


def _lengths(form: str, width: int) -> npt.NDArray[np.uint8]:
    return np.array(LENGTHS[f"{form}{width}"], np.uint8)


def _totals(lengths: npt.NDArray[np.uint8], bounds: Numbers) -> Numbers:
    """The sum of the lengths of each message."""
    before = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=before[1:])
    found: Numbers = np.diff(before[bounds])
    return found


def _pairs(n: Any, p: Any, u: Any) -> Iterable[tuple[Any, Any]]:
    return (n, n), (n, p), (n, u), (p, p), (p, u), (u, u)
