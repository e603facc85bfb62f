"""The times when the records of partitions were written."""

from __future__ import annotations

from array import array
from bisect import bisect_right

_UNKNOWN = -(1 << 63)
"""In place of an unknown time."""


class WriteTimes:
    """The times when the records of a partition were written. Each batch takes 24 bytes of memory.

    Timestamps from producers (CreateTime) may be older than the timestamps of earlier records. But no record was
    written before the records that precede it. So the time of a batch is the latest timestamp of all batches up to it.
    """

    def __init__(self) -> None:
        self._ends = array("q")
        self._own = array("q")
        """The timestamps of the batches."""
        self._latest = array("q")
        """For each batch, the latest timestamp of all batches up to it."""

    def add(self, end: int, own: int | None, latest_of_lower: int) -> None:
        """Add a batch, in the order of ends; ``own`` is ``None`` if the records are gone or have no timestamp."""
        self._ends.append(end)
        self._own.append(_UNKNOWN if own is None else own)
        self._latest.append(_UNKNOWN if own is None else max(own, latest_of_lower))

    def at(self, time: int, offset: int) -> int | None:
        """Return the time when the record at ``offset`` was written; a consumer had not processed it at ``time``.

        The record existed at ``time``, so a later timestamp must be wrong. If an earlier batch has such a timestamp,
        the timestamp of the record's own batch is used. Returns ``None`` if the time is unknown.
        """
        place = bisect_right(self._ends, offset)
        if place == len(self._ends):
            return None
        own = self._own[place]
        if own == _UNKNOWN or own > time:
            return None
        latest = self._latest[place]
        return own if latest > time else latest
