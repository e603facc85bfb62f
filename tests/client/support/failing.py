"""Returns the error of a client that can't connect."""

from __future__ import annotations

import pytest

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import KafkaError
from messagegen_client.transport.cluster import Cluster


async def failure(settings: ClientConfig, within: float = 20) -> KafkaError:
    """Return the error of the first call that a client with these settings makes."""
    async with Cluster(settings) as cluster:
        with pytest.raises(KafkaError) as caught:
            await cluster.metadata(deadline=cluster.deadline(within))
    return caught.value
