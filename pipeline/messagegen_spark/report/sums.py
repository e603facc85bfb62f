"""Sums of rows that add up: each task makes them of the rows that it reads, and those of all tasks make the whole."""

# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import pyarrow as pa
import pyarrow.compute as pc

How = Literal["sum", "min", "max", "last"]
"""How the values of rows with the same keys become one; ``last`` is that of the row with the highest ``ORDER``."""

ORDER: Final = "_order"
COUNT: Final = "count"
_MOST_PARTS: Final = 64
"""So many sums are kept before they are added up."""


@dataclass(frozen=True)
class Sums:
    """What is asked of rows; it pickles."""

    columns: tuple[str, ...]
    """The columns of the rows that are read; a field of a struct is called ``column.field``."""
    by: tuple[str, ...]
    """The keys."""
    values: Mapping[str, How]
    prepared: Callable[[pa.RecordBatch], pa.Table]
    """Makes keys, values and, for ``last``, ``ORDER`` of a batch of these columns."""

    def part(self, batch: pa.RecordBatch) -> pa.Table:
        """The sums of a batch of the columns."""
        return self._grouped(self.prepared(batch))

    def added(self, parts: Iterable[pa.Table]) -> pa.Table:
        """One table of several; one without rows and columns of none."""
        found = list(parts)
        return self._grouped(pa.concat_tables(found, promote_options="default")) if found else pa.table({})

    def _grouped(self, rows: pa.Table) -> pa.Table:
        asked: dict[str, str] = dict(self.values)
        if "last" in self.values.values():
            # Only one thread keeps the order of the rows.
            rows, asked = rows.sort_by(ORDER), {**asked, ORDER: "max"}
        grouped = rows.group_by(list(self.by), use_threads=False).aggregate(list(asked.items()))
        taken = grouped.select([*self.by, *(f"{name}_{how}" for name, how in asked.items())])
        return taken.rename_columns([*self.by, *asked])


class RunningSums:
    """The sums of what is added batch by batch."""

    def __init__(self, query: Sums) -> None:
        self._query = query
        self._parts: list[pa.Table] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Adds a batch that has the columns of the query, and perhaps others."""
        part = self._query.part(batch.select(list(self._query.columns)))
        if part.num_rows:
            self._parts.append(part)
        if len(self._parts) == _MOST_PARTS:
            self._parts = [self.total()]

    def total(self) -> pa.Table:
        """The sums so far."""
        return self._query.added(self._parts)


def counts(columns: Iterable[str]) -> Sums:
    """How many rows have the same values in some columns."""
    by = tuple(columns)
    return Sums(by, by, {COUNT: "sum"}, with_count)


def with_count(rows: pa.RecordBatch | pa.Table) -> pa.Table:
    """The rows, each counted once."""
    table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
    return table.append_column(COUNT, pa.repeat(pa.scalar(1, pa.int64()), table.num_rows))


def micros(times: Any) -> Any:
    """Times as microseconds since 1970."""
    return pc.cast(pc.cast(times, pa.timestamp("us", times.type.tz), safe=False), pa.int64())
