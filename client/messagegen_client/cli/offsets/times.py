"""Parses the option ``--time``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import click

from messagegen_client.offsets.specs import OffsetSpec

_SPECIAL: Final[Mapping[str, OffsetSpec]] = {
    "earliest": OffsetSpec.earliest(),
    "latest": OffsetSpec.latest(),
    "max-timestamp": OffsetSpec.max_timestamp(),
    "earliest-local": OffsetSpec.earliest_local(),
    "latest-tiered": OffsetSpec.latest_tiered(),
    "earliest-pending-upload": OffsetSpec.earliest_pending_upload(),
}
_NUMBERED: Final = {str(spec.timestamp): spec for spec in _SPECIAL.values()}
_UNITS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
"""The units of durations, in milliseconds."""
_MOST_DIGITS: Final = 100
"""The most digits that are parsed: Python rejects numbers of some thousand digits. They are errors or zeros anyway."""
_FIRST_LIKELY: Final = 315_532_800_000
"""1980, in milliseconds: Kafka has no older records, and current times in seconds are smaller."""
_LAST_POSSIBLE: Final = 253_402_300_799_999
"""The end of the year 9999, in milliseconds."""
_DATES: Final = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
"""The formats of dates without dashes, by their number of digits."""
_YEARS: Final = range(1970, 2100)
_AGO: Final = re.compile(r"-([0-9]{1,15})(ms|[smhdw])")


@dataclass(frozen=True, slots=True)
class TimeOption:
    """The option ``--time``: its text, and the offset to find."""

    text: str
    spec: OffsetSpec

    @property
    def warnings(self) -> list[str]:
        """The warnings about a doubtful time."""
        doubt = doubt_about(self.text)
        return [] if doubt is None else [f"--time {doubt}"]

    @property
    def timestamp(self) -> int | None:
        """The time in milliseconds since 1970, or ``None`` for a special offset."""
        return self.spec.timestamp if self.spec.timestamp >= 0 else None


def doubt_about(text: str) -> str | None:
    """Return the meaning of a doubtful number of milliseconds, and the likely intention; ``None`` if it is plausible.

    ``tests/fixtures/timestamps.json`` has the cases, which ``messagegen-data dump`` shares.
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
    """Return the date that the digits may represent, in ISO 8601."""
    form = _DATES.get(len(text))
    if form is None:
        return None
    try:
        date = datetime.strptime(text, form).replace(tzinfo=UTC)
    except ValueError:
        return None
    if date.year not in _YEARS:
        return None
    precision = "seconds" if date.second else "minutes"
    return date.isoformat(timespec=precision).replace("+00:00", "Z")


def parse_time(text: str, now: datetime) -> TimeOption:
    """Parse milliseconds since 1970, a time in ISO 8601, a duration ago such as ``-2h``, or a special offset.

    ``-1`` to ``-6`` are the numbers of special offsets in ListOffsets and Kafka's tools. Raises ``click.UsageError``.
    """
    word = text.strip()
    place = _SPECIAL.get(word) or _NUMBERED.get(word)
    if place is not None:
        return TimeOption(word, place)
    try:
        return TimeOption(word, OffsetSpec.for_timestamp(_moment(word, now)))
    except OverflowError:
        raise click.UsageError(f"--time: {text!r} is too long ago.") from None
    except ValueError as problem:
        raise click.UsageError(f"--time: {problem}.") from None


def _moment(word: str, now: datetime) -> int | datetime:
    if ago := _AGO.fullmatch(word):
        return now - timedelta(milliseconds=int(ago[1]) * _UNITS[ago[2]])
    if word.isascii() and word.isdigit():
        return int(word)
    try:
        moment = datetime.fromisoformat(word)
    except ValueError:
        forms = f"2026-11-01T00:00Z, 1793491200000, -2h, or one of {', '.join(_SPECIAL)}"
        raise ValueError(f"invalid time {word!r}: write for example {forms}") from None
    if moment.tzinfo is None:
        written = moment.isoformat()
        raise ValueError(f"missing time zone in {word!r}: write {written}Z for UTC, or {written}+01:00")
    return moment


def iso(timestamp: int) -> str:
    """Return a timestamp in milliseconds as ISO 8601 in UTC, or as a number if it is after the year 9999."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=timestamp)
    except OverflowError:
        return str(timestamp)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
