"""Parses the options ``--time`` and ``--topic``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.specs import OffsetSpec

MOST_PARTITIONS: Final = 100_000
"""The most partitions in a range. No topic has more."""

_SPECIAL: Final[Mapping[str, OffsetSpec]] = {
    "earliest": OffsetSpec.earliest(),
    "latest": OffsetSpec.latest(),
    "max-timestamp": OffsetSpec.max_timestamp(),
    "earliest-local": OffsetSpec.earliest_local(),
    "latest-tiered": OffsetSpec.latest_tiered(),
    "earliest-pending-upload": OffsetSpec.earliest_pending_upload(),
}
_NUMBERED: Final = {str(spec.timestamp): spec for spec in _SPECIAL.values()}
UNITS: Final = {
    "ms": timedelta(milliseconds=1),
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_AGO: Final = re.compile(r"-([0-9]{1,15})(ms|[smhdw])")
_TOPIC: Final = re.compile(r"([^:]+)(?::([0-9]{1,10})(?:-([0-9]{1,10}))?)?")
_SECONDS: Final = re.compile(r"[1-9][0-9]{9}")  # from 2001 to 2286
_EXAMPLES: Final = "2026-11-01T00:00Z, 1793491200000, -2h, earliest"


class OptionError(ValueError):
    """An invalid option. The text says what to write instead."""


@dataclass(frozen=True, slots=True)
class TimeOption:
    """The option ``--time``: its text, and the offset to find."""

    text: str
    spec: OffsetSpec

    @property
    def timestamp(self) -> int | None:
        """The time in milliseconds since 1970, or ``None`` for a special offset."""
        return self.spec.timestamp if self.spec.timestamp >= 0 else None

    @property
    def warning(self) -> str | None:
        """A warning for ten digits, which are probably seconds and not milliseconds."""
        if not _SECONDS.fullmatch(self.text):
            return None
        return (
            f"{self.text} is in milliseconds ({iso(self.spec.timestamp)}); "
            f"for seconds write {self.text}000 ({iso(int(self.text) * 1000)})"
        )


def parse_time(text: str, now: datetime) -> TimeOption:
    """Parses ``--time``: ISO 8601 with a time zone, milliseconds since 1970, a duration before ``now``, or a special offset.

    ``-1`` to ``-6`` are the numbers of special offsets in ListOffsets and Kafka's tools. Raises ``OptionError``.
    """
    word = text.strip()
    place = _SPECIAL.get(word) or _NUMBERED.get(word)
    if place is not None:
        return TimeOption(word, place)
    try:
        if word.isascii() and word.isdigit():
            return TimeOption(word, OffsetSpec.for_timestamp(int(word[:20])))
        ago = _AGO.fullmatch(word)
        if ago:
            return TimeOption(word, OffsetSpec.for_timestamp(now - int(ago[1]) * UNITS[ago[2]]))
        return TimeOption(word, OffsetSpec.for_timestamp(_moment(word)))
    except OverflowError:
        raise OptionError(f"{text!r} is too long ago; write for example {_EXAMPLES}") from None
    except OptionError:
        raise
    except ValueError as problem:
        raise OptionError(f"{problem}; write for example {_EXAMPLES}") from None


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        known = ", ".join(_SPECIAL)
        raise OptionError(f"invalid time {text!r}; write for example {_EXAMPLES}, or one of {known}") from None
    if moment.utcoffset() is None:
        # With local time, the same command would mean another time on another machine.
        day = moment.isoformat(timespec="auto" if moment.second or moment.microsecond else "minutes")
        raise OptionError(f"missing time zone in {text!r}; write {day}Z for UTC, or {day}+01:00")
    return moment


def iso(timestamp: int) -> str:
    """A timestamp in milliseconds as ISO 8601 in UTC; as a number if it is after the year 9999."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=timestamp)
    except OverflowError:
        return str(timestamp)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_topics(texts: Iterable[str]) -> dict[str, tuple[int, ...] | None]:
    """Parses ``--topic``: topics in order, each with its partitions, or ``None`` for all. Raises ``OptionError``."""
    topics: dict[str, tuple[int, ...] | None] = {}
    for item in (item.strip() for text in texts for item in text.split(",")):
        match = _TOPIC.fullmatch(item)
        if match is None:
            raise OptionError(f"invalid topic {item!r}; write NAME, NAME:3 for a partition, or NAME:0-3 for a range")
        name, first, last = match.groups()
        named = topics.get(name, ())
        topics[name] = None if first is None or named is None else _united(name, named, int(first), int(last or first))
    return topics


def _united(name: str, named: Sequence[int], first: int, last: int) -> tuple[int, ...]:
    if last < first:
        raise OptionError(f"{name}:{first}-{last} is reversed; write {name}:{last}-{first}")
    if last - first >= MOST_PARTITIONS:
        raise OptionError(f"{name}:{first}-{last} has more than {MOST_PARTITIONS:,} partitions; write {name} for all")
    return tuple(dict.fromkeys([*named, *range(first, last + 1)]))


def named_partitions(topics: Mapping[str, tuple[int, ...] | None]) -> list[TopicPartition]:
    """The partitions that are given by number."""
    return [TopicPartition(name, number) for name, numbers in topics.items() for number in numbers or ()]
