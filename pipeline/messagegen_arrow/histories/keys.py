"""What rows with the same key said before, over batches that come in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class KeyGroups:
    """The rows of a batch by key: one stable sort serves every question about them."""

    keys: list[Any]
    """The distinct keys."""
    order: Numbers
    """The numbers of the rows, those with the same key together and in their order."""
    codes: Numbers
    """For each entry of ``order`` the number of its key."""
    is_first: npt.NDArray[np.bool_]
    """For each entry of ``order`` whether it is the first row with its key."""

    @classmethod
    def of(cls, keys: pa.Array) -> Self:
        """The groups of a column without nulls."""
        encoded = keys.dictionary_encode()
        codes = encoded.indices.to_numpy().astype(np.int64)
        order = np.argsort(codes, kind="stable")
        ordered = codes[order]
        is_first = np.ones(len(ordered), np.bool_)
        is_first[1:] = ordered[1:] != ordered[:-1]
        return cls(encoded.dictionary.to_pylist(), order, ordered, is_first)

    def restored(self, array: pa.Array) -> pa.Array:
        """An array in the order of ``order``, in the order of the batch."""
        back = np.empty(len(self.order), np.int64)
        back[self.order] = np.arange(len(self.order))
        return array.take(pa.array(back))


class LastValues:
    """The last value of each key so far. Memory holds one value for each key whose last value is not null."""

    def __init__(self, type_: pa.DataType) -> None:
        self._type = type_
        self._last: dict[Any, Any] = {}

    def previous(self, groups: KeyGroups, values: pa.Array) -> pa.Array:
        """For each row the value of the row before it with the same key; null for the first one."""
        ordered = values.take(pa.array(groups.order))
        count = len(groups.order)
        source = np.where(groups.is_first, count + groups.codes, np.arange(count) - 1)
        found = pa.concat_arrays([ordered, self._carried(groups)]).take(pa.array(source))
        self._keep(groups, ordered)
        return groups.restored(found)

    def filled(self, groups: KeyGroups, values: pa.Array) -> pa.Array:
        """The values, with nulls replaced by the last value of the key that is not null."""
        ordered = values.take(pa.array(groups.order))
        count = len(groups.order)
        has_value = ordered.is_valid().to_numpy(zero_copy_only=False)
        places = np.arange(count)
        source = np.maximum.accumulate(np.where(has_value | groups.is_first, places, 0)) if count else places
        from_before = groups.is_first[source] & ~has_value[source]
        source = np.where(from_before, count + groups.codes, source)
        found = pa.concat_arrays([ordered, self._carried(groups)]).take(pa.array(source))
        self._keep(groups, found)
        return groups.restored(found)

    def _carried(self, groups: KeyGroups) -> pa.Array:
        return pa.array([self._last.get(key) for key in groups.keys], self._type)

    def _keep(self, groups: KeyGroups, ordered: pa.Array) -> None:
        is_last = np.ones(len(groups.order), np.bool_)
        is_last[:-1] = groups.is_first[1:]
        rows = np.flatnonzero(is_last)
        values = ordered.take(pa.array(rows)).to_pylist()
        for code, value in zip(groups.codes[rows].tolist(), values, strict=True):
            if value is None:
                # No value and a null are the same to those who ask: keys that were deleted take no memory.
                self._last.pop(groups.keys[code], None)
            else:
                self._last[groups.keys[code]] = value
