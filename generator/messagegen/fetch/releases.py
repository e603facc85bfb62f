"""Facts about Kafka's releases: their numbers, and the artifacts that contain message specs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from messagegen.findings import UsageError

NEWEST_RELEASE: Final = "4.4.0"
"""The newest release that this version of messagegen knows and is tested with."""

RELEASES: Final = (
    "2.4.1",
    "2.5.1",
    "2.6.3",
    "2.7.2",
    "2.8.2",
    "3.0.2",
    "3.1.2",
    "3.2.3",
    "3.3.2",
    "3.4.1",
    "3.5.2",
    "3.6.2",
    "3.7.2",
    "3.8.1",
    "3.9.2",
    "4.0.2",
    "4.1.2",
    "4.2.2",
    "4.3.1",
    "4.4.0",
)
"""The newest patch of each minor release with specs, in order."""

_ARTIFACTS: Final = {
    "kafka-clients": ((0, 0), None),
    "kafka-raft": ((2, 7), None),
    "kafka-metadata": ((2, 8), None),
    "kafka_2.13": ((2, 8), (3, 8)),
    "kafka-storage": ((3, 0), None),
    "kafka-group-coordinator": ((3, 5), None),
    "kafka-transaction-coordinator": ((3, 9), None),
    "kafka-share-coordinator": ((4, 0), None),
}
"""The artifacts that contain message specs, each with the first and the last minor release that does."""

LOCK_NAME: Final = "messagegen-specs.lock"
"""The file in a folder of fetched specs that contains their release and their digests."""

_SCHEME: Final = "kafka:"


def release_of(source: Path) -> str | None:
    """Return the release, or the range of releases, that a source of specs names; ``None`` for a folder or file.

    ``kafka:4.4.0`` names 4.4.0, and ``kafka:2.7`` names 2.7.2, the newest patch of this minor release.
    """
    text = source.as_posix()
    return with_patch(text.removeprefix(_SCHEME)) if text.startswith(_SCHEME) else None


def with_patch(release: str) -> str:
    """Return the newest patch of a minor release such as ``2.7``.

    Other text, such as an unknown release, is returned unchanged.
    """
    return next((known for known in RELEASES if _minor(known) == release), release)


def release_cache() -> Path:
    """Return the folder in the user's cache that contains a folder of specs for each fetched release."""
    return user_cache_path("messagegen") / "specs"


def artifacts_of(release: str) -> list[str]:
    """Return the artifacts that contain message specs in a release such as ``"3.6.2"``."""
    numbers = tuple(map(int, re.findall(r"\d+", release)[:2]))
    return [
        name for name, (first, last) in _ARTIFACTS.items() if first <= numbers and (last is None or numbers <= last)
    ]


def releases_between(text: str) -> tuple[str, ...] | None:
    """Return the releases of a range such as ``2.4..4.4``, including the last one; ``None`` for other text.

    Each end of the range is a minor release, or a release with all its numbers. Raise ``UsageError`` if a release is
    unknown, or if the newer release comes first.
    """
    first, dots, last = text.partition("..")
    if not dots:
        return None
    ends: list[int] = []
    for end in (first, last):
        release = with_patch(end)
        if release not in RELEASES:
            raise UsageError(f"unknown release {end!r}; {_known_instead_of(end)}")
        ends.append(RELEASES.index(release))
    if ends[0] > ends[1]:
        raise UsageError(f"{first} is newer than {last}; write the older release first")
    return RELEASES[ends[0] : ends[1] + 1]


def _known_instead_of(release: str) -> str:
    """Return advice on which release to write."""
    minor = _minor(release)
    known = with_patch(minor)
    if known in RELEASES:
        return f"write {minor} or {known}, the only patch of {minor} here"
    return f"expected one of {', '.join(RELEASES)}, or 2.4 for 2.4.1"


def releases_of(text: str) -> tuple[str, ...]:
    """Return the releases that a range such as ``2.8..4.4`` or a single release names, from old to new.

    Raise ``UsageError`` as ``releases_between`` does.
    """
    return releases_between(text) or releases_between(f"{text}..{text}") or ()


def _minor(release: str) -> str:
    """Return the minor release of a release."""
    return release.rpartition(".")[0]
