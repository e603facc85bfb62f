"""Waits for the answer of one particular broker, and checks meanwhile that it is still the right one to ask."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

from messagegen_client.errors import KafkaError
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.deadlines import Deadline

T = TypeVar("T")

_CHECK_INTERVAL: Final = 0.1
"""The time between two checks, as a fraction of the time that the request has."""


async def watched(
    request: Coroutine[Any, Any, T],
    reason_to_stop: Callable[[], Awaitable[KafkaError | None]],
    cluster: Cluster,
    deadline: Deadline,
) -> T:
    """The result of ``request``; it is cancelled when ``reason_to_stop`` returns an error, which is raised.

    A broker that does not answer is replaced as soon as another broker has its role. A broker that is only slow keeps its
    role and is waited for. An error that ``reason_to_stop`` raises tells nothing and is ignored.
    """
    task = asyncio.ensure_future(request)
    interval = min(cluster.config.request_timeout, deadline.remaining()) * _CHECK_INTERVAL
    try:
        while not (await asyncio.wait([task], timeout=interval))[0]:
            try:
                reason = await reason_to_stop()
            except KafkaError:
                continue
            if reason is not None:
                raise reason
        return await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
