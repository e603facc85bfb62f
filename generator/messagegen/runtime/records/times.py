"""Reads the times that people write for the timestamps of records, such as the time from which to read a topic."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_TIME = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})"
    r"(?:[T ](?P<minute>(?:[01]\d|2[0-3]):[0-5]\d)(?P<second>:[0-5]\d)?(?:(?<=:\d\d:\d\d)\.(?P<fraction>\d{1,18}))?)?"
    r"(?P<zone>Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HIGHEST = 2**63 - 1
_EXAMPLES = "2026-11-01T00:00Z or 1793491200000"


def parse_timestamp(text: str) -> int:
    """The timestamp for ``text`` in milliseconds since 1970: the first at or after that time.

    ``text`` is a number of milliseconds, or a time in ISO 8601 with a time zone, such as ``2026-11-01T12:00:00.5+01:00``. A part
    below a millisecond is rounded up, so that the record is never before the time. Raises ``ValueError``, which says what to
    write instead, for a time without time zone (it would mean another moment on another machine), for one before 1970, and for
    a number above 2**63 - 1.
    """
    if text.isascii() and text.isdigit():
        digits = text.lstrip("0") or "0"
        if len(digits) > 19 or int(digits) > _HIGHEST:
            raise ValueError(f"invalid time {_shown(text)}: the maximum is {_HIGHEST} milliseconds")
        return int(digits)
    found = _TIME.fullmatch(text)
    try:
        moment = datetime.fromisoformat(_normal(found)) if found else None
    except ValueError:
        moment = None
    if found is None or moment is None:
        raise ValueError(f"invalid time {_shown(text)}: write for example {_EXAMPLES}")
    if not found["minute"] or not found["zone"]:
        missing = "time zone" if found["minute"] else "time and time zone"
        written = text.removesuffix(found["zone"] or "") if found["minute"] else f"{found['date']}T00:00"
        raise ValueError(f"missing {missing} in {_shown(text)}: write {written}Z for UTC, or {written}+01:00")
    fraction = found["fraction"] or "0"
    scale: int = 10 ** len(fraction)
    milliseconds = (moment - _EPOCH) // timedelta(milliseconds=1) - -int(fraction) * 1000 // scale
    if milliseconds < 0:
        raise ValueError(f"invalid time {_shown(text)}: it is before 1970")
    return milliseconds


def _normal(found: re.Match[str]) -> str:
    """The time in whole seconds, in a form that all versions of Python read."""
    zone = (found["zone"] or "Z").replace("Z", "+00:00")
    return f"{found['date']}T{found['minute'] or '00:00'}{found['second'] or ':00'}{zone}"


def _shown(text: str) -> str:
    return f"'{re.sub('[^ -~]', '?', text[:40])}'"
