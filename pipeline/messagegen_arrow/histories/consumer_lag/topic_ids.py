"""The ids of consumed topics: a topic that was deleted and created again has the same name, but a different id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from messagegen_arrow.files import is_url, joined
from messagegen_arrow.histories.broker_files import is_topic_id, lines_of
from messagegen_arrow.log.planning import find_logs

TopicIds = Mapping[str, AbstractSet[str]]
"""The ids of topics by name, as text. A name has several ids if logs of different topics are passed together."""

_METADATA_FILE: Final = "partition.metadata"
"""The file that brokers since Kafka 2.8 write into each partition's folder (upstream: ``PartitionMetadataFile``)."""
_LABEL: Final = "topic_id:"


def topic_ids(paths: Sequence[str]) -> TopicIds:
    """Return the ids of the topics whose logs are at these paths, except logs in object stores.

    Raises what ``find_logs`` raises.
    """
    found: dict[str, set[str]] = {}
    for log in find_logs(paths):
        if log.topic is None or is_url(log.folder):
            continue
        lines = lines_of(joined(log.folder, _METADATA_FILE))
        known = next((line.removeprefix(_LABEL).strip() for line in lines if line.startswith(_LABEL)), None)
        if known is not None and is_topic_id(known):
            found.setdefault(log.topic, set()).add(known)
    return found
