"""Records of internal topics in the brokers' form.

They are made from generated messages, and framed here by the rules of upstream's serdes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pyarrow as pa

import messagegen_kafka as kafka
from messagegen_arrow import default_catalog
from messagegen_arrow.internal_topics.contents import Contents, Types
from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_arrow.internal_topics.record_types import Framing, RecordFamily, RecordType, record_families
from messagegen_kafka.group_metadata_value import MemberMetadata
from tests.arrow.support.messages import random_bytes
from tests.support.varints import uvarint

OFFSETS = "__consumer_offsets"
COMMIT_KEY = {"group": "billing", "topic": "orders", "partition": 3}
FAMILIES = record_families(default_catalog())
EVERY = [
    (family, each, version)
    for family in FAMILIES
    for each in family.types.values()
    if each.value is not None
    for version in each.value.versions
]
"""Each record type with values, in each of their versions."""


@dataclass(frozen=True)
class Record:
    """A record of an internal topic."""

    topic: str | None
    key: bytes | None
    value: bytes | None
    is_control: bool = False


def int16(value: int) -> bytes:
    return value.to_bytes(2, "big", signed=True)


def coordinator_record(topic: str, name: str, key: dict[str, Any], value: Any = None, version: int = 0) -> Record:
    """Return a coordinator's record.

    ``key`` are the fields of its key; ``value`` is the message in ``version``, or ``None``.
    """
    key_class = getattr(kafka, f"{name}Key")
    body = key_class(**key).encode(version=0)
    data = None if value is None else int16(version) + value.encode(version=version)
    return Record(topic, int16(key_class.API_KEY) + body, data)


def metadata_record(message: Any, version: int = 0) -> Record:
    """Return a record of ``__cluster_metadata``."""
    prefix = uvarint(1) + uvarint(message.API_KEY) + uvarint(version)
    return Record("__cluster_metadata", None, prefix + message.encode(version=version))


def commit(offset: int = 7, version: int = 4, **more: Any) -> Record:
    """Return a commit of ``COMMIT_KEY``."""
    value = kafka.OffsetCommitValue(offset=offset, metadata="by hand", commit_timestamp=1000, **more)
    return coordinator_record(OFFSETS, "OffsetCommit", COMMIT_KEY, value, version)


def group_record(protocol_type: str = "consumer", subscription: bytes | None = None, assignment: bytes = b"") -> Record:
    """Return the record of a classic group with one member, subscribed to ``orders`` by default."""
    if subscription is None:
        message = kafka.ConsumerProtocolSubscription(topics=("orders",), rack_id="rack-a")
        subscription = int16(3) + message.encode(version=3)
    member = MemberMetadata(
        member_id="m", client_id="c", client_host="h", subscription=subscription, assignment=assignment
    )
    value = kafka.GroupMetadataValue(protocol_type=protocol_type, members=(member,))
    return coordinator_record(OFFSETS, "GroupMetadata", {"group": "billing"}, value, 3)


def scram_record() -> Record:
    """Return the record of a user with secrets."""
    return metadata_record(
        kafka.UserScramCredentialRecord(
            name="carol", mechanism=1, salt=b"the salt", stored_key=b"stored", server_key=b"server", iterations=4096
        )
    )


def random_record(random: Random, family: RecordFamily, record_type: RecordType, version: int) -> Record:
    """Return a record of a type, with random content."""
    assert record_type.value is not None
    body = random_bytes(random, record_type.value, version)
    if record_type.version_is_a_field:
        body = int16(version) + body[2:]
    key_body = b"" if record_type.key is None else random_bytes(random, record_type.key, 0)
    key, prefix = _framing(family.framing, record_type, version)
    topic = family.name if family.framing != "control" else "orders"
    return Record(topic, None if key is None else key + key_body, prefix + body, family.framing == "control")


def _framing(framing: Framing, record_type: RecordType, version: int) -> tuple[bytes | None, bytes]:
    number = record_type.number
    match framing:
        case "coordinator":
            return int16(number), int16(version)
        case "metadata":
            return None, uvarint(1) + uvarint(number) + uvarint(version)
        case "remote-log-metadata":
            return None, uvarint(number) + uvarint(version)
        case "control":
            return int16(0) + int16(number), b"" if record_type.version_is_a_field else int16(version)


def batch_of(records: Sequence[Record]) -> RecordBatch:
    return RecordBatch(
        keys=pa.array([each.key for each in records], pa.binary()),
        values=pa.array([each.value for each in records], pa.binary()),
        topics=pa.array([each.topic for each in records], pa.string()),
        is_control=pa.array([each.is_control for each in records], pa.bool_()),
    )


def read(records: Sequence[Record], types: Types | None = None, **options: Any) -> list[dict[str, Any]]:
    """Return the reader's rows for records, as dicts; the columns are validated against their types."""
    reader = RecordReader(Contents.of(types, **options), "PERMISSIVE")
    decoded, malformed = reader.read(batch_of(records))
    decoded.validate(full=True)
    rows: list[dict[str, Any]] = decoded.to_pylist()
    assert malformed.to_pylist() == [row["_error"] is not None for row in rows]
    return rows
