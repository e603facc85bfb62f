"""Filters that Spark hands down, as far as they leave out whole files, batches and partitions.

They only spare reading: Spark applies every filter again to the rows it gets. But Spark 4.3 keeps the plan of the latest scan
with the DataFrame, filters included, and uses it for other scans of the same DataFrame, which then lack rows. So filters are
taken on request only, by the option ``pushFilters``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from pyspark.sql.datasource import (
    EqualNullSafe,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    LessThan,
    LessThanOrEqual,
)

from messagegen_arrow.records.pure_reader import Bounds

_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_MILLISECOND: Final = datetime.resolution * 1000


@dataclass(frozen=True, slots=True)
class Pushed:
    """What filters leave: offsets and timestamps, topics and partitions (``None``: all)."""

    bounds: Bounds
    topics: frozenset[Any] | None = None
    partitions: frozenset[Any] | None = None

    def take_partition(self, topic: str | None, partition: int | None) -> bool:
        """Whether records of a topic and partition can pass."""
        return (self.topics is None or topic in self.topics) and (
            self.partitions is None or partition in self.partitions
        )


def push(filters: Sequence[Filter], bounds: Bounds) -> Pushed:
    """What all filters together leave of ``bounds``."""
    pushed = Pushed(bounds)
    for each in filters:
        pushed = _push_one(each, pushed)
    return pushed


def _push_one(each: Filter, pushed: Pushed) -> Pushed:
    if not isinstance(
        each, EqualTo | EqualNullSafe | GreaterThan | GreaterThanOrEqual | LessThan | LessThanOrEqual | In
    ):
        return pushed
    if len(each.attribute) != 1:
        return pushed
    column = each.attribute[0]
    if column in ("topic", "partition"):
        return _push_choice(each, column, pushed)
    least, most = _limits(each)
    if column == "offset":
        return replace(pushed, bounds=_narrowed(pushed.bounds, "offset", least, most))
    if column == "timestamp":
        # Both ends are rounded outwards, to whole milliseconds.
        first = None if least is None else (least - _EPOCH) // _MILLISECOND
        last = None if most is None else -((_EPOCH - most) // _MILLISECOND)
        return replace(pushed, bounds=_narrowed(pushed.bounds, "timestamp", first, last))
    return pushed


def _push_choice(each: Any, column: str, pushed: Pushed) -> Pushed:
    if not isinstance(each, EqualTo | EqualNullSafe | In):
        return pushed
    values = frozenset(each.value) if isinstance(each, In) else frozenset([each.value])
    if column == "topic":
        return replace(pushed, topics=values if pushed.topics is None else pushed.topics & values)
    return replace(pushed, partitions=values if pushed.partitions is None else pushed.partitions & values)


def _limits(each: Any) -> tuple[Any, Any]:
    """The least and the most that passes, both inclusive; ``None`` where there is no limit."""
    values = each.value if isinstance(each, In) else (each.value,)
    known = [value for value in values if value is not None]
    if not known:
        return None, None
    is_lower = isinstance(each, GreaterThan | GreaterThanOrEqual)
    is_upper = isinstance(each, LessThan | LessThanOrEqual)
    return None if is_upper else min(known), None if is_lower else max(known)


def _narrowed(bounds: Bounds, name: str, least: int | None, most: int | None) -> Bounds:
    lower, upper = getattr(bounds, f"min_{name}"), getattr(bounds, f"max_{name}")
    changes = {
        f"min_{name}": lower if least is None else max(lower, least),
        f"max_{name}": upper if most is None else min(upper, most),
    }
    return replace(bounds, **changes)
