"""Whether a client works with a release, judged by the versions of an API that it used with other brokers.

A client uses the highest version that it and the broker have. So a used version that is lower than the broker's highest
version is the client's own highest version.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from messagegen_arrow.clients.releases import Absence, ApiSupport


class Verdict(Enum):
    """Whether a client works with a release, from good to bad. The value is the text for people."""

    WORKS = "works"
    FELL_BACK = "fell back"
    NEWER = "newer than the broker"
    SOME_GONE = "unknown: some versions are gone"
    NOT_KAFKA = "unknown: not an API of Kafka"
    NO_OFFER = "unknown: no offer of the broker"
    CAPPED = "unknown: capped by the broker"
    BREAKS = "breaks"

    @property
    def badness(self) -> int:
        """The position in the order from good to bad."""
        return list(Verdict).index(self)


_WITHOUT_THE_API: Final[Mapping[Absence, Verdict]] = {
    "removed": Verdict.BREAKS,
    "added later": Verdict.NEWER,
    "never": Verdict.NOT_KAFKA,
}

NOT_OFFERED: Final = -1
"""The highest version of an API that a broker does not offer."""


@dataclass(frozen=True, slots=True)
class UsedVersion:
    """A version of an API that a client used, and the highest version that the broker offered."""

    version: int
    highest_offered: int | None
    """``NOT_OFFERED`` if the broker did not offer the API, and ``None`` if its offer is unknown."""
    is_refused: bool = False
    """Whether the broker refused the version, and answered in version 0 (KIP-511)."""


def worst(verdicts: Collection[Verdict]) -> Verdict:
    """Return the worst verdict; ``WORKS`` if there are none."""
    return max(verdicts, key=lambda each: each.badness, default=Verdict.WORKS)


def verdict(used: Collection[UsedVersion], api: ApiSupport) -> Verdict:
    """Return whether a client that used these versions of an API works with a release that supports ``api``."""
    if not api.versions:
        return _WITHOUT_THE_API[api.absence]
    missing = [each for each in used if each.version not in api.versions]
    if not missing:
        return Verdict.WORKS
    newest = max(each.version for each in missing)
    if len(missing) < len(used):
        refused = {each.version for each in used if each.is_refused}
        if all(each.version in refused for each in missing):
            return Verdict.FELL_BACK
        is_gone = any(each.version < api.versions[0] for each in missing)
        return Verdict.SOME_GONE if is_gone else Verdict.NEWER
    if newest > api.versions[-1]:
        return Verdict.NEWER
    offered = {each.highest_offered for each in missing if each.version == newest}
    if offered == {None}:
        return Verdict.NO_OFFER
    return Verdict.CAPPED if offered <= {None, newest} else Verdict.BREAKS
