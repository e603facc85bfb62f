"""Times on the command line: durations before now, and numbers that are probably not milliseconds."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

NOW: Final = "now"
"""The text of the current time."""

_UNIX: Final = datetime(1970, 1, 1, tzinfo=UTC)
_AGO: Final = re.compile(r"-([0-9]{1,15})(ms|[smhdw])")
_UNITS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
"""The units of durations, in milliseconds."""
_MOST_DIGITS: Final = 100
"""The maximum number of digits to parse. Python rejects thousands of digits; such numbers are errors or zeros."""
_FIRST_LIKELY: Final = 315_532_800_000
"""The start of 1980 in milliseconds: Kafka has no older records, and current times in seconds are smaller numbers."""
_LAST_POSSIBLE: Final = 253_402_300_799_999
"""The end of the year 9999, in milliseconds."""
_DATES: Final = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
"""The formats of dates without dashes, by their number of digits."""
_YEARS: Final = range(1970, 2100)


def iso(milliseconds: int) -> str:
    """Return a time in milliseconds since 1970 as ISO 8601 in UTC, or the number if it is not in years 1 to 9999."""
    try:
        moment = _UNIX + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return str(milliseconds)
    return _in_utc(moment, "milliseconds")


def moment_ago(text: str, now: datetime) -> datetime | None:
    """Return the time for "now", or for a duration before ``now`` such as ``-2h``; ``None`` for other texts.

    Raise ``ValueError`` if the time is before the year 1.
    """
    word = text.strip()
    if word == NOW:
        return now
    ago = _AGO.fullmatch(word)
    if ago is None:
        return None
    try:
        return now - timedelta(milliseconds=int(ago[1]) * _UNITS[ago[2]])
    except OverflowError:
        raise ValueError(f"{text!r} is too long ago") from None


def doubt_about(text: str) -> str | None:
    """Return a sentence with the meaning of an unlikely number of milliseconds, and a likely alternative.

    Return ``None`` for a likely number, and for text that is not a number.
    """
    if not (text.isascii() and text.isdigit()) or len(text) > _MOST_DIGITS:
        return None
    number = int(text)
    is_possible = number <= _LAST_POSSIBLE
    if (date := _date(text)) is not None:
        advice = f"for a date, write {date}"
    elif 0 < number < _FIRST_LIKELY:
        advice = f"for seconds, write {number * 1000}"
    elif is_possible:
        return None
    elif number // 1000 <= _LAST_POSSIBLE:
        advice = f"for microseconds, write {number // 1000}"
    else:
        advice = f"for nanoseconds, write {number // 1_000_000}"
    meaning = iso(number) if is_possible else "a time after the year 9999"
    return f"{text} means {meaning} in milliseconds; {advice}"


def _date(text: str) -> str | None:
    """Return the date that digits such as ``20240131`` may mean, in ISO 8601; otherwise ``None``."""
    form = _DATES.get(len(text))
    if form is None:
        return None
    try:
        date = datetime.strptime(text, form).replace(tzinfo=UTC)
    except ValueError:
        return None
    if date.year not in _YEARS:
        return None
    return _in_utc(date, "seconds" if date.second else "minutes")


def _in_utc(moment: datetime, precision: str) -> str:
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")
