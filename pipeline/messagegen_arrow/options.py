"""Options of sources: their error, and times among them."""

from __future__ import annotations

from datetime import datetime


class OptionError(ValueError):
    """Raised for an unknown option or an invalid value, with what is allowed."""


def time_text(moment: datetime) -> str:
    """A time as text, as options have it. Raises ``OptionError`` if it has no time zone."""
    if moment.tzinfo is None:
        raise OptionError(
            f"missing time zone in {moment!r}: write datetime(..., tzinfo=UTC), or use .astimezone() for local time"
        )
    return moment.isoformat()
