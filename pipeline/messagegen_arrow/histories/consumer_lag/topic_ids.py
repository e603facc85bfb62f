"""The ids of consumed topics: a topic that was deleted and created again has the same name, but a different id."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.files import is_url, joined
from messagegen_arrow.histories.broker_files import is_topic_id, lines_of
from messagegen_arrow.histories.logs import HISTORY_COLUMNS
from messagegen_arrow.histories.records import decoded_log, readable
from messagegen_arrow.histories.records import field as record_field
from messagegen_arrow.internal_topics.record_types import CLUSTER_METADATA
from messagegen_arrow.log.errors import LogPathError
from messagegen_arrow.log.planning import find_logs
from messagegen_arrow.streams.sources import read_log

TopicIds = Mapping[str, AbstractSet[str]]
"""The ids of topics by name, as text. A name has several ids if logs of different topics are passed together."""

_METADATA_FILE: Final = "partition.metadata"
"""The file that brokers since Kafka 2.8 write into each partition's folder (upstream: ``PartitionMetadataFile``)."""
_LABEL: Final = "topic_id:"
_CREATION: Final = "TopicRecord"
"""The type of the records that create topics."""


@dataclass(frozen=True)
class KnownTopics:
    """The topics whose logs are read."""

    ids: TopicIds = field(default_factory=dict)
    created: Mapping[str, int] = field(default_factory=dict)
    """The times when the topics were created, in microseconds, by name."""


def known_topics(paths: Sequence[str]) -> KnownTopics:
    """Return the known ids and creation times of the topics whose logs are at these paths.

    Raises what ``find_logs`` raises.
    """
    ids = topic_ids(paths)
    return KnownTopics(ids, _creation_times(paths, ids))


def _creation_times(paths: Sequence[str], ids: TopicIds) -> dict[str, int]:
    """Return the creation times of topics, from the log of cluster metadata at these paths.

    Snapshots are not read, because their records have later times. Topics are left out if their ids differ.
    """
    try:
        if not find_logs(paths, [CLUSTER_METADATA]):
            return {}
    except LogPathError:
        return {}
    log = read_log(*paths, topics=CLUSTER_METADATA, columns=HISTORY_COLUMNS, mode="PERMISSIVE", from_log_start=False)
    found: dict[str, tuple[str, int]] = {}
    for batch in decoded_log(log, [CLUSTER_METADATA], {_CREATION: ["name", "topicId"]}, None):
        rows = readable(batch)
        rows = rows.filter(pc.equal(rows.column("recordType"), _CREATION))
        names, ids_of_names = (record_field(rows, f"{_CREATION}.{name}").to_pylist() for name in ("name", "topicId"))
        times = rows.column("timestamp").cast(pa.int64()).to_pylist()
        found |= {name: (topic_id, time) for name, topic_id, time in zip(names, ids_of_names, times, strict=True)}
    return {name: time for name, (topic_id, time) in found.items() if ids.get(name, {topic_id}) == {topic_id}}


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
