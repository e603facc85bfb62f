"""A transaction that is left open, over the requests of a transactional producer: for tests of what a consumer may see."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import messagegen
from messagegen_client.errors import check_error_code
from messagegen_client.transport.cluster import Cluster
from tests.oracle import official_specs

_TRANSACTION_ATTRIBUTE = 0x10
_BY_NAME = range(12, 13)
"""The one version of Produce that names topics and lets the broker add the partition to the transaction (KIP-890)."""
_MESSAGES = ("FindCoordinator", "InitProducerId", "Produce")


@cache
def producer_messages(folder: Path) -> ModuleType:
    """The requests and responses of a transactional producer, made from the official specs."""
    specs = official_specs()["kafka-clients"]
    for name in (f"{api}{side}" for api in _MESSAGES for side in ("Request", "Response")):
        (folder / f"{name}.json").write_text(specs[name], encoding="utf-8")
    return messagegen.load(folder)


async def leave_transaction_open(
    cluster: Cluster, messages: ModuleType, topic: str, transactional_id: str, timestamps: Sequence[int]
) -> None:
    """Writes records with these timestamps to partition 0 of ``topic``, in a transaction that nobody ends."""
    deadline = cluster.deadline()

    async def asked(api: str, request: Any, **others: Any) -> Any:
        response_type = getattr(messages, f"{api}Response")
        answer = await cluster.call(request, response_type, deadline=deadline, **others)
        return answer.message

    async def coordinator() -> None:
        request = messages.FindCoordinatorRequest(key_type=1, coordinator_keys=(transactional_id,))
        found = await asked("FindCoordinator", request)
        check_error_code(found.coordinators[0].error_code, "looking for the coordinator")

    async def producer() -> Any:
        request = messages.InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=600_000)
        found = await asked("InitProducerId", request)
        check_error_code(found.error_code, "asking for a producer id")
        return found

    await cluster.retrying(coordinator, deadline=deadline)
    begun = await cluster.retrying(producer, deadline=deadline)
    module = __import__(f"{messages.__name__}.produce_request", fromlist=["TopicProduceData"])
    records = transactional_batch(begun.producer_id, begun.producer_epoch, timestamps)
    partition = module.PartitionProduceData(index=0, records=records)
    data = module.TopicProduceData(name=topic, partition_data=(partition,))
    request = messages.ProduceRequest(transactional_id=transactional_id, acks=-1, timeout_ms=30_000, topic_data=(data,))
    written = await asked("Produce", request, versions=_BY_NAME)
    check_error_code(written.responses[0].partition_responses[0].error_code, "producing")


def transactional_batch(producer_id: int, producer_epoch: int, timestamps: Sequence[int]) -> bytes:
    """A record batch (magic 2) of a transaction, with a record for each timestamp."""
    import crc32c  # noqa: PLC0415 - only those who run a broker need it

    first = timestamps[0]
    records = b"".join(_record(number, time - first) for number, time in enumerate(timestamps))
    last = len(timestamps) - 1
    head = struct.pack(
        ">hiqqqhii",
        _TRANSACTION_ATTRIBUTE,
        last,
        first,
        max(timestamps),
        producer_id,
        producer_epoch,
        0,
        len(timestamps),
    )
    checked = head + records
    body = struct.pack(">ibI", -1, 2, crc32c.crc32c(checked)) + checked
    return struct.pack(">qi", 0, len(body)) + body


def _record(number: int, delta: int) -> bytes:
    body = b"\0" + _zig_zag(delta) + _zig_zag(number) + _zig_zag(-1) + _zig_zag(1) + b"x" + _zig_zag(0)
    return _zig_zag(len(body)) + body


def _zig_zag(value: int) -> bytes:
    rest = value << 1 if value >= 0 else (-value << 1) - 1
    out = bytearray()
    while rest > 0x7F:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return bytes(out)
