"""Parses the option ``--time``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import click

from messagegen_client.console.times import NOW, doubt_about, moment_ago
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


@dataclass(frozen=True, slots=True)
class TimeOption:
    """The option ``--time``: its text, and the offset to find."""

    text: str
    spec: OffsetSpec

    @property
    def warnings(self) -> list[str]:
        """A warning if the time looks wrong, otherwise nothing."""
        if self.text == NOW:
            return ["--time now finds records from now on; for the offset after the last record, write latest"]
        doubt = doubt_about(self.text)
        return [] if doubt is None else [f"--time {doubt}"]

    @property
    def timestamp(self) -> int | None:
        """The time in milliseconds since 1970, or ``None`` for a special offset."""
        return self.spec.timestamp if self.spec.timestamp >= 0 else None


def parse_time(text: str, now: datetime) -> TimeOption:
    """Parse milliseconds since 1970, a time in ISO 8601, ``now``, a duration ago such as ``-2h``, or a special offset.

    ``-1`` to ``-6`` are the numbers of special offsets in ListOffsets and Kafka's tools. Raises ``click.UsageError``.
    """
    word = text.strip()
    place = _SPECIAL.get(word) or _NUMBERED.get(word)
    if place is not None:
        return TimeOption(word, place)
    try:
        return TimeOption(word, OffsetSpec.for_timestamp(_moment(word, now)))
    except OverflowError:
        raise click.UsageError(f"--time: {text!r} is too long ago; write a time since 1970.") from None
    except ValueError as problem:
        raise click.UsageError(f"--time: {problem}.") from None


def _moment(word: str, now: datetime) -> int | datetime:
    if (ago := moment_ago(word, now)) is not None:
        return ago
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
