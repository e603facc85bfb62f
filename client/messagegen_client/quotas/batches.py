"""Splits alterations into requests that a controller accepts.

A controller writes all changes of a request as one atomic batch of records to the metadata log, one record for each
change. So it has two limits (measured with Apache Kafka 4.3.1): it refuses more than 10,000 records with
POLICY_VIOLATION, and it fails and resigns after a batch of more than 8 MiB. Both are far below
``socket.request.max.bytes`` (100 MiB).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from messagegen_client.quotas.entities import ClientQuotaAlteration

MAX_RECORDS: Final = 10_000
"""The limit of ``QuorumController`` for one request."""

MAX_BYTES: Final = 4 * 1024 * 1024
"""Half the limit of ``KafkaRaftClient`` for a batch, because the size of records is only estimated here."""

_RECORD_OVERHEAD: Final = 64
"""The maximum size of a record in bytes, without its names and keys."""
_NAME_OVERHEAD: Final = 8
"""The maximum number of bytes that a name in a record takes in addition to its characters."""
_CHARACTER: Final = 4
"""The maximum size of a character in UTF-8, in bytes."""


def batches(alterations: Iterable[ClientQuotaAlteration]) -> Iterator[list[ClientQuotaAlteration]]:
    """Yield the alterations in order, in groups that fit one request each.

    The changes of an entity are never split, because they are atomic. The broker refuses an entity with too many.
    """
    batch: list[ClientQuotaAlteration] = []
    records = 0
    size = 0
    for alteration in alterations:
        more_records = _records(alteration)
        more_size = _size(alteration)
        if batch and (records + more_records > MAX_RECORDS or size + more_size > MAX_BYTES):
            yield batch
            batch = []
            records = 0
            size = 0
        batch.append(alteration)
        records += more_records
        size += more_size
    if batch:
        yield batch


def _records(alteration: ClientQuotaAlteration) -> int:
    """Return the number of records that the controller writes: one for each change, and at least one for the entity."""
    return max(1, len(alteration.ops))


def _size(alteration: ClientQuotaAlteration) -> int:
    """Return the maximum size of the records in bytes. Each record repeats the names of the entity."""
    names = 0
    for kind, name in alteration.entity.items():
        names += _NAME_OVERHEAD + _CHARACTER * len(kind + (name or ""))
    keys = sum(_CHARACTER * len(op.key) for op in alteration.ops)
    return _records(alteration) * (_RECORD_OVERHEAD + names) + keys
