"""The ids of consumed topics: a topic that was deleted and created again has the same name and another id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from messagegen_arrow.files import is_url
from messagegen_arrow.log.planning import find_logs

TopicIds = Mapping[str, AbstractSet[str]]
"""The ids of topics by name, as text: several if logs of different topics are given together."""

_METADATA_FILE: Final = "partition.metadata"
"""Brokers write it into the folder of each partition since Kafka 2.8 (upstream: ``PartitionMetadataFile``)."""
_LABEL: Final = "topic_id:"
_MOST_BYTES: Final = 1 << 10
"""The file has two short lines."""


def topic_ids(paths: Sequence[str]) -> TopicIds:
    """The ids of the topics whose logs are at these paths, without those in object stores.

    Raises what ``find_logs`` raises.
    """
    found: dict[str, set[str]] = {}
    for log in find_logs(paths):
        if log.topic is None or is_url(log.folder):
            continue
        known = _topic_id(Path(log.folder) / _METADATA_FILE)
        if known is not None:
            found.setdefault(log.topic, set()).add(known)
    return found


def _topic_id(file: Path) -> str | None:
    """The id in a file; ``None`` if it is not there, cannot be read, or is not a regular file."""
    try:
        if not file.is_file():
            return None
        with file.open("rb") as opened:
            lines = opened.read(_MOST_BYTES).decode(errors="replace").splitlines()
    except OSError:
        return None
    return next((line.removeprefix(_LABEL).strip() for line in lines if line.startswith(_LABEL)), None)
