"""The times of requested states, in milliseconds since 1970."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from messagegen_arrow.log.options import LogOptions, time_text

_OPTION: Final = "startingTimestamp"
"""The log option whose times have the same format."""


def parse_moment(at: datetime | int | str) -> int:
    """Return a time, in any form that ``read_log`` accepts, in milliseconds since 1970. Raises ``ValueError``."""
    text = time_text(at) if isinstance(at, datetime) else str(at)
    try:
        return LogOptions.parse({_OPTION: text}).bounds.min_timestamp
    except ValueError as error:
        raise ValueError(str(error).removeprefix(f"option {_OPTION}: ")) from None
