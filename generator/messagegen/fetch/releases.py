"""Facts about Kafka's releases: the newest one, and which artifacts contain message specs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

NEWEST_RELEASE: Final = "4.4.0"
"""The newest release that this version of messagegen knows and is tested with."""

KAFKA_ARTIFACTS: Final = (
    "kafka-clients",
    "kafka-group-coordinator",
    "kafka-metadata",
    "kafka-raft",
    "kafka-share-coordinator",
    "kafka-storage",
    "kafka-transaction-coordinator",
)
"""The artifacts that contain message specs since Kafka 4.0; earlier releases lack some of them."""

LOCK_NAME: Final = "messagegen-specs.lock"
"""The file in a folder of fetched specs that names their release and has their digests."""

_CORE: Final = "kafka_2.13"
_CORE_RELEASES: Final = ((2, 8), (3, 8))
"""The first and the last minor release with coordinator specs in the broker's own jar."""


_SCHEME: Final = "kafka:"


def release_of(source: Path) -> str | None:
    """The release that a source of specs names, as in ``kafka:4.4.0``; ``None`` for a folder or file."""
    text = source.as_posix()
    return text.removeprefix(_SCHEME) if text.startswith(_SCHEME) else None


def release_cache() -> Path:
    """The folder in the user's cache that has a folder of specs for each release that was fetched."""
    return user_cache_path("messagegen") / "specs"


def artifacts_of(release: str) -> tuple[str, ...]:
    """The artifacts to search for message specs in a release such as ``"3.6.2"``; some may not exist."""
    lowest, highest = _CORE_RELEASES
    numbers = tuple(map(int, re.findall(r"\d+", release)[:2]))
    return (*KAFKA_ARTIFACTS, _CORE) if lowest <= numbers <= highest else KAFKA_ARTIFACTS
