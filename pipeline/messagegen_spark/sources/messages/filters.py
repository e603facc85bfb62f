"""Filters that Spark hands down, as far as the statistics of row groups can answer them.

They only spare reading: Spark applies every filter again. They are taken on request only, as ``kafka-log`` takes them.
"""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import (
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    LessThan,
    LessThanOrEqual,
)

_COMPARED: Final[dict[type[Filter], Callable[[Any, Any], Any]]] = {
    EqualTo: operator.eq,
    GreaterThan: operator.gt,
    GreaterThanOrEqual: operator.ge,
    LessThan: operator.lt,
    LessThanOrEqual: operator.le,
}
_ORDERED: Final = (pa.types.is_integer, pa.types.is_string, pa.types.is_date, pa.types.is_timestamp)
"""Types whose statistics every writer orders as Spark does."""


def pushed(filters: Sequence[Filter], kept: pa.Schema) -> pc.Expression | None:
    """What rows of row groups must be like; ``None`` where no filter is on a kept column with statistics."""
    found = [each for each in (_expression(filter_, kept) for filter_ in filters) if each is not None]
    return reduce(operator.and_, found) if found else None


def _expression(filter_: Filter, kept: pa.Schema) -> pc.Expression | None:
    attribute: tuple[str, ...] = getattr(filter_, "attribute", ())
    if len(attribute) != 1 or attribute[0] not in kept.names:
        return None
    type_ = kept.field(attribute[0]).type
    if not any(is_type(type_) for is_type in _ORDERED):
        return None
    column = pc.field(attribute[0])
    if isinstance(filter_, In):
        values = [value for value in filter_.value if value is not None]
        return column.isin(pa.array(values, type_)) if values else None
    compare = _COMPARED.get(type(filter_))
    if compare is None:
        return None
    value: Any = getattr(filter_, "value", None)
    return None if value is None else compare(column, pa.scalar(value, type_))
