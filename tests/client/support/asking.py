"""Sends a fixed request to a cluster, and lets a fake broker send a fixed reply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from messagegen_client.transport.cluster import Answer, Cluster
from messagegen_kafka import (
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
)
from tests.client.support.broker import (
    Received,
    Reply,
)

ANSWER = DescribeClientQuotasResponse(entries=())


async def ask(
    cluster: Cluster, *, to: int | None = None, within: float | None = None, changes: bool = False
) -> Answer[DescribeClientQuotasResponse]:
    request = DescribeClientQuotasRequest(components=())
    return await cluster.call(request, to=to, deadline=cluster.deadline(within), changes=changes)


def says(reply: Reply) -> Callable[[Received], Awaitable[Reply]]:
    async def answer(received: Received) -> Reply:
        return reply

    return answer
