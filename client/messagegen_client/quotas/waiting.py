"""Waits until all brokers know of an alteration: the controller answers before they do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from messagegen_client.errors import BrokerConnectionError, KafkaError, KafkaTimeoutError
from messagegen_client.quotas.calls import describe_client_quotas
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity
from messagegen_client.transport.cluster import Cluster
from messagegen_client.transport.deadlines import Deadline, Timeout

Wanted = Mapping[ClientQuotaEntity, Mapping[str, float | None]]


async def wait_for_client_quotas(
    cluster: Cluster, alterations: Iterable[ClientQuotaAlteration], *, timeout: Timeout = None
) -> None:
    """Waits until each broker describes the quotas with the altered values.

    Asks the brokers that are alive at the start. A broker that stops is no longer waited for: it reads all changes before it
    serves clients again.

    Raises ``KafkaTimeoutError`` with the brokers that do not agree and the reasons; somebody else may have altered the same
    quotas since. Raises what ``Cluster.metadata`` raises.
    """
    wanted = {alteration.entity: {op.key: op.value for op in alteration.ops} for alteration in alterations}
    if not wanted:
        return
    deadline = cluster.deadline(timeout)
    brokers = sorted((await cluster.metadata(deadline=deadline)).brokers)
    reasons = await asyncio.gather(*(_disagreement(cluster, broker, wanted, deadline) for broker in brokers))
    behind = [
        f"broker {broker} {reason}" for broker, reason in zip(brokers, reasons, strict=True) if reason is not None
    ]
    if behind:
        raise KafkaTimeoutError(f"not all brokers agree after {deadline.seconds:g} s: {'; '.join(behind)}")


async def _disagreement(cluster: Cluster, broker: int, wanted: Wanted, deadline: Deadline) -> str | None:
    """Asks a broker until it agrees (``None``), or until the deadline: then the reason why it does not."""
    backoff = cluster.backoff(deadline)
    reason: str | None = None
    while True:
        try:
            described = await describe_client_quotas(cluster, timeout=deadline, to=broker)
            reason = _difference(described, wanted)
            if reason is None:
                return None
        except BrokerConnectionError as problem:
            reason = f"can't be reached: {problem}"
            if await _is_gone(cluster, broker, deadline):
                return None
        except KafkaError as problem:
            # At the deadline, the last answer says more than the timeout.
            timed_out = isinstance(problem, KafkaTimeoutError)
            return reason if timed_out and reason is not None else f"can't be reached: {problem}"
        if not await backoff.pause():
            return reason


async def _is_gone(cluster: Cluster, broker: int, deadline: Deadline) -> bool:
    try:
        return broker not in (await cluster.metadata(deadline=deadline)).brokers
    except KafkaError:
        return False


def _difference(described: Mapping[ClientQuotaEntity, Mapping[str, float]], wanted: Wanted) -> str | None:
    """The first entity that differs, and how many more; ``None`` if there is none."""
    different = [
        entity
        for entity, values in wanted.items()
        if any(described.get(entity, {}).get(key) != value for key, value in values.items())
    ]
    if not different:
        return None
    more = f" and {len(different) - 1} more" if len(different) > 1 else ""
    return f"still has other quotas for {different[0]}{more}"
