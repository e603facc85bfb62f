"""What pages show of the rows of a run: sums that are small however many rows there are."""

# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from messagegen_spark.report.sums import COUNT, ORDER, How, Sums, counts, micros, with_count

BUCKETS: Final = 120
"""Into so many parts charts divide the time of a run."""

Numbers = npt.NDArray[np.float64]
Values = Mapping[str, Any]
"""A row of a page's table, by column."""

_FIRST, _LAST, _BUCKET = "first", "last", "bucket"
_PARTITION: Final = ("group", "topic", "partition")
_COMMIT_TIMES: Final = ("commitTimestamp", "logTimestamp")
_ID: Final = ("logPartition", "transactionalId")
GIVEN_UP: Final = "given up"
"""The state of a transactional id that was removed."""


@dataclass(frozen=True)
class Span:
    """The time from the first row to the last, in microseconds since 1970."""

    first: int
    last: int

    @property
    def width(self) -> int:
        """The microseconds of a bucket."""
        return max((self.last - self.first) // BUCKETS + 1, 1)

    @property
    def times(self) -> npt.NDArray[np.datetime64]:
        """The beginnings of the buckets."""
        starts = self.first + self.width * np.arange(BUCKETS, dtype=np.int64)
        return starts.astype("datetime64[us]")

    def buckets(self, times: Any) -> Any:
        """The numbers of the buckets of times, which are microseconds."""
        numbers = pc.divide(pc.subtract(times, self.first), self.width)
        return pc.max_element_wise(0, pc.min_element_wise(numbers, BUCKETS - 1))


@dataclass(frozen=True)
class Series:
    """A line of a chart: a value for each bucket, NaN before the first one."""

    name: str
    values: Numbers


@dataclass(frozen=True)
class GroupLag:
    """What is known of a group at the end of a history."""

    group: str
    type: str | None
    partitions: int
    commits: int
    latest: str
    """The time of the last commit, in UTC; empty without commits."""
    lag: int | None
    """Of all partitions together; ``None`` where the history has no lag of any."""
    highest: int | None


@dataclass(frozen=True)
class Only:
    """Which rows count: by the values of a column."""

    column: str
    wanted: Callable[[Any], Any]


CHANGES: Final = Only("action", lambda actions: pc.not_equal(actions, "present"))
"""The rows of a history of metadata that are changes, and not what was there when the log began."""


def span_query(times: Sequence[str], only: Only | None = None) -> Sums:
    """The first and the last time of rows; the time of a row is the first of these columns that is not null."""

    def prepared(batch: pa.RecordBatch) -> pa.Table:
        found = _when(_rows(batch, only), times)
        return pa.table({_FIRST: found, _LAST: found}).filter(pc.is_valid(found))

    return Sums((*times, *_column(only)), (), {_FIRST: "min", _LAST: "max"}, prepared)


def span_of(found: pa.Table) -> Span | None:
    """The answer to ``span_query``; ``None`` without any rows."""
    if not found.num_rows or found[_FIRST][0].as_py() is None:
        return None
    return Span(found[_FIRST][0].as_py(), found[_LAST][0].as_py())


def commit_span_query() -> Sums:
    """The span of the commits of a history."""
    return span_query(_COMMIT_TIMES)


def most_of(found: pa.Table, columns: Sequence[str], most: int) -> list[Values]:
    """The most frequent values of ``counts``, with ``count``."""
    rows: list[Values] = found.to_pylist()
    return sorted(rows, key=lambda row: (-row[COUNT], *(_sortable(row[name]) for name in columns)))[:most]


def frequent(found: pa.Table, by: str, most: int) -> list[str]:
    """The most frequent values of one of the columns of ``counts`` that are not null."""
    if not found.num_rows:
        return []
    known = found.filter(pc.is_valid(found[by]))
    return [row[by] for row in most_of(counts([by]).added([known.select([by, COUNT])]), [by], most)]


def counts_over_time_query(by: str, time: str, span: Span, names: Sequence[str], only: Only | None = None) -> Sums:
    """How many rows each bucket has, for each of some values of a column."""
    wanted = list(names)

    def prepared(batch: pa.RecordBatch) -> pa.Table:
        rows = _rows(batch, only)
        rows = rows.filter(pc.is_in(rows.column(by), pa.array(wanted, pa.string())))
        return with_count(pa.table({by: rows.column(by), _BUCKET: span.buckets(micros(rows.column(time)))}))

    return Sums(tuple(dict.fromkeys((by, time, *_column(only)))), (by, _BUCKET), {COUNT: "sum"}, prepared)


def counts_over_time(found: pa.Table, by: str, names: Sequence[str]) -> list[Series]:
    """The answer to ``counts_over_time_query``, in the order of the names."""
    lines = {name: np.zeros(BUCKETS) for name in names}
    for row in found.to_pylist():
        if row[_BUCKET] is not None:
            lines[row[by]][row[_BUCKET]] = row[COUNT]
    return [Series(str(name), values) for name, values in lines.items()]


def lag_query() -> Sums:
    """What is known of each partition of each group after its last commit."""

    def prepared(batch: pa.RecordBatch) -> pa.Table:
        column = batch.column
        return pa.table(
            {
                **{name: column(name) for name in _PARTITION},
                "type": column("groupType"),
                "commits": pc.cast(pc.invert(column("isTombstone")), pa.int64()),
                "latest": micros(column("commitTimestamp")),
                "lag": pc.fill_null(column("lag"), 0),
                "highest": column("lag"),
                ORDER: column("logOffset"),
            }
        )

    values: dict[str, How] = {"type": "max", "commits": "sum", "latest": "max", "lag": "last", "highest": "max"}
    columns = (*_PARTITION, "groupType", "isTombstone", "commitTimestamp", "lag", "logOffset")
    return Sums(columns, _PARTITION, values, prepared)


def lag_by_group(found: pa.Table, most: int) -> list[GroupLag]:
    """The answer to ``lag_query``, by group, the groups that lag most first."""
    if not found.num_rows:
        return []
    table = with_count(found)
    hows = {"type": "max", COUNT: "sum", "commits": "sum", "latest": "max", "lag": "sum", "highest": "max"}
    groups = table.group_by("group").aggregate(list(hows.items()))
    rows = groups.rename_columns([name.rpartition("_")[0] or name for name in groups.column_names]).to_pylist()
    lags = [
        GroupLag(
            row["group"],
            row["type"],
            row[COUNT],
            row["commits"],
            _text_of(row["latest"]),
            None if row["highest"] is None else row["lag"],
            row["highest"],
        )
        for row in rows
    ]
    return sorted(lags, key=_most_lag_first)[:most]


def _most_lag_first(group: GroupLag) -> tuple[Any, ...]:
    return (group.lag is None, -(group.lag or 0), -group.commits, group.group)


def lag_over_time_query(groups: Sequence[str], span: Span) -> Sums:
    """The lag of each partition of some groups at the end of each bucket that has commits of it."""
    wanted = list(groups)

    def prepared(batch: pa.RecordBatch) -> pa.Table:
        rows = batch.filter(pc.is_in(batch.column("group"), pa.array(wanted, pa.string())))
        made = {name: rows.column(name) for name in _PARTITION}
        bucket = span.buckets(_when(rows, _COMMIT_TIMES))
        lag = pc.fill_null(rows.column("lag"), 0)
        return pa.table({**made, _BUCKET: bucket, "lag": lag, ORDER: rows.column("logOffset")})

    columns = (*_PARTITION, *_COMMIT_TIMES, "lag", "logOffset")
    return Sums(columns, (*_PARTITION, _BUCKET), {"lag": "last"}, prepared)


def lag_over_time(found: pa.Table, groups: Sequence[str]) -> list[Series]:
    """The lag of each group over all its partitions: that of the last commit of each, until the next one."""
    lines: dict[str, dict[tuple[str, int], Numbers]] = {group: {} for group in groups}
    for row in found.to_pylist():
        if row[_BUCKET] is not None:
            place = (row["topic"], row["partition"])
            values = lines[row["group"]].setdefault(place, np.full(BUCKETS, np.nan))
            values[row[_BUCKET]] = row["lag"]
    return [Series(group, _sum([_held(values) for values in each.values()])) for group, each in lines.items()]


def last_states_query() -> Sums:
    """The last state of each transactional id."""

    def prepared(batch: pa.RecordBatch) -> pa.Table:
        state = pc.fill_null(batch.column("state"), GIVEN_UP)
        by = {name: batch.column(name) for name in _ID}
        return pa.table({**by, "state": state, ORDER: batch.column("logOffset")})

    return Sums((*_ID, "state", "logOffset"), _ID, {"state": "last"}, prepared)


def last_states(found: pa.Table) -> pa.Table:
    """The answer to ``last_states_query`` as that of ``counts`` by state."""
    return counts(["state"]).added([with_count(found.select(["state"]))] if found.num_rows else [])


def reasons_query(column: str) -> Sums:
    """How many rows have an error with the same text but for its numbers, and the first of these texts."""

    def prepared(batch: pa.RecordBatch) -> pa.Table:
        texts = pc.drop_null(batch.column(0))
        return with_count(pa.table({"plain": pc.replace_substring_regex(texts, r"\d+", "0"), "reason": texts}))

    return Sums((column,), ("plain",), {COUNT: "sum", "reason": "min"}, prepared)


def reasons_of(found: Iterable[pa.Table]) -> dict[str, int]:
    """The answers to ``reasons_query``."""
    reasons: dict[str, int] = {}
    for row in (row for table in found for row in table.to_pylist()):
        reasons[row["reason"]] = reasons.get(row["reason"], 0) + row[COUNT]
    return reasons


def _rows(batch: pa.RecordBatch, only: Only | None) -> pa.RecordBatch:
    return batch if only is None else batch.filter(only.wanted(batch.column(only.column)))


def _column(only: Only | None) -> tuple[str, ...]:
    return () if only is None else (only.column,)


def _when(rows: pa.RecordBatch, times: Sequence[str]) -> Any:
    return pc.coalesce(*(micros(rows.column(name)) for name in times))


def _text_of(time: int | None) -> str:
    return "" if time is None else str(np.datetime64(time, "us").astype("datetime64[s]")).replace("T", " ")


def _sortable(value: Any) -> tuple[bool, Any]:
    """Null first, as in Spark."""
    return (value is not None, value)


def _held(values: Numbers) -> Numbers:
    """Each value until the next one."""
    places = np.maximum.accumulate(np.where(np.isnan(values), -1, np.arange(len(values))))
    return np.where(places < 0, np.nan, values[np.maximum(places, 0)])


def _sum(lines: Sequence[Numbers]) -> Numbers:
    if not lines:
        return np.full(BUCKETS, np.nan)
    stacked = np.vstack(lines)
    known = ~np.isnan(stacked).all(axis=0)
    return np.where(known, np.nansum(stacked, axis=0), np.nan)
