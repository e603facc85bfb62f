"""What ``resolve_client_quotas`` says, beside what a real broker enforces: the throttle times of its answers."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from messagegen_client.admin import Admin
from messagegen_client.config.settings import ClientConfig
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.resolution import ResolvedQuota
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import MetadataRequest, MetadataResponse
from tests.broker import Cluster as BrokerCluster
from tests.client.quotas.broker_fixtures import admin, eventually, set_quotas

__all__ = ["admin"]  # a fixture

KEY: Final = "request_percentage"
TINY: Final = 0.001
AMPLE: Final = 100_000.0
USER: Final = "ann"
ENOUGH: Final = 40
"""Requests that are not held back, one after another: any of them takes longer than ``TINY`` allows."""


def entries_by_rank(client_id: str) -> list[ClientQuotaEntity]:
    return [
        ClientQuotaEntity(user=USER, client_id=client_id),
        ClientQuotaEntity(user=USER, client_id=None),
        ClientQuotaEntity(user=USER),
        ClientQuotaEntity(user=None, client_id=client_id),
        ClientQuotaEntity(user=None, client_id=None),
        ClientQuotaEntity(user=None),
        ClientQuotaEntity(client_id=client_id),
        ClientQuotaEntity(client_id=None),
    ]


@pytest.fixture
def unaffected(admin: Admin) -> Admin:
    """The admin client, with quotas of its own, so that those of the test are not for it."""
    user = {KEY: AMPLE}
    set_quotas(
        admin, {ClientQuotaEntity(user="ANONYMOUS", client_id=None): user, ClientQuotaEntity(user="ANONYMOUS"): user}
    )
    return admin


@pytest.fixture
def config(broker: BrokerCluster, topic_name: str) -> ClientConfig:
    """A client with an id that no other test has, because the broker remembers what a client has used up."""
    properties = {**broker.client_properties("SASL_PLAINTEXT", user=USER), "client.id": topic_name}
    config, warnings = ClientConfig.from_properties(properties, bootstrap_servers=broker.bootstrap("SASL_PLAINTEXT"))
    assert not warnings
    return config


@pytest.mark.parametrize("rank", range(7))
def test_a_large_limit_is_enforced_over_smaller_ones(unaffected: Admin, config: ClientConfig, rank: int) -> None:
    source, *lower = entries_by_rank(config.client_id)[rank:]
    set_quotas(unaffected, {entry: {KEY: TINY} for entry in lower})
    assert resolved(unaffected, config) == ResolvedQuota(TINY, lower[0])
    eventually(lambda: asyncio.run(is_throttled(config)))
    set_quotas(unaffected, {source: {KEY: AMPLE}})
    assert resolved(unaffected, config) == ResolvedQuota(AMPLE, source)
    eventually(lambda: not asyncio.run(is_throttled(config)))


def resolved(admin: Admin, config: ClientConfig) -> ResolvedQuota:
    client = ClientQuotaEntity(user=USER, client_id=config.client_id)
    return admin.resolve_client_quotas([client])[client][KEY]


async def is_throttled(config: ClientConfig) -> bool:
    """Whether an answer names a throttle time, before ``ENOUGH`` answers in a row name none."""
    async with Cluster(config) as cluster:
        for _ in range(ENOUGH):
            answer = await cluster.call(MetadataRequest(topics=()), MetadataResponse, deadline=cluster.deadline(30))
            if answer.message.throttle_time_ms:
                return True
    return False
