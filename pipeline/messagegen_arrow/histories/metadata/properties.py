"""The properties that a cluster has at a point in time, and how each record changes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pyarrow as pa

from messagegen_arrow.histories.metadata.changes import (
    ALL_TOPICS,
    ELIGIBLE_LEADER_REPLICAS,
    LISTS_OF_LEADERS,
    Change,
    Parts,
)
from messagegen_arrow.histories.metadata.records import Record
from messagegen_arrow.histories.records import TIMESTAMP

METADATA_HISTORY: Final = pa.schema(
    [
        pa.field("offset", pa.int64()),
        pa.field("timestamp", TIMESTAMP),
        pa.field("subject", pa.string()),
        pa.field("name", pa.string()),
        pa.field("action", pa.string()),
        pa.field("property", pa.string()),
        pa.field("value", pa.string()),
        pa.field("previous", pa.string()),
        pa.field("place", pa.struct([("row", pa.int64()), ("within", pa.int32())])),
    ]
)
"""The columns of a metadata history."""


class _Key(NamedTuple):
    """A property of one thing. The identity distinguishes a topic from an older topic with the same name."""

    subject: str
    name: str | None
    identity: tuple[str | None, str | None]
    property: str


class Property(NamedTuple):
    """A property and its current value."""

    subject: str
    name: str | None
    topic_id: str | None
    partition: str | None
    property: str
    value: str
    parts: Parts | None


class Properties:
    """The values of all properties, and the rows of their changes."""

    def __init__(self) -> None:
        self._values: dict[_Key, Change] = {}
        """For each property, the change that set it. The value of that change is not ``None``."""
        self._names: dict[str, str] = {}
        self._of_topic: dict[str, dict[_Key, None]] = {}
        """The properties that are removed together with a topic, by the topic's name in the form ``topic orders``."""
        self._snapshot = ""
        """The path of the latest snapshot that was read."""

    def apply(self, record: Record) -> Iterator[dict[str, Any]]:
        """Apply the changes of a record, and yield the rows of the history for them."""
        if record.is_snapshot and record.path != self._snapshot:
            # A snapshot contains the whole state, so it replaces all values.
            self._values.clear()
            self._names.clear()
            self._of_topic.clear()
            self._snapshot = record.path
        for within, change in enumerate(record.changes):
            yield from self._apply(record, within, change)

    def held(self) -> Iterator[Property]:
        """Yield the current properties, in no particular order."""
        for key, change in self._values.items():
            if change.value is not None:
                topic_id, partition = key.identity
                yield Property(
                    subject=key.subject,
                    name=key.name,
                    topic_id=topic_id,
                    partition=partition,
                    property=key.property,
                    value=change.value,
                    parts=change.parts,
                )

    def _apply(self, record: Record, within: int, change: Change) -> Iterator[dict[str, Any]]:
        name = self._name(change)
        key = _Key(change.subject, name, (change.topic_id, change.partition), change.property)
        previous = self._value(key)
        if change.only_if_there and change.value is None and previous is None:
            return
        is_same = change.value is not None and change.value == previous and not change.hides_secret
        if record.is_snapshot or not is_same:
            action = "present" if record.is_snapshot else _action(change, previous)
            yield _row(record, within, key, action, change.value, previous)
        self._set(key, change, self._topic_of(change, name))
        if change.subject == "topic" and change.property == ELIGIBLE_LEADER_REPLICAS:
            yield from self._clear_leaders(record, within, None if name == ALL_TOPICS else name)
        if change.subject == "topic" and change.property == "topicId" and change.value is None:
            yield from self._end_topic(record, within, f"topic {name}")
            # Later records do not contain the id of a removed topic.
            self._names.pop(change.topic_id or "", None)

    def _name(self, change: Change) -> str | None:
        """Return the name of a changed thing. The names of topics and partitions are found by topic id."""
        topic_id = change.topic_id
        if change.subject == "topic":
            if topic_id is not None and change.name is not None:
                self._names[topic_id] = change.name
            return self._name_of(topic_id) or change.name or topic_id
        if change.subject == "partition":
            return f"{self._name_of(topic_id) or topic_id}-{change.partition}"
        return change.name

    def _name_of(self, topic_id: str | None) -> str | None:
        return None if topic_id is None else self._names.get(topic_id)

    def _topic_of(self, change: Change, name: str | None) -> str | None:
        """Return the topic whose removal also removes the property.

        The log contains no records that remove the configs and partitions of a removed topic.

        For a config, this is the config's name, which is only the name of a topic if the config belongs to a topic.
        """
        if change.subject == "config":
            return name
        if change.subject == "partition":
            return f"topic {self._name_of(change.topic_id) or change.topic_id}"
        return None

    def _value(self, key: _Key) -> str | None:
        change = self._values.get(key)
        return None if change is None else change.value

    def _set(self, key: _Key, change: Change, topic: str | None) -> None:
        if change.value is not None:
            self._values[key] = change
            if topic is not None:
                self._of_topic.setdefault(topic, {})[key] = None
        elif self._values.pop(key, None) is not None and topic is not None:
            self._of_topic[topic].pop(key, None)

    def _end_topic(self, record: Record, within: int, topic: str) -> Iterator[dict[str, Any]]:
        """Remove the configs and partitions of a removed topic, and yield a row for each."""
        for key in self._of_topic.pop(topic, {}):
            yield _row(record, within, key, "removed", None, self._values.pop(key).value)

    def _clear_leaders(self, record: Record, within: int, topic: str | None) -> Iterator[dict[str, Any]]:
        """Remove the eligible leaders (KIP-966) of a topic, or of all topics (``None``), and yield a row for each."""
        topics = [*self._of_topic] if topic is None else [f"topic {topic}"]
        for name in topics:
            keys = self._of_topic.get(name, {})
            for key in [key for key in keys if key.subject == "partition" and key.property in LISTS_OF_LEADERS]:
                del keys[key]
                yield _row(record, within, key, "removed", None, self._values.pop(key).value)


def _action(change: Change, previous: str | None) -> str:
    if change.value is None:
        return "removed"
    if previous is None and not change.alters:
        return "created"
    return "changed"


def _row(
    record: Record, within: int, key: _Key, action: str, value: str | None, previous: str | None
) -> dict[str, Any]:
    """Return a row of the history."""
    return {
        "offset": record.offset,
        "timestamp": record.timestamp,
        "subject": key.subject,
        "name": key.name,
        "action": action,
        "property": key.property,
        "value": value,
        "previous": previous,
        "place": {"row": record.row, "within": within},
    }
