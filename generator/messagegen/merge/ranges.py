"""Version ranges of two specs put together: some versions are as in the newer spec, the others as in the older one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from messagegen.versions import HIGHEST_VERSION, NONE, VersionRange


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
        every = self.newer | self.older
        return _one_range(every, range(min(every), max(every)), "validVersions")

    def join(self, newer: VersionRange, older: VersionRange, what: str) -> VersionRange:
        """The versions of a property, of which each spec says its part; open-ended if the last one is.

        Raises ``CannotMergeError`` if there are gaps between them.
        """
        every = self.newer | self.older
        versions = {version for version in self.newer if version in newer}
        versions |= {version for version in self.older if version in older}
        found = _one_range(versions, every, what)
        is_open = found.highest == max(every) and (newer.open_ended or older.open_ended)
        return VersionRange(found.lowest, HIGHEST_VERSION) if is_open else found


def _one_range(versions: Collection[int], every: Iterable[int], what: str) -> VersionRange:
    if not versions:
        return NONE
    found = VersionRange(min(versions), max(versions))
    gaps = sorted(version for version in every if version in found and version not in versions)
    if gaps:
        raise CannotMergeError(f"{what}: {found} without {', '.join(map(str, gaps))} is not one range")
    return found
