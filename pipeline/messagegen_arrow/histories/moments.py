"""Times of requested states, in milliseconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from messagegen_arrow.log.options import LogOptions, time_text

_OPTION: Final = "startingTimestamp"
"""The option of logs whose times are written in the same way."""
_UNIX: Final = datetime(1970, 1, 1, tzinfo=UTC)


def parse_moment(at: datetime | int | str) -> int:
    """Return a time as ``read_log`` takes it, in milliseconds since 1970. Raises ``ValueError``."""
    text = time_text(at) if isinstance(at, datetime) else str(at)
    try:
        return LogOptions.parse({_OPTION: text}).bounds.min_timestamp
    except ValueError as error:
        raise ValueError(str(error).removeprefix(f"option {_OPTION}: ")) from None


def shown_moment(milliseconds: int) -> str:
    """Return a time in ISO 8601, or the number if its year does not have four digits."""
    try:
        moment = _UNIX + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return str(milliseconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
