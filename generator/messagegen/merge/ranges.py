"""Version ranges of two specs put together: some versions are as in the newer spec, the others as in the older one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from messagegen.versions import NONE, VersionRange


class CannotMergeError(ValueError):
    """Raised for what the spec language cannot express; the text says what and where."""


@dataclass(frozen=True, slots=True)
class Split:
    """Which versions of a message are as in the newer spec, and which as in the older one."""

    newer: frozenset[int]
    older: frozenset[int]

    @property
    def valid(self) -> VersionRange:
        """All versions. Raises ``CannotMergeError`` if there are gaps between them."""
        return self._range(self.newer | self.older, "validVersions")

    def join(self, newer: VersionRange, older: VersionRange, what: str) -> VersionRange:
        """The versions of a property, of which each spec says its part; open-ended if the last one is.

        Raises ``CannotMergeError`` if there are gaps between them.
        """
        versions = {version for version in self.newer if version in newer}
        versions |= {version for version in self.older if version in older}
        return self._range(versions, what, newer.open_ended or older.open_ended)

    def _range(self, versions: Collection[int], what: str, open_ended: bool = False) -> VersionRange:
        if not versions:
            return NONE
        every = self.newer | self.older
        lowest, highest = min(versions), max(versions)
        gaps = sorted(every.intersection(range(lowest, highest)) - set(versions))
        if what == "validVersions":
            gaps = sorted(set(range(lowest, highest)) - set(versions))
        if gaps:
            raise CannotMergeError(f"{what}: {lowest}-{highest} without {', '.join(map(str, gaps))} is not one range")
        return VersionRange(lowest, VersionRange.parse("0+").highest if open_ended and highest == max(every) else highest)
