"""The columns of a source of rows: their types and comments, and choosing some of them by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column of a source."""

    name: str
    arrow_type: pa.DataType
    comment: str

    @property
    def field(self) -> pa.Field:
        """The column with its comment as metadata."""
        return pa.field(self.name, self.arrow_type, metadata={"comment": self.comment})


_AnyColumn = TypeVar("_AnyColumn", bound=NamedColumn)


def chosen_columns(source: str, columns: Mapping[str, _AnyColumn], names: Iterable[str]) -> list[_AnyColumn]:
    """The named ones of a source's columns, in the order of ``names``; case does not count.

    Raises ``ValueError`` for a name that the source does not have, with the nearest one that it has.
    """
    by_lower = {name.lower(): column for name, column in columns.items()}
    chosen = []
    for name in names:
        column = by_lower.get(name.lower())
        if column is None:
            near = difflib.get_close_matches(name.lower(), by_lower, n=1)
            advice = f"did you mean {by_lower[near[0]].name}?" if near else f"there are {', '.join(columns)}"
            raise ValueError(f"{source} has no column {name}; {advice}")
        chosen.append(column)
    return chosen
