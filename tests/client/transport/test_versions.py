"""The client sends ApiVersions in the newest version, and again if a broker is older (KIP-511)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BootstrapError
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import ApiVersionsRequest, ApiVersionsResponse, ErrorCode
from messagegen_kafka.api_versions_response import ApiVersion
from messagegen_testing import ScriptedBroker
from tests.client.support.broker import FakeBroker, Received, Reply, api_versions
from tests.client.support.event_loop import in_loop

Start = Callable[..., ScriptedBroker]

NEWEST = ApiVersionsRequest.VALID_VERSIONS[-1]


async def ask_for_metadata(broker: ScriptedBroker) -> None:
    config = ClientConfig.of(broker.bootstrap, retry_backoff=0.001, retry_backoff_max=0.01)
    async with Cluster(config) as cluster:
        await cluster.metadata(deadline=cluster.deadline(20))


async def asked_versions(broker: ScriptedBroker) -> list[int]:
    """Return the versions of the ApiVersions requests that the client sends."""
    await ask_for_metadata(broker)
    return [seen.version for seen in broker.seen(ApiVersionsRequest)]


@in_loop
async def test_a_broker_as_new_as_the_client_gets_one_api_versions_request(scripted_broker: Start) -> None:
    assert await asked_versions(scripted_broker()) == [NEWEST]


@pytest.mark.parametrize("highest", [0, 2, 3])
@in_loop
async def test_an_older_broker_gets_a_second_request_in_its_highest_version(
    scripted_broker: Start, highest: int
) -> None:
    assert await asked_versions(scripted_broker(versions={ApiVersionsRequest: (0, highest)})) == [NEWEST, highest]


@in_loop
async def test_a_refused_api_versions_request_is_sent_again_in_version_0() -> None:
    async def answer(received: Received) -> Reply:
        if received.version > 2:
            # Brokers before Kafka 2.4 answer like this.
            return received.frame(api_versions({}, error_code=ErrorCode.UNSUPPORTED_VERSION), version=0)
        return api_versions()

    async with FakeBroker({ApiVersionsRequest: answer}) as broker, Cluster(broker.config()) as cluster:
        await cluster.metadata(deadline=cluster.deadline(20))
    assert [received.version for received in broker.requests(ApiVersionsRequest)] == [NEWEST, 0]


@in_loop
async def test_brokers_receive_the_name_and_the_version_of_the_client(scripted_broker: Start) -> None:
    broker = scripted_broker()
    await ask_for_metadata(broker)
    (seen,) = broker.seen(ApiVersionsRequest)
    assert seen.message.client_software_name == "messagegen-client"
    # Brokers refuse other characters, such as the plus sign of a development version.
    assert seen.message.client_software_version.replace("-", "").replace(".", "").isalnum()


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (
            ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST),
            "answered ApiVersions with error code INVALID_REQUEST",
        ),
        (
            ApiVersionsResponse(api_keys=(ApiVersion(api_key=ApiVersionsRequest.API_KEY, min_version=3),)),
            "sent an invalid ApiVersions response",
        ),
    ],
)
@in_loop
async def test_an_invalid_response_is_an_error(
    scripted_broker: Start, response: ApiVersionsResponse, message: str
) -> None:
    broker = scripted_broker()
    broker.when(ApiVersionsRequest).answer(response)
    with pytest.raises(BootstrapError, match=message):
        await ask_for_metadata(broker)
