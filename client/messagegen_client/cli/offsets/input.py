"""What the options of ``kafka-offsets`` mean: which time or place, and which partitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from messagegen_client.net.partitions import TopicPartition
from messagegen_client.offsets.specs import OffsetSpec

MOST_PARTITIONS: Final = 100_000
"""So many partitions can be named for one topic; no topic has more."""

_PLACES: Final[Mapping[str, OffsetSpec]] = {
    "earliest": OffsetSpec.earliest(),
    "latest": OffsetSpec.latest(),
    "max-timestamp": OffsetSpec.max_timestamp(),
    "earliest-local": OffsetSpec.earliest_local(),
    "latest-tiered": OffsetSpec.latest_tiered(),
    "earliest-pending-upload": OffsetSpec.earliest_pending_upload(),
}
_NUMBERED: Final = {str(spec.timestamp): spec for spec in _PLACES.values()}
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
    """An option that can't be read; says what to write instead."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What ``--time`` asks for: as it was written, and as ListOffsets says it."""

    text: str
    spec: OffsetSpec

    @property
    def timestamp(self) -> int | None:
        """The target time in milliseconds since 1970, or ``None`` for a place with a name."""
        return self.spec.timestamp if self.spec.timestamp >= 0 else None

    @property
    def doubt(self) -> str | None:
        """Why the time is hardly what was meant: ten digits are seconds in most places, and milliseconds here."""
        if not _SECONDS.fullmatch(self.text):
            return None
        return (
            f"{self.text} is in milliseconds, which is {iso(self.spec.timestamp)}; "
            f"if seconds are meant, write {self.text}000 ({iso(int(self.text) * 1000)})"
        )


def parse_time(text: str, now: datetime) -> Wanted:
    """Reads ``--time``: ISO 8601 with a time zone, milliseconds since 1970, so much before ``now``, or the name of a place.

    ``-1`` to ``-6`` are places too, as ListOffsets and Kafka's own tools number them. Raises ``OptionError``.
    """
    word = text.strip()
    place = _PLACES.get(word) or _NUMBERED.get(word)
    if place is not None:
        return Wanted(word, place)
    try:
        if word.isascii() and word.isdigit():
            return Wanted(word, OffsetSpec.for_timestamp(int(word[:20])))
        ago = _AGO.fullmatch(word)
        if ago:
            return Wanted(word, OffsetSpec.for_timestamp(now - int(ago[1]) * UNITS[ago[2]]))
        return Wanted(word, OffsetSpec.for_timestamp(_moment(word)))
    except OverflowError:
        raise OptionError(f"{text!r} lies too far back; write for example {_EXAMPLES}") from None
    except OptionError:
        raise
    except ValueError as problem:
        raise OptionError(f"{problem}; write for example {_EXAMPLES}") from None


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        known = ", ".join(_PLACES)
        raise OptionError(f"{text!r} is no time; write for example {_EXAMPLES}, or one of {known}") from None
    if moment.utcoffset() is None:
        # Local time would make the same command mean something else on another machine.
        day = moment.isoformat(timespec="auto" if moment.second or moment.microsecond else "minutes")
        raise OptionError(f"{text!r} has no time zone; write {day}Z for UTC, or {day}+01:00")
    return moment


def iso(timestamp: int) -> str:
    """A timestamp in milliseconds as ISO 8601 in UTC; as a plain number where it is beyond the year 9999."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=timestamp)
    except OverflowError:
        return str(timestamp)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_topics(texts: Iterable[str]) -> dict[str, tuple[int, ...] | None]:
    """Reads ``--topic``: topics in order, each with the partitions that are named, or ``None`` for all of them.

    Raises ``OptionError``.
    """
    topics: dict[str, tuple[int, ...] | None] = {}
    for item in (item.strip() for text in texts for item in text.split(",")):
        match = _TOPIC.fullmatch(item)
        if match is None:
            raise OptionError(f"{item!r} is no topic; write NAME, NAME:3 for a partition, or NAME:0-3 for several")
        name, first, last = match.groups()
        named = topics.get(name, ())
        topics[name] = None if first is None or named is None else _united(name, named, int(first), int(last or first))
    return topics


def _united(name: str, named: Sequence[int], first: int, last: int) -> tuple[int, ...]:
    if last < first:
        raise OptionError(f"{name}:{first}-{last} runs backwards; write {name}:{last}-{first}")
    if last - first >= MOST_PARTITIONS:
        raise OptionError(
            f"{name}:{first}-{last} are more than {MOST_PARTITIONS:,} partitions; write {name} for all it has"
        )
    return tuple(dict.fromkeys([*named, *range(first, last + 1)]))


def named_partitions(topics: Mapping[str, tuple[int, ...] | None]) -> list[TopicPartition]:
    """The partitions that were named one by one."""
    return [TopicPartition(name, number) for name, numbers in topics.items() for number in numbers or ()]
