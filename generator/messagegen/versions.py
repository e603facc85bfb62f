"""Version ranges, such as Kafka's ``"3"``, ``"0-9"``, ``"2+"`` and ``"none"``, and maps from ranges to values.

The algebra follows Apache's ``org.apache.kafka.message.Versions``; versions are 16-bit signed integers, so an
open-ended range ends at 32,767.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")

HIGHEST_VERSION: Final = 32767
_RANGE = re.compile(r"(?P<lowest>[0-9]{1,5})(?:(?P<open>\+)|-(?P<highest>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class VersionRange:
    """A contiguous range of message versions, including both ends; ``NONE`` is the only empty range.

    The constructor raises ``ValueError`` if an end is outside 0 to 32,767, or if the ends are in the wrong order.
    """

    lowest: int
    highest: int

    def __post_init__(self) -> None:
        if (self.lowest, self.highest) == (0, -1):
            return
        if not 0 <= self.lowest <= HIGHEST_VERSION or not 0 <= self.highest <= HIGHEST_VERSION:
            raise ValueError(f"versions run from 0 to {HIGHEST_VERSION}, not {self.lowest} to {self.highest}")
        if self.lowest > self.highest:
            raise ValueError(f"invalid version range {self.lowest}-{self.highest}: the lowest comes first")

    @classmethod
    def parse(cls, text: str) -> VersionRange:
        """Parse ``"V"``, ``"A-B"``, ``"A+"`` or ``"none"``; surrounding whitespace is allowed, as in Apache's parser.

        Raise ``ValueError`` with advice for any other text.
        """
        stripped = text.strip()
        if stripped == "none":
            return NONE
        match = _RANGE.fullmatch(stripped)
        if match is None:
            raise ValueError(f'invalid version range "{text}"; write "3", "0-9", "2+" or "none"')
        lowest = int(match["lowest"])
        if match["open"]:
            return cls(lowest, HIGHEST_VERSION)
        return cls(lowest, int(match["highest"]) if match["highest"] else lowest)

    @property
    def empty(self) -> bool:
        """Whether the range contains no version."""
        return self.lowest > self.highest

    @property
    def open_ended(self) -> bool:
        """Whether the range has no upper end, and is written with a plus sign."""
        return self.highest == HIGHEST_VERSION

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.lowest <= version <= self.highest

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.lowest, self.highest + 1))

    def covers(self, other: VersionRange) -> bool:
        """Whether this range contains every version of ``other``; every range contains the empty range."""
        return other.empty or (self.lowest <= other.lowest and other.highest <= self.highest)

    def intersect(self, other: VersionRange) -> VersionRange:
        """Return the versions in both ranges."""
        lowest, highest = max(self.lowest, other.lowest), min(self.highest, other.highest)
        return VersionRange(lowest, highest) if lowest <= highest else NONE

    def clamp(self, version: int) -> int:
        """Return the version in this range that is nearest to ``version``."""
        return min(max(version, self.lowest), self.highest)

    def __str__(self) -> str:
        if self.empty:
            return "none"
        if self.lowest == self.highest:
            return str(self.lowest)
        return f"{self.lowest}+" if self.open_ended else f"{self.lowest}-{self.highest}"


NONE: Final = VersionRange(0, -1)
ALL: Final = VersionRange(0, HIGHEST_VERSION)
_MOST_SHOWN: Final = 8
"""The maximum number of ranges in a message."""


def versions_text(ranges: Sequence[VersionRange]) -> str:
    """Return ranges as text, such as ``version 3`` or ``versions 0-2 and 5+``; only the first eight are shown."""
    texts = [str(one) for one in ranges[:_MOST_SHOWN]]
    if len(ranges) > _MOST_SHOWN:
        texts.append("more")
    if len(texts) == 1:
        return f"versions {texts[0]}" if ranges[0].lowest < ranges[0].highest else f"version {texts[0]}"
    return f"versions {', '.join(texts[:-1])} and {texts[-1]}"


def ranges_of(versions: Iterable[int]) -> list[VersionRange]:
    """Return the fewest ranges that contain exactly these versions, lowest first."""
    ranges: list[VersionRange] = []
    for version in sorted({*versions}):
        if ranges and ranges[-1].highest == version - 1:
            ranges[-1] = VersionRange(ranges[-1].lowest, version)
        else:
            ranges.append(VersionRange(version, version))
    return ranges


@dataclass(frozen=True, slots=True)
class VersionMap(Generic[T]):
    """Values by version range, in ascending order of the ranges, which do not overlap."""

    entries: tuple[tuple[VersionRange, T], ...]

    def get(self, version: int) -> T | None:
        """Return the value for ``version``, or ``None`` if no range contains it."""
        for versions, value in self.entries:
            if version in versions:
                return value
        return None

    def values(self) -> tuple[T, ...]:
        """Return the values in ascending order of their ranges."""
        return tuple(value for _, value in self.entries)
