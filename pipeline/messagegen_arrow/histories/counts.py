"""What is counted while a history is read: records, their types and versions, and what is wrong with those that can't be read."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

_MOST_REASONS: Final = 100
"""So many different reasons are kept; those that come later count as others."""
_OTHERS: Final = "other reasons"


@dataclass(slots=True)
class HistoryCounts:
    """What was counted while a history was read."""

    rows: int = 0
    """Records of its topics."""
    malformed: int = 0
    """Those that could not be read."""
    bytes: int = field(default=0, repr=False)
    """The bytes of keys and values, as they are after decompression."""
    types: Counter[tuple[str, int | None]] = field(default_factory=Counter, repr=False)
    """The records that could be read, by type and version of the value; ``None`` for records without a value."""
    reasons: Counter[str] = field(default_factory=Counter, repr=False)
    """Those that could not be read, by what is wrong."""

    def clear(self) -> None:
        """Begins again."""
        self.rows = self.malformed = self.bytes = 0
        self.types.clear()
        self.reasons.clear()

    def add(self, keys: pa.Array, values: pa.Array, decoded: pa.StructArray, errors: pa.StructArray | None) -> None:
        """Counts the records of a batch: those that could be read as ``decoded``, and the ``errors`` of the others."""
        self.rows += len(keys)
        self.bytes += sum(pc.sum(pc.binary_length(each)).as_py() or 0 for each in (keys, values))
        self.types.update(_types(decoded))
        if errors is None:
            return
        self.malformed += len(errors)
        paths = pc.struct_field(errors, "path").to_pylist()
        for path, reason in zip(paths, pc.struct_field(errors, "message").to_pylist(), strict=True):
            self._add_reason(f"{path}: {reason}" if path else reason, 1)

    def _add_reason(self, reason: str, count: int) -> None:
        known = reason in self.reasons or len(self.reasons) < _MOST_REASONS
        self.reasons[reason if known else _OTHERS] += count

    def as_json(self) -> dict[str, Any]:
        """The same as JSON values."""
        types = [[name, version, count] for (name, version), count in self.types.items()]
        return {
            "rows": self.rows,
            "malformed": self.malformed,
            "bytes": self.bytes,
            "types": types,
            "reasons": dict(self.reasons),
        }

    @classmethod
    def total(cls, parts: Iterable[Mapping[str, Any]]) -> HistoryCounts:
        """The sum of what ``as_json`` gave; what an older version did not count is missing there."""
        whole = cls()
        for part in parts:
            whole.rows += part["rows"]
            whole.malformed += part["malformed"]
            whole.bytes += part.get("bytes", 0)
            for name, version, count in part.get("types", ()):
                whole.types[name, version] += count
            for reason, count in part.get("reasons", {}).items():
                whole._add_reason(reason, count)
        return whole


def _types(decoded: pa.StructArray) -> dict[tuple[str, int | None], int]:
    columns = {name: decoded.field(name) for name in ("recordType", "valueVersion")}
    found = pa.table(columns).group_by(list(columns)).aggregate([([], "count_all")])
    names, versions, counts = (found.column(name).to_pylist() for name in (*columns, "count_all"))
    return {
        (name, version): count for name, version, count in zip(names, versions, counts, strict=True) if name is not None
    }
