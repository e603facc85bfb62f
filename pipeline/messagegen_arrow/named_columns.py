"""The columns of a source of rows: types, comments, and selection by name."""

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
        """The column, with its comment, if any, as metadata."""
        return pa.field(self.name, self.arrow_type, metadata={"comment": self.comment} if self.comment else None)


def chosen_names(source: str, known: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the names, spelled as in ``known``; names are case-insensitive.

    Raises ``ValueError`` for an unknown name, and suggests the most similar known name.
    """
    listed = list(known)
    by_lower = {name.lower(): name for name in listed}
    chosen = []
    for name in names:
        if name.lower() not in by_lower:
            near = difflib.get_close_matches(name.lower(), by_lower, n=1)
            advice = f"did you mean {by_lower[near[0]]}?" if near else f"there are {', '.join(listed)}"
            raise ValueError(f"{source} has no column {name}; {advice}")
        chosen.append(by_lower[name.lower()])
    return chosen


_AnyColumn = TypeVar("_AnyColumn", bound=NamedColumn)


def chosen_columns(source: str, columns: Mapping[str, _AnyColumn], names: Iterable[str]) -> list[_AnyColumn]:
    """Return the named columns of a source, in the order of ``names``, which are case-insensitive.

    Raises ``ValueError`` for an unknown name, and suggests the most similar known name.
    """
    return [columns[name] for name in chosen_names(source, columns, names)]
