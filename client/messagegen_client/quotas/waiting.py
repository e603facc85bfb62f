"""Waiting until all brokers have heard of an alteration: the controller answers first, and they follow a moment later."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from messagegen_client.errors import BrokerConnectionError, KafkaError, KafkaTimeoutError
from messagegen_client.net.cluster import BrokerId, Cluster
from messagegen_client.net.deadlines import Deadline
from messagegen_client.quotas.calls import describe_client_quotas
from messagegen_client.quotas.entities import ClientQuotaAlteration, ClientQuotaEntity

Wanted = Mapping[ClientQuotaEntity, Mapping[str, float | None]]


async def wait_for_client_quotas(
    cluster: Cluster,
    alterations: Iterable[ClientQuotaAlteration],
    *,
    timeout: float | None = None,  # noqa: ASYNC109 - one deadline for several requests
) -> None:
    """Returns when each broker describes the altered quotas as the alterations have them.

    The brokers are those that are alive when it begins; one that goes away is not waited for, since it catches up before it
    serves clients again. ``timeout`` is in seconds, for the whole call; without it the config's ``api_timeout`` counts.

    Raises ``KafkaTimeoutError``, which names the brokers that do not agree and why; that may be because somebody else has
    altered the same quotas since. Raises what ``Cluster.metadata`` raises, too.
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
    """Asks one broker until it agrees (``None``), or until the deadline: then it is why it does not."""
    backoff = cluster.backoff(deadline)
    while True:
        try:
            # No time at all is no timeout: the call has to say that it is over.
            described = await describe_client_quotas(
                cluster, timeout=max(deadline.remaining(), 0.001), to=BrokerId(broker)
            )
            reason = _difference(described, wanted)
            if reason is None:
                return None
        except BrokerConnectionError as problem:
            reason = f"can't be asked: {problem}"
            if await _is_gone(cluster, broker, deadline):
                return None
        except KafkaError as problem:
            return f"can't be asked: {problem}"
        if not await backoff.pause():
            return reason


async def _is_gone(cluster: Cluster, broker: int, deadline: Deadline) -> bool:
    try:
        return broker not in (await cluster.metadata(deadline=deadline)).brokers
    except KafkaError:
        return False


def _difference(described: Mapping[ClientQuotaEntity, Mapping[str, float]], wanted: Wanted) -> str | None:
    """How many entities differ, and the first of them; ``None`` if there are none."""
    different = [
        entity
        for entity, values in wanted.items()
        if any(described.get(entity, {}).get(key) != value for key, value in values.items())
    ]
    if not different:
        return None
    more = f" and {len(different) - 1} more" if len(different) > 1 else ""
    return f"still describes other quotas of {different[0]}{more}"
