"""How many alterations go into one AlterClientQuotasRequest: as many as a controller takes at once.

A controller writes all changes of a request as one atomic batch of records to the metadata log, one record a change, and so
it has two limits, met with Apache Kafka 4.3.1: it refuses more than 10,000 records (POLICY_VIOLATION), and a batch of more
than 8 MiB makes it fail and give up its office. Both lie far below ``socket.request.max.bytes`` (100 MiB).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from messagegen_client.quotas.entities import ClientQuotaAlteration

MAX_RECORDS: Final = 10_000
"""What ``QuorumController`` accepts from one request."""

MAX_BYTES: Final = 4 * 1024 * 1024
"""Half of what ``KafkaRaftClient`` puts into a batch, because the size of records is only estimated here."""

_RECORD_OVERHEAD: Final = 64
_NAME_OVERHEAD: Final = 8


def batches(alterations: Iterable[ClientQuotaAlteration]) -> Iterator[list[ClientQuotaAlteration]]:
    """The alterations in order, in groups of which each fits one request.

    One entity is never split, for its changes are atomic; one that is too large alone is left to the broker to refuse.
    """
    batch: list[ClientQuotaAlteration] = []
    records = size = 0
    for alteration in alterations:
        more_records = max(1, len(alteration.ops))
        more_size = _size(alteration)
        if batch and (records + more_records > MAX_RECORDS or size + more_size > MAX_BYTES):
            yield batch
            batch, records, size = [], 0, 0
        batch.append(alteration)
        records += more_records
        size += more_size
    if batch:
        yield batch


def _size(alteration: ClientQuotaAlteration) -> int:
    """About how many bytes the records take: each of them repeats the names of the entity."""
    names = sum(
        _NAME_OVERHEAD + len(kind.encode("utf-8", "surrogatepass")) + len((name or "").encode("utf-8", "surrogatepass"))
        for kind, name in alteration.entity.items()
    )
    keys = sum(len(op.key.encode("utf-8", "surrogatepass")) for op in alteration.ops)
    return max(1, len(alteration.ops)) * (_RECORD_OVERHEAD + names) + keys
