"""Versions: the highest that both sides know, and what KIP-511 asks for where a broker is older or newer."""

from __future__ import annotations

import importlib.metadata

import pytest

from messagegen_client.errors import BootstrapError, NoCommonVersionError
from messagegen_client.net.cluster import ANY_BROKER, Answer, Cluster
from messagegen_client.net.metadata import Broker
from messagegen_client.net.versions import highest_common, stable_versions
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    MetadataRequest,
    ResolveClientQuotasRequest,
)
from tests.client.fakes.broker import OFFERED, Answerer, FakeBroker, Received, Reply, api_versions, in_loop

BROKER = Broker(3, "broker", 9092)
QUOTAS = DescribeClientQuotasRequest.API_KEY
HIGHEST = ApiVersionsRequest.VALID_VERSIONS[-1]


class UnstableRequest(MetadataRequest):
    """A request whose latest version, 13, may still change."""

    LATEST_VERSION_UNSTABLE = True


@pytest.mark.parametrize(
    ("offered", "versions", "expected"),
    [
        (range(14), None, 13),
        (range(9), None, 8),
        (range(5, 100), None, 13),
        (range(14), range(4, 10), 9),
        (range(14), range(1), 0),
    ],
)
def test_the_highest_version_that_both_know(offered: range, versions: range | None, expected: int) -> None:
    assert highest_common(MetadataRequest, {3: offered}, versions, BROKER) == expected


def test_a_version_that_may_change_is_spoken_only_on_request() -> None:
    offered = {3: range(14)}
    assert stable_versions(UnstableRequest) == range(13)
    assert highest_common(UnstableRequest, offered, None, BROKER) == 12
    assert highest_common(UnstableRequest, offered, UnstableRequest.VALID_VERSIONS, BROKER) == 13


@pytest.mark.parametrize(
    ("offered", "versions", "message"),
    [
        ({3: range(20, 30)}, None, "supports Metadata versions 20 to 29, this client uses versions 0 to 13"),
        ({3: range(2, 3)}, range(4, 14), "supports Metadata version 2, this client uses versions 4 to 13"),
        ({3: range(14)}, range(20, 21), "versions 0 to 13, this client uses version 20"),
        ({18: range(5)}, None, r"does not support Metadata \(API key 3\)"),
    ],
)
def test_without_a_common_version_both_ranges_are_named(
    offered: dict[int, range], versions: range | None, message: str
) -> None:
    with pytest.raises(NoCommonVersionError, match=message) as caught:
        highest_common(MetadataRequest, offered, versions, BROKER)
    assert "broker 3 (broker:9092)" in str(caught.value)


async def ask(broker: FakeBroker) -> Answer[DescribeClientQuotasResponse]:
    async with Cluster(broker.config()) as cluster:
        request = DescribeClientQuotasRequest(components=())
        return await cluster.call(request, DescribeClientQuotasResponse, to=ANY_BROKER, deadline=cluster.deadline(20))


@in_loop
async def test_api_versions_are_asked_first_in_the_highest_version_with_our_name() -> None:
    async with FakeBroker() as broker:
        answer = await ask(broker)
    (first,) = broker.requests(ApiVersionsRequest)
    assert first is broker.received[0]
    assert first.version == HIGHEST
    assert isinstance(first.request, ApiVersionsRequest)
    assert first.request.client_software_name == "messagegen"
    assert first.request.client_software_version
    assert answer.version == 1


@in_loop
async def test_an_older_broker_is_asked_again_in_the_version_that_it_names() -> None:
    async def only_up_to_two(received: Received) -> Reply:
        if received.version > 2:
            return received.frame(api_versions({18: (0, 2)}, error_code=35), version=0)
        return api_versions({**OFFERED, QUOTAS: (0, 0)})

    async with FakeBroker({ApiVersionsRequest: only_up_to_two}) as broker:
        answer = await ask(broker)
    assert [received.version for received in broker.requests(ApiVersionsRequest)] == [HIGHEST, 2]
    assert answer.version == 0


@in_loop
async def test_a_refusal_that_names_no_version_means_version_zero() -> None:
    async def nameless(received: Received) -> Reply:
        if received.version:
            return received.frame(api_versions({}, error_code=35), version=0)
        return api_versions()

    async with FakeBroker({ApiVersionsRequest: nameless}) as broker:
        await ask(broker)
    assert [received.version for received in broker.requests(ApiVersionsRequest)] == [HIGHEST, 0]


@in_loop
async def test_unknown_tagged_fields_of_a_newer_broker_do_no_harm() -> None:
    async def newer(received: Received) -> Reply:
        return ApiVersionsResponse(api_keys=api_versions().api_keys, unknown_tagged_fields=((99, b"news"),))

    async with FakeBroker({ApiVersionsRequest: newer}) as broker:
        await ask(broker)


def error(code: int) -> Answerer:
    async def answer(received: Received) -> Reply:
        return api_versions({}, error_code=code)

    return answer


async def refuse_always(received: Received) -> Reply:
    return received.frame(api_versions({18: (0, 2)}, error_code=35), version=0 if received.version > 2 else None)


async def garbage(received: Received) -> Reply:
    return b"\0\0\0\x09" + received.correlation_id.to_bytes(4, "big") + b"\0\x23\0\0\0"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (error(42), r"asking 127.0.0.1:\d+ for its ApiVersions: .*INVALID_REQUEST, error 42"),
        (refuse_always, "UNSUPPORTED_VERSION, error 35"),
        (garbage, "an invalid ApiVersions response: api_keys"),
    ],
)
@in_loop
async def test_a_broker_that_will_not_say_its_versions(answer: Answerer, message: str) -> None:
    async with FakeBroker({ApiVersionsRequest: answer}) as broker:
        with pytest.raises(BootstrapError, match=message):
            await ask(broker)


@in_loop
async def test_a_request_that_a_broker_does_not_offer_is_not_sent() -> None:
    async def without_quotas(received: Received) -> Reply:
        return api_versions({key: versions for key, versions in OFFERED.items() if key != QUOTAS})

    async with FakeBroker({ApiVersionsRequest: without_quotas}) as broker:
        with pytest.raises(NoCommonVersionError, match="DescribeClientQuotas"):
            await ask(broker)
    assert not broker.requests(DescribeClientQuotasRequest)


def test_an_api_that_no_broker_has_is_not_sent_under_the_key_of_another() -> None:
    assert ResolveClientQuotasRequest.API_KEY == 50
    with pytest.raises(NoCommonVersionError, match="no broker supports ResolveClientQuotas: its API key, 50, is"):
        highest_common(ResolveClientQuotasRequest, {50: range(1)}, None, BROKER)


@in_loop
async def test_a_checkout_that_is_not_installed_says_so_to_brokers() -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "version", missing)
        async with FakeBroker() as broker, Cluster(broker.config()) as cluster:
            await cluster.metadata(deadline=cluster.deadline())
    (request,) = [received.request for received in broker.requests(ApiVersionsRequest)]
    assert isinstance(request, ApiVersionsRequest)
    assert (request.client_software_name, request.client_software_version) == ("messagegen", "unknown")
