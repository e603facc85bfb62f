"""Which records of ``__cluster_metadata`` count, in which order: one snapshot, the log after it, and transactions that ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from messagegen_arrow.histories.metadata.records import ABORT, BEGIN, END, Record


class BaseOfLog:
    """Chooses the one snapshot that comes before the log. Snapshots are kept until the first record of the log comes."""

    def __init__(self) -> None:
        self._snapshots: dict[int, list[Record]] = {}
        self._base: int | None = None
        self._has_log = False

    def following(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records of the snapshot, with the offset of the last record that it contains, and of the log after it."""
        for record in records:
            if record.is_snapshot:
                if record.snapshot_end is not None:
                    self._snapshots.setdefault(record.snapshot_end, []).append(record)
                continue
            if not self._has_log:
                self._has_log = True
                self._base = _base(self._snapshots, record.offset)
                yield from self._of_base()
            if self._base is None or record.offset >= self._base:
                yield record

    def without_log(self) -> Iterator[Record]:
        """The records of the last snapshot, if there is no log."""
        if not self._has_log:
            self._base = _base(self._snapshots, None)
            yield from self._of_base()

    def _of_base(self) -> Iterator[Record]:
        snapshots, self._snapshots = self._snapshots, {}
        if self._base is not None:
            yield from (replace(record, offset=self._base - 1) for record in snapshots[self._base])


class OpenTransaction:
    """Holds back the records of a metadata transaction until it ends (KIP-868)."""

    def __init__(self) -> None:
        self._held: list[Record] | None = None

    def done(self, records: Iterable[Record]) -> Iterator[Record]:
        """The records without those of transactions that were aborted, or that nothing has ended yet."""
        for record in records:
            if record.is_snapshot:
                yield record
            elif record.type == BEGIN:
                self._held = []
            elif record.type == ABORT:
                self._held = None
            elif record.type == END:
                held, self._held = self._held or (), None
                yield from held
            elif self._held is None:
                yield record
            else:
                self._held.append(record)


def _base(snapshots: Iterable[int], first: int | None) -> int | None:
    """The snapshot that a log from this offset on continues; ``None`` if the log is complete, or without a snapshot."""
    if first == 0:
        return None
    before = [end for end in snapshots if first is None or end <= first]
    return max(before) if before else min(snapshots, default=None)
