"""The record types of internal topics, which come from the messages of a catalog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from messagegen_arrow.catalog import Catalog, MessageTable
from messagegen_kafka._runtime.records.control import CONTROL_RECORD_TYPES

Framing = Literal["coordinator", "metadata", "remote-log-metadata", "control"]
"""The place of the type and the version of a record.

``coordinator``: the type is the int16 at the start of the key, and the version is the int16 at the start of the value
(upstream: ``CoordinatorRecordSerde``). ``metadata``: the value begins with unsigned varints, which are the frame
version, API key and version (upstream: ``MetadataRecordSerde``); ``remote-log-metadata`` lacks the frame version
(upstream: ``BytesApiMessageSerde``). ``control``: the key is two int16 numbers, the version and the type; the value
begins with its version (upstream: ``ControlRecordType``).
"""

CONSUMER_OFFSETS: Final = "__consumer_offsets"
TRANSACTION_STATE: Final = "__transaction_state"
SHARE_GROUP_STATE: Final = "__share_group_state"
CLUSTER_METADATA: Final = "__cluster_metadata"
_REMOTE_LOG_METADATA: Final = "__remote_log_metadata"
_CONTROL: Final = "control records"

# Specs contain the API keys of records, but not their topics. The generator, which this package does not import, has
# the same table; a test compares the two.
_FAMILIES: Final[dict[str, Framing]] = {
    CONSUMER_OFFSETS: "coordinator",
    TRANSACTION_STATE: "coordinator",
    SHARE_GROUP_STATE: "coordinator",
    CLUSTER_METADATA: "metadata",
    _REMOTE_LOG_METADATA: "remote-log-metadata",
    _CONTROL: "control",
}
_TOPICS: Final = {
    "TransactionLog": TRANSACTION_STATE,
    "ShareSnapshot": SHARE_GROUP_STATE,
    "ShareUpdate": SHARE_GROUP_STATE,
}
"""The record types of the small coordinators; all other types belong to the group coordinator."""


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record type: ``OffsetCommit``, ``TopicRecord``, ``COMMIT``."""

    name: str
    number: int
    """Kafka's number of the type in its family: the API key, or the number of a control record type."""
    key: MessageTable | None
    """The message in keys; ``None`` if keys contain nothing but the type."""
    value: MessageTable | None
    """The message in values; ``None`` if the catalog lacks it."""
    version_is_a_field: bool = False
    """Whether the version at the start of a value is a field of the message, and not a prefix."""


@dataclass(frozen=True, slots=True)
class RecordFamily:
    """The record types of one topic, by number, or the types of control records."""

    name: str
    framing: Framing
    types: Mapping[int, RecordType]

    @property
    def is_control(self) -> bool:
        """Whether these are control records, which may be in any topic."""
        return self.framing == "control"


def record_families(catalog: Catalog) -> tuple[RecordFamily, ...]:
    """Return the record families that a catalog has messages for, with control records last. Only for drivers.

    Raises ``ValueError`` if two messages of the catalog claim the same type.
    """
    found: dict[str, dict[int, RecordType]] = {name: {} for name in _FAMILIES}
    for family, each in _record_types(catalog):
        other = found[family].setdefault(each.number, each)
        if other is not each:
            raise ValueError(f"{other.name} and {each.name} are both type {each.number} of {family}")
    return tuple(RecordFamily(name, framing, found[name]) for name, framing in _FAMILIES.items())


def _record_types(catalog: Catalog) -> Iterator[tuple[str, RecordType]]:
    """Yield the family and the type of each record that a catalog has messages for."""

    def named(name: str) -> MessageTable | None:
        return catalog.message(name) if name in catalog else None

    for table in catalog:
        if table.api_key is None:
            continue
        if table.kind == "coordinator-key":
            name = table.name.removesuffix("Key")
            yield _TOPICS.get(name, CONSUMER_OFFSETS), RecordType(name, table.api_key, table, named(f"{name}Value"))
        elif table.kind == "metadata":
            family = _REMOTE_LOG_METADATA if table.name.startswith("Remote") else CLUSTER_METADATA
            yield family, RecordType(table.name, table.api_key, None, table)
    for number, (name, message) in CONTROL_RECORD_TYPES.items():
        value = named(message)
        has_version = value is not None and "version" in value.parsed_plan.root.fields
        yield _CONTROL, RecordType(name, number, None, value, has_version)
