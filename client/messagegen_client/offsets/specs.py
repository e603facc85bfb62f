"""The offset of a partition to find: by time, or a special offset such as the first one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Final, Self

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_HIGHEST: Final = 2**63 - 1


class IsolationLevel(IntEnum):
    """The records that a search includes (upstream: ``org.apache.kafka.common.IsolationLevel``, KIP-98)."""

    READ_UNCOMMITTED = 0
    """Up to the high watermark: all records that all in-sync replicas have."""
    READ_COMMITTED = 1
    """Up to the last stable offset: all records before the first open transaction."""


@dataclass(frozen=True, slots=True)
class OffsetSpec:
    """The offset to find (upstream: ``org.apache.kafka.clients.admin.OffsetSpec``). Use the class methods.

    ``timestamp`` is its number in ListOffsets, ``lowest_version`` the first version of ListOffsets that supports it.
    """

    timestamp: int
    lowest_version: int = 1

    @property
    def always_there(self) -> bool:
        """Whether each partition has such an offset, even without records."""
        return self in (OffsetSpec.latest(), OffsetSpec.earliest())

    @classmethod
    def for_timestamp(cls, timestamp: int | datetime) -> Self:
        """Select the first record at or after a time. Raises the errors of ``milliseconds``."""
        return cls(milliseconds(timestamp))

    @classmethod
    def latest(cls) -> Self:
        """Select the end: the high watermark, or the last stable offset for ``READ_COMMITTED``."""
        return cls(-1)

    @classmethod
    def earliest(cls) -> Self:
        """Select the first record: the log start offset."""
        return cls(-2)

    @classmethod
    def max_timestamp(cls) -> Self:
        """Select the record with the greatest timestamp; if several have it, the first of them (KIP-734)."""
        return cls(-3, 7)

    @classmethod
    def earliest_local(cls) -> Self:
        """Select the first record in the local log of a tiered topic (KIP-405); in other topics, the first record."""
        return cls(-4, 8)

    @classmethod
    def latest_tiered(cls) -> Self:
        """Select the last offset in remote storage, if any (KIP-1005)."""
        return cls(-5, 9)

    @classmethod
    def earliest_pending_upload(cls) -> Self:
        """Select the first offset that is not in remote storage yet (KIP-1023)."""
        return cls(-6, 11)


def milliseconds(time: int | datetime) -> int:
    """Return a time in milliseconds since 1970 in UTC, the unit of record timestamps.

    ``time`` is a number of milliseconds, or a datetime with a time zone. A datetime is rounded up to a whole
    millisecond, which selects the same first record.

    Raises ``ValueError`` for a negative number (in ListOffsets it means a special offset), and for more than 63 bits.
    Raises it also for a number that is not an integer (even ``True`` and ``1.0``), and for a datetime without a time
    zone or before 1970.
    """
    if isinstance(time, datetime):
        if time.utcoffset() is None:
            raise ValueError(
                f"missing time zone in {time!r}: write datetime(..., tzinfo=UTC), or use .astimezone() for local time"
            )
        return _checked(-((_EPOCH - time) // _MILLISECOND), time)
    if type(time) is not int:
        raise ValueError(f"invalid time {time!r}: expected a whole number of milliseconds since 1970, or a datetime")
    return _checked(time, time)


def _checked(count: int, time: object) -> int:
    if count < 0:
        raise ValueError(f"invalid time {time!r}: it is negative or before 1970")
    if count > _HIGHEST:
        raise ValueError(f"invalid time {time!r}: the maximum is {_HIGHEST}")
    return count
