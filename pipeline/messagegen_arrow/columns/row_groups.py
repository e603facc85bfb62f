"""Batches whose rows are different messages: rows of the same kind are decoded together, then put back in place.

Frames of captures and records of internal topics are read in this way. Each kind of row gets a number. ``rows_by_kind``
yields the rows of each kind, which become ``DecodedRows``. ``merged_columns`` merges these into the batch's columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from messagegen_arrow.arrays import Rows, repeated, scattered

Kinds = npt.NDArray[np.int64]
"""A number for each row of a batch; rows with equal numbers are decoded together."""


def rows_by_kind(kinds: Kinds) -> Iterator[tuple[int, Rows]]:
    """Yield each kind with its rows, in ascending order of kinds."""
    if not len(kinds):
        return
    found = np.unique(kinds)
    if len(found) == 1:
        # Most logs have only one kind of row. Then all rows are used as they are, without comparisons.
        yield int(found[0]), np.arange(len(kinds))
        return
    for kind in found:
        yield int(kind), np.flatnonzero(kinds == kind)


@dataclass(slots=True)
class DecodedRows:
    """The columns of some rows of a batch. A missing column is null in these rows."""

    rows: Rows
    columns: dict[str, pa.Array] = field(default_factory=dict)

    def repeat(self, name: str, value: str | int | bool, type_: pa.DataType) -> None:
        """Set a column that has the same value in all rows."""
        self.columns[name] = repeated(value, type_, len(self.rows))


def merged_columns(groups: Iterable[DecodedRows], types: Mapping[str, pa.DataType], count: int) -> list[pa.Array]:
    """Merge groups of rows into columns with ``count`` rows each; ``types`` contains the type of each column by name.

    All columns are null in rows that belong to no group.
    """
    found = list(groups)
    columns = []
    for name, type_ in types.items():
        parts = [(group.rows, group.columns[name]) for group in found if name in group.columns]
        columns.append(scattered(parts, type_, count))
    return columns
