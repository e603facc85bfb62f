"""Whether a client works with a release, judged by the versions of an API that it used with other brokers.

A client uses the highest version that it and the broker have. So a used version that is lower than the broker's highest
version is the client's own highest version.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from messagegen_arrow.clients.releases import ApiSupport


class Verdict(Enum):
    """Whether a client works with a release, from good to bad. The value is the text for people."""

    WORKS = "works"
    FELL_BACK = "fell back"
    NEWER = "newer than the broker"
    SOME_GONE = "unknown: some versions are gone"
    NOT_KAFKA = "unknown: not an API of Kafka"
    NO_OFFER = "unknown: no ApiVersions response seen"
    CAPPED = "unknown: capped by the broker"
    BREAKS = "breaks"


_ORDER = tuple(Verdict)


@dataclass(frozen=True, slots=True)
class UsedVersion:
    """A version of an API that a client used, and the versions that the broker offered."""

    version: int
    offered: range | None
    """Empty if the broker did not offer the API, and ``None`` if its offer is unknown."""
    refused: bool = False
    """Whether the broker refused the version, and answered in version 0 (KIP-511)."""

    @property
    def is_capped(self) -> bool:
        """Whether the client may have used a higher version if the broker had offered it."""
        return self.offered is None or (len(self.offered) > 0 and self.version == self.offered[-1])


def worst(verdicts: Collection[Verdict]) -> Verdict:
    """Return the worst verdict; ``WORKS`` if there are none."""
    return max(verdicts, key=_ORDER.index, default=Verdict.WORKS)


def verdict(used: Collection[UsedVersion], api: ApiSupport) -> Verdict:
    """Return whether a client that used these versions of an API works with a release that supports ``api``."""
    if not api.versions:
        return {"removed": Verdict.BREAKS, "added later": Verdict.NEWER}.get(api.absence, Verdict.NOT_KAFKA)
    lowest, highest = api.versions[0], api.versions[-1]
    newest = max(each.version for each in used)
    if any(each.version in api.versions for each in used):
        if any(each.version < lowest and not each.is_capped for each in used):
            return Verdict.SOME_GONE
        return Verdict.FELL_BACK if any(each.refused and each.version > highest for each in used) else Verdict.WORKS
    if newest > highest:
        return Verdict.NEWER
    last = [each for each in used if each.version == newest]
    if any(not each.is_capped for each in last):
        return Verdict.BREAKS
    return Verdict.CAPPED if any(each.offered is not None for each in last) else Verdict.NO_OFFER
