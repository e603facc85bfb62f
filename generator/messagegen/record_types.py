"""What the internal topics of Kafka hold: which records, and where a record says its type and version.

Specs say API keys of records, but not topics, nor the types of control records; these are stated here and in the runtime, once. The pipeline
asks this module, too, in drivers only: workers have no generator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from messagegen.runtime.records.control import CONTROL_RECORD_TYPES

Framing = Literal["coordinator", "metadata", "remote-log-metadata", "control"]
"""Where a record has its type and version.

``coordinator``: the type is the int16 at the start of the key, the version the one at the start of the value (upstream:
``CoordinatorRecordSerde``). ``metadata``: unsigned varints before the value say frame version, API key and version (upstream:
``MetadataRecordSerde``); ``remote-log-metadata`` lacks the first of them (upstream: ``BytesApiMessageSerde``). ``control``: the
key is two int16, version and type; the value begins with its version (upstream: ``ControlRecordType``).
"""

FRAME_VERSION: Final = 1
"""The frame version of ``metadata``."""
KEY_VERSION: Final = 0
"""The version of the key of a coordinator's record."""
CONTROL_RECORDS: Final = "control records"
"""The family of what brokers put into any topic."""

FAMILIES: Final[dict[str, Framing]] = {
    "__consumer_offsets": "coordinator",
    "__transaction_state": "coordinator",
    "__share_group_state": "coordinator",
    "__cluster_metadata": "metadata",
    "__remote_log_metadata": "remote-log-metadata",
    CONTROL_RECORDS: "control",
}
"""The families of records: those of one topic each, and control records. A type has a number in its family."""

_TOPICS: Final = {
    "TransactionLog": "__transaction_state",
    "ShareSnapshot": "__share_group_state",
    "ShareUpdate": "__share_group_state",
}
"""Record types of the small coordinators; those of the group coordinator are all others, for it is the one that grows."""


class RecordType(NamedTuple):
    """A type of record: ``OffsetCommit``, ``TopicRecord``, ``COMMIT``."""

    family: str
    name: str
    number: int
    """The API key, or the number of a control record type."""
    key: str | None
    """The message that the key is; ``None`` where keys say nothing but the type."""
    value: str
    """The message that the value is, whether there is a spec of it or not."""


class Described(NamedTuple):
    """What has to be known of a message."""

    name: str
    kind: str
    api_key: int | None


def record_types(messages: Iterable[Described]) -> Iterator[RecordType]:
    """The record types that some messages are keys or values of; those of control records come last."""
    for message in messages:
        if message.api_key is None:
            continue
        if message.kind == "coordinator-key":
            name = message.name.removesuffix("Key")
            topic = _TOPICS.get(name, "__consumer_offsets")
            yield RecordType(topic, name, message.api_key, message.name, f"{name}Value")
        elif message.kind == "metadata":
            topic = "__remote_log_metadata" if message.name.startswith("Remote") else "__cluster_metadata"
            yield RecordType(topic, message.name, message.api_key, None, message.name)
    for number, (name, value) in CONTROL_RECORD_TYPES.items():
        yield RecordType(CONTROL_RECORDS, name, number, None, value)
