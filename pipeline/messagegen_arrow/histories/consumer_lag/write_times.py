"""When the records of partitions were written."""

from __future__ import annotations

from array import array
from bisect import bisect_right

_UNKNOWN = -(1 << 63)
"""The time of records of which nobody knows when they were written."""


class WriteTimes:
    """When the records of a partition were written, from the ends of its batches. 24 bytes for each of them.

    Timestamps of producers (CreateTime) may be older than those of the records before them, but no record was written
    before the records before it. So a batch was written at the latest timestamp of the batches up to it.
    """

    def __init__(self) -> None:
        self._ends = array("q")
        self._own = array("q")
        """The timestamps of the batches."""
        self._latest = array("q")
        """The latest timestamps of the batches up to each of them."""

    def add(self, end: int, own: int | None, latest_of_lower: int) -> None:
        """Adds a batch, in the order of the ends; ``own`` is ``None`` if its records are gone or have no timestamp."""
        self._ends.append(end)
        self._own.append(_UNKNOWN if own is None else own)
        self._latest.append(_UNKNOWN if own is None else max(own, latest_of_lower))

    def at(self, time: int, offset: int) -> int | None:
        """When the record with this offset was written, for a reader who waited for it at this time.

        A timestamp that is later than ``time`` is not when a record was written that was there. If there is one before
        the record, the timestamp of the record's own batch counts. ``None`` if the time is not known.
        """
        place = bisect_right(self._ends, offset)
        if place == len(self._ends):
            return None
        own = self._own[place]
        if own == _UNKNOWN or own > time:
            return None
        latest = self._latest[place]
        return own if latest > time else latest
