"""Which offset of a partition is meant: one by time, or one of the places that Kafka knows by a name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Final, Self

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_HIGHEST: Final = 2**63 - 1


class IsolationLevel(IntEnum):
    """How far a search may see (upstream: ``org.apache.kafka.common.IsolationLevel``, KIP-98)."""

    READ_UNCOMMITTED = 0
    """Up to the high watermark: everything that all replicas in sync have."""
    READ_COMMITTED = 1
    """Up to the last stable offset: everything before the first transaction that is still open."""


@dataclass(frozen=True, slots=True)
class OffsetSpec:
    """The offset that is meant (upstream: ``org.apache.kafka.clients.admin.OffsetSpec``); made by its class methods.

    ``timestamp`` is how ListOffsets says it, ``lowest_version`` the first version of ListOffsets that knows it.
    """

    timestamp: int
    lowest_version: int = 1

    @property
    def always_there(self) -> bool:
        """Whether each partition has such an offset, even one without records."""
        return self in (OffsetSpec.latest(), OffsetSpec.earliest())

    @classmethod
    def for_timestamp(cls, timestamp: int | datetime) -> Self:
        """The first record whose timestamp is that late or later; raises as ``milliseconds`` does."""
        return cls(milliseconds(timestamp))

    @classmethod
    def latest(cls) -> Self:
        """Behind the last record: the high watermark, or the last stable offset for ``READ_COMMITTED``."""
        return cls(-1)

    @classmethod
    def earliest(cls) -> Self:
        """The first record that is left: the log start offset."""
        return cls(-2)

    @classmethod
    def max_timestamp(cls) -> Self:
        """The record with the greatest timestamp, the first of them if there are several (KIP-734)."""
        return cls(-3, 7)

    @classmethod
    def earliest_local(cls) -> Self:
        """The first record in the local log of a tiered topic (KIP-405); of other topics the first record."""
        return cls(-4, 8)

    @classmethod
    def latest_tiered(cls) -> Self:
        """The last offset in remote storage (KIP-1005); there is none where nothing is."""
        return cls(-5, 9)

    @classmethod
    def earliest_pending_upload(cls) -> Self:
        """The first offset that has yet to go to remote storage (KIP-1023)."""
        return cls(-6, 11)


def milliseconds(time: int | datetime) -> int:
    """Milliseconds since 1970 in UTC, as the timestamps of records count them.

    ``time`` is such a number, or a datetime with a time zone. Records have no parts of milliseconds, so a datetime is rounded
    up: the first record at or after it is the first at or after the next whole millisecond.

    Raises ``ValueError`` for a negative number (ListOffsets would read it as the name of a place), for more than 63 bits,
    for what is no integer (``True`` and ``1.0`` included), and for a datetime without time zone or before 1970.
    """
    if isinstance(time, datetime):
        if time.utcoffset() is None:
            raise ValueError(
                f"{time!r} has no time zone: write datetime(..., tzinfo=UTC), or .astimezone() for local time"
            )
        return _checked(-((_EPOCH - time) // _MILLISECOND), time)
    if type(time) is not int:
        raise ValueError(f"a target time is a whole number of milliseconds since 1970 or a datetime, not {time!r}")
    return _checked(time, time)


def _checked(count: int, time: object) -> int:
    if count < 0:
        raise ValueError(f"a target time must not be negative, that is before 1970: {time!r}")
    if count > _HIGHEST:
        raise ValueError(f"a target time is at most {_HIGHEST}, not {time!r}")
    return count
