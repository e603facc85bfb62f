"""Facts about groups in the logs: the types of groups, and the names of share groups' topics."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_arrow.histories.consumer_lag.schema import GROUP_TYPES, LISTS_OF_NAMES, NAMES, SHARE
from messagegen_arrow.histories.records import field


class _TypeRecord(NamedTuple):
    """The type of a group in one record. The maximum of a group is the last record that is not a deletion, if any."""

    exists: bool
    log_offset: int
    type: str


class KnownGroups:
    """The types of groups, and the topic names of share groups, whose states only contain topic ids.

    The records with these facts may come before or after the commits.
    """

    def __init__(self) -> None:
        self._types: dict[str, _TypeRecord] = {}
        self._topic_names: dict[str, str] = {}

    def learn(self, batch: pa.RecordBatch) -> None:
        """Learn types and names from decoded records; commits are ignored."""
        for record_type, (group_type, key) in GROUP_TYPES.items():
            rows = batch.filter(pc.equal(batch.column("recordType"), record_type))
            groups = field(rows, f"{record_type}.key.{key}").to_pylist()
            are_gone = rows.column("isTombstone").to_pylist()
            offsets = rows.column("offset").to_pylist()
            for group, is_gone, offset in zip(groups, are_gone, offsets, strict=True):
                found = _TypeRecord(not is_gone, offset, group_type)
                self._types[group] = max(found, self._types.get(group, found))
        for name in LISTS_OF_NAMES:
            for topics in field(batch, f"{NAMES}.value.{name}").drop_null().to_pylist():
                for topic in topics:
                    known = self._topic_names.get(topic["topicId"], "")
                    self._topic_names[topic["topicId"]] = max(topic["topicName"], known)

    def type_of(self, group: str, *, is_share: bool) -> str | None:
        """Return the type of a group, or ``None`` if it is unknown.

        ``is_share`` is whether the group has states of share partitions.
        """
        if is_share:
            return SHARE
        found = self._types.get(group)
        return None if found is None else found.type

    def topic_name(self, topic_id: str | None) -> str | None:
        """Return the name of a share group's topic; ``None`` if it is not known."""
        return self._topic_names.get(topic_id or "")
