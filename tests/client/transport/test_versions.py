"""ApiVersions is asked in the newest version, and again if a broker is older (KIP-511)."""

from __future__ import annotations

import pytest

from messagegen_client.errors import BootstrapError
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import ApiVersionsRequest
from messagegen_kafka.error_codes import ErrorCode
from tests.client.support.broker import OFFERED, FakeBroker, Received, Reply, api_versions
from tests.client.support.event_loop import in_loop

NEWEST = ApiVersionsRequest.VALID_VERSIONS[-1]


def older_broker(highest: int, *, tells: bool) -> FakeBroker:
    """A broker that knows ApiVersions up to a version.

    ``tells`` is whether it says so when it refuses a newer version, as since Kafka 2.4.
    """
    offered = {**OFFERED, ApiVersionsRequest.API_KEY: (0, highest)}
    told = {ApiVersionsRequest.API_KEY: (0, highest)} if tells else {}

    async def answer(received: Received) -> Reply:
        if received.version > highest:
            refusal = api_versions(told, error_code=ErrorCode.UNSUPPORTED_VERSION)
            return received.frame(refusal, version=0)
        return api_versions(offered)

    return FakeBroker({ApiVersionsRequest: answer})


async def asked_versions(broker: FakeBroker) -> list[int]:
    """The versions in which a client asks a broker for its versions."""
    async with broker, Cluster(broker.config()) as cluster:
        await cluster.metadata(deadline=cluster.deadline(20))
    return [received.version for received in broker.requests(ApiVersionsRequest)]


@in_loop
async def test_a_broker_of_the_same_age_is_asked_once() -> None:
    assert await asked_versions(FakeBroker()) == [NEWEST]


@pytest.mark.parametrize("highest", [0, 2, 3])
@in_loop
async def test_an_older_broker_is_asked_again_in_its_highest_version(highest: int) -> None:
    assert await asked_versions(older_broker(highest, tells=True)) == [NEWEST, highest]


@in_loop
async def test_a_broker_that_does_not_tell_its_versions_is_asked_again_in_version_0() -> None:
    assert await asked_versions(older_broker(2, tells=False)) == [NEWEST, 0]


@in_loop
async def test_brokers_learn_the_name_and_the_version_of_the_client() -> None:
    broker = FakeBroker()
    await asked_versions(broker)
    (received,) = broker.requests(ApiVersionsRequest)
    assert isinstance(received.request, ApiVersionsRequest)
    assert received.request.client_software_name == "messagegen-client"
    # Brokers refuse other characters, such as the plus sign of a development version.
    assert received.request.client_software_version.replace("-", "").replace(".", "").isalnum()


@pytest.mark.parametrize(
    ("offered", "error_code", "message"),
    [
        ({}, ErrorCode.INVALID_REQUEST, "sent an invalid ApiVersions response: error code INVALID_REQUEST"),
        ({ApiVersionsRequest.API_KEY: (3, 0)}, 0, "sent an invalid ApiVersions response"),
    ],
)
@in_loop
async def test_an_invalid_response_is_an_error(
    offered: dict[int, tuple[int, int]], error_code: int, message: str
) -> None:
    async def answer(received: Received) -> Reply:
        return api_versions(offered, error_code)

    async with FakeBroker({ApiVersionsRequest: answer}) as broker, Cluster(broker.config()) as cluster:
        with pytest.raises(BootstrapError, match=message):
            await cluster.metadata(deadline=cluster.deadline(20))
