"""What kinds of records internal topics hold: dispatch tables made from the messages of a catalog, not written by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from messagegen_arrow.catalog import Catalog, MessageTable, default_catalog

Framing = Literal["coordinator", "metadata", "remote-log-metadata", "control"]
"""Where type and version of a record stand.

``coordinator``: the type is the int16 at the start of the key, the version the one at the start of the value (upstream:
``CoordinatorRecordSerde``). ``metadata``: unsigned varints before the value say frame version, api key and version (upstream:
``MetadataRecordSerde``); ``remote-log-metadata`` lacks the first of them (upstream: ``BytesApiMessageSerde``). ``control``: the
key is two int16, version and type; the value begins with its version (upstream: ``ControlRecordType``).
"""

CONSUMER_OFFSETS: Final = "__consumer_offsets"
TRANSACTION_STATE: Final = "__transaction_state"
SHARE_GROUP_STATE: Final = "__share_group_state"
CLUSTER_METADATA: Final = "__cluster_metadata"
REMOTE_LOG_METADATA: Final = "__remote_log_metadata"
CONTROL_RECORDS: Final = "control records"
"""The family of what brokers put into any topic."""

_COORDINATORS: Final = {
    TRANSACTION_STATE: ("TransactionLog",),
    SHARE_GROUP_STATE: ("ShareSnapshot", "ShareUpdate"),
}
"""Record types of the small coordinators; those of the group coordinator are all others, for it is the one that grows."""

_CONTROL_MESSAGES: Final = {
    "ABORT": (0, "EndTxnMarker"),
    "COMMIT": (1, "EndTxnMarker"),
    "LEADER_CHANGE": (2, "LeaderChangeMessage"),
    "SNAPSHOT_HEADER": (3, "SnapshotHeaderRecord"),
    "SNAPSHOT_FOOTER": (4, "SnapshotFooterRecord"),
    "KRAFT_VERSION": (5, "KRaftVersionRecord"),
    "KRAFT_VOTERS": (6, "VotersRecord"),
}
"""Upstream: ``ControlRecordType``. No spec connects these numbers with messages."""


@dataclass(frozen=True, slots=True)
class RecordType:
    """A type of record: ``OffsetCommit``, ``TopicRecord``, ``COMMIT``."""

    name: str
    number: int
    """Kafka's number of the type in its family: the api key, or the number of a control record type."""
    key: MessageTable | None
    """What the key is; ``None`` where keys say nothing but the type."""
    value: MessageTable | None
    """What the value is; ``None`` where the catalog has no such message."""
    version_is_a_field: bool = False
    """Whether the version at the start of a value is a field of the message, and not a prefix."""


@dataclass(frozen=True, slots=True)
class RecordFamily:
    """The record types that one topic can hold, by number; or those of control records."""

    name: str
    framing: Framing
    types: Mapping[int, RecordType]


def record_families(catalog: Catalog) -> tuple[RecordFamily, ...]:
    """The families of records that a catalog has messages for; control records are the last one.

    Raises ``ValueError`` for a catalog in which two messages claim one type.
    """
    coordinators = list(_coordinator_types(catalog))
    others = {prefix for prefixes in _COORDINATORS.values() for prefix in prefixes}
    metadata = [
        RecordType(each.name, each.api_key, None, each)
        for each in catalog
        if each.kind == "metadata" and each.api_key is not None
    ]
    small = [
        _family(topic, "coordinator", (each for each in coordinators if each.name in names))
        for topic, names in _COORDINATORS.items()
    ]
    return (
        _family(CONSUMER_OFFSETS, "coordinator", (each for each in coordinators if each.name not in others)),
        *small,
        _family(CLUSTER_METADATA, "metadata", (each for each in metadata if not _is_remote(each))),
        _family(REMOTE_LOG_METADATA, "remote-log-metadata", filter(_is_remote, metadata)),
        _family(CONTROL_RECORDS, "control", _control_types(catalog)),
    )


def _family(name: str, framing: Framing, types: Iterator[RecordType]) -> RecordFamily:
    by_number: dict[int, RecordType] = {}
    for each in types:
        if each.number in by_number:
            raise ValueError(f"{by_number[each.number].name} and {each.name} are both type {each.number} of {name}")
        by_number[each.number] = each
    return RecordFamily(name, framing, by_number)


def _coordinator_types(catalog: Catalog) -> Iterator[RecordType]:
    for key in catalog:
        if key.kind == "coordinator-key" and key.api_key is not None:
            name = key.name.removesuffix("Key")
            value = f"{name}Value"
            yield RecordType(name, key.api_key, key, catalog.message(value) if value in catalog else None)


def _control_types(catalog: Catalog) -> Iterator[RecordType]:
    for name, (number, message) in _CONTROL_MESSAGES.items():
        value = catalog.message(message) if message in catalog else None
        is_field = value is not None and "version" in value.parsed_plan.root.fields
        yield RecordType(name, number, None, value, version_is_a_field=is_field)


def _is_remote(record_type: RecordType) -> bool:
    return record_type.name.startswith("Remote")


def record_type_names(topic: str | None = None, catalog: Catalog | None = None) -> tuple[str, ...]:
    """The names of record types, of one topic or of all with control records, in the order of Kafka's numbers.

    Raises ``LookupError`` for a topic whose records are not known.
    """
    families = record_families(default_catalog() if catalog is None else catalog)
    chosen = [family for family in families if topic in (None, family.name)]
    if not chosen:
        raise LookupError(
            f"unknown internal topic {topic}; known topics: {', '.join(family.name for family in families)}"
        )
    return tuple(family.types[number].name for family in chosen for number in sorted(family.types))
