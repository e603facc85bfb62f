"""What is read and changed of decoded messages. Fields have Kafka's names in snake case, as in all Python libraries here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from operator import attrgetter
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Reading:
    """Three fields of a message, and how to get deep into it: pairs of an array and a field of its first element."""

    fields: tuple[str, str, str]
    deep: tuple[tuple[str, str], ...]

    def read_fields(self) -> Callable[[object], object]:
        """The function that reads three fields of a message."""
        return attrgetter(*self.fields)

    def read_deep(self, message: object) -> list[object]:
        """One field of the message, one of its first element, and one of the first element in that."""
        struct: Any = message
        found: list[object] = [getattr(struct, self.fields[0])]
        for array, field in self.deep:
            struct = getattr(struct, array)[0]
            found.append(getattr(struct, field))
        return found


@dataclass(frozen=True, slots=True)
class Forwarding:
    """What a proxy does with a message: it reads ``name`` of all ``topics`` and sets ``changed`` to ``value``."""

    topics: str
    name: str
    changed: str
    value: int

    def names(self, message: object) -> list[str]:
        """The names of all topics, in order."""
        name = attrgetter(self.name)
        return [name(topic) for topic in getattr(message, self.topics)]

    @property
    def changes(self) -> dict[str, int]:
        """The changed field, as keyword arguments."""
        return {self.changed: self.value}


READINGS: Final = {
    "ApiVersionsResponse": Reading(
        ("error_code", "throttle_time_ms", "finalized_features_epoch"), (("api_keys", "max_version"),)
    ),
    "DescribeClientQuotasResponse": Reading(
        ("error_code", "error_message", "throttle_time_ms"), (("entries", "entity"), ("values", "value"))
    ),
    "FetchRequest": Reading(
        ("max_bytes", "session_id", "isolation_level"), (("topics", "topic"), ("partitions", "fetch_offset"))
    ),
    "FetchResponse": Reading(
        ("error_code", "session_id", "throttle_time_ms"), (("responses", "topic"), ("partitions", "high_watermark"))
    ),
    "MetadataResponse": Reading(
        ("cluster_id", "controller_id", "throttle_time_ms"), (("topics", "name"), ("partitions", "leader_id"))
    ),
    "OffsetCommitRequest": Reading(
        ("group_id", "member_id", "generation_id_or_member_epoch"),
        (("topics", "name"), ("partitions", "committed_offset")),
    ),
    "ProduceRequest": Reading(
        ("acks", "timeout_ms", "transactional_id"), (("topic_data", "name"), ("partition_data", "index"))
    ),
}

FORWARDINGS: Final = {
    "FetchRequest": Forwarding("topics", "topic", "max_bytes", 4242),
    "FetchResponse": Forwarding("responses", "topic", "session_id", 4242),
    "MetadataResponse": Forwarding("topics", "name", "controller_id", 4242),
    "OffsetCommitRequest": Forwarding("topics", "name", "generation_id_or_member_epoch", 4242),
    "ProduceRequest": Forwarding("topic_data", "name", "acks", 1),
}
"""The messages that have topics. ``java/Worker.java`` does the same."""


@dataclass(frozen=True, slots=True)
class Walk:
    """All attributes of a struct, and which of them are structs or arrays of them."""

    attributes: Callable[[object], tuple[Any, ...]]
    nested: tuple[tuple[int, Walk], ...]

    def touch(self, structs: Iterable[object]) -> None:
        """Reads every attribute of every struct."""
        attributes = self.attributes
        for struct in structs:
            values = attributes(struct)
            for place, walk in self.nested:
                value = values[place]
                if value is not None:
                    walk.touch(value if type(value) is tuple else (value,))


def walk_of(structs: Sequence[Any]) -> Walk:
    """The walk through messages like these, which must have all arrays and structs that the others have."""
    names = [field.name for field in fields(structs[0])]
    nested = []
    for place, name in enumerate(names):
        inner = [struct for each in structs for struct in _structs_in(getattr(each, name))]
        if inner:
            nested.append((place, walk_of(inner)))
    return Walk(attrgetter(*names), tuple(nested))


def _structs_in(value: object) -> list[object]:
    values = value if isinstance(value, tuple) else (value,)
    return [each for each in values if is_dataclass(each)]
