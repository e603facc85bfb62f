"""The quickstart's proxy changes or refuses every response that contains an address, whatever its content."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from messagegen import load
from messagegen_kafka import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    FetchRequest,
    FetchResponse,
    MetadataRequest,
    MetadataResponse,
    Request,
)
from messagegen_kafka.api_versions_response import ApiVersion
from messagegen_kafka.fetch_response import FetchableTopicResponse, PartitionData
from messagegen_kafka.metadata_response import (
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from tests.broker.ports import HOST
from tests.e2e.proxy.hostile import SECRET, page_proxy

SPECS: Final = Path(__file__).parents[3] / "message_specs"
VERSION: Final = 12
ID: Final = 7
PORT: Final = 4242
TAGS: Final = ((1000, SECRET.encode()),)
TAG_SECTION: Final = b"\x01\xe8\x07" + bytes([len(SECRET)]) + SECRET.encode()
"""The end of a flexible header or struct with ``TAGS``; ``\\0`` without them."""
METADATA: Final = MetadataRequest(topics=None).encode_frame(version=VERSION, correlation_id=ID)

IN_BYTES: Final = {"Envelope": 58, "FetchSnapshot": 59}
"""APIs whose responses contain other messages as bytes."""


@pytest.fixture(scope="module")
def proxy() -> ModuleType:
    return page_proxy()


async def _answered(proxy: ModuleType, request: bytes, payload: bytes) -> bytes:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await reader.read(1 << 16):
            writer.write(len(payload).to_bytes(4, "big") + payload)
        writer.close()

    broker = await asyncio.start_server(serve, HOST, 0)
    address = "{}:{}".format(*broker.sockets[0].getsockname())
    server = await asyncio.start_server(partial(proxy.forward, address), HOST, 0)
    async with broker, server, asyncio.timeout(30):
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(request)
        received = await reader.read()
        writer.close()
    return received


def answered(proxy: ModuleType, request: bytes, payload: bytes) -> bytes:
    """Return the bytes that a client gets if a broker answers with a payload, and then closes the connection."""
    return asyncio.run(_answered(proxy, request, payload))


def payload(response: MetadataResponse) -> bytes:
    return response.encode_frame(version=VERSION, correlation_id=ID)[4:]


def body(received: bytes) -> MetadataResponse:
    header, response = MetadataResponse.decode_frame(received, version=VERSION)
    assert header.unknown_tagged_fields == ()
    return response


PARTITION: Final = MetadataResponsePartition(partition_index=1, unknown_tagged_fields=TAGS)
NESTED: Final = {
    "the message": MetadataResponse(unknown_tagged_fields=TAGS),
    "a broker": MetadataResponse(brokers=(MetadataResponseBroker(node_id=1, unknown_tagged_fields=TAGS),)),
    "a topic": MetadataResponse(topics=(MetadataResponseTopic(name="t", unknown_tagged_fields=TAGS),)),
    "a partition": MetadataResponse(topics=(MetadataResponseTopic(name="t", partitions=(PARTITION,)),)),
}


@pytest.mark.parametrize("place", NESTED)
def test_unknown_tagged_fields_of_a_body_do_not_pass(proxy: ModuleType, place: str) -> None:
    data = payload(NESTED[place])
    assert SECRET.encode() in data
    received = answered(proxy, METADATA, data)
    assert SECRET.encode() not in received
    assert len(body(received).topics or ()) == len(NESTED[place].topics or ())


@pytest.mark.parametrize("changes", [False, True])
def test_unknown_tagged_fields_of_a_header_do_not_pass(proxy: ModuleType, changes: bool) -> None:
    broker = MetadataResponseBroker(node_id=1, host="broker", port=PORT)
    data = payload(MetadataResponse(brokers=(broker,) if changes else ()))
    assert data[4] == 0
    received = answered(proxy, METADATA, data[:4] + TAG_SECTION + data[5:])
    assert SECRET.encode() not in received
    assert [broker.port for broker in body(received).brokers] == ([proxy.FIRST_PORT + 1] if changes else [])


@pytest.mark.parametrize(("host", "port"), [(SECRET, -1), (SECRET, -PORT), ("", PORT)])
def test_an_address_with_only_a_host_or_only_a_port_is_replaced(proxy: ModuleType, host: str, port: int) -> None:
    broker = MetadataResponseBroker(node_id=1, host=host, port=port)
    (changed,) = body(answered(proxy, METADATA, payload(MetadataResponse(brokers=(broker,))))).brokers
    assert (changed.host, changed.port) == (HOST, proxy.FIRST_PORT + 1)


def test_an_address_that_cannot_be_written_closes_the_connection(
    proxy: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    broker = MetadataResponseBroker(node_id=(1 << 31) - 1, host=SECRET, port=PORT)
    assert answered(proxy, METADATA, payload(MetadataResponse(brokers=(broker,)))) == b""
    (record,) = caplog.records
    assert "brokers[0].port: " in record.getMessage()
    assert record.exc_info is None


@pytest.mark.parametrize("api", IN_BYTES)
def test_requests_for_responses_with_embedded_messages_close_the_connection(
    api: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for kind in ("request", "response"):
        spec = {
            "apiKey": IN_BYTES[api],
            "type": kind,
            "name": f"{api}{kind.title()}",
            "validVersions": "0",
            "flexibleVersions": "0+",
            "fields": [{"name": "Data", "type": "bytes", "versions": "0+"}],
        }
        (tmp_path / f"{spec['name']}.json").write_text(json.dumps(spec), encoding="utf-8")
    messages: Any = load(SPECS, tmp_path)
    request: Request = getattr(messages, f"{api}Request")(data=b"request")
    response = getattr(messages, f"{api}Response")(data=SECRET.encode())
    answer = response.encode_frame(version=0, correlation_id=ID)[4:]
    received = answered(page_proxy(messages.__name__), request.encode_frame(version=0, correlation_id=ID), answer)
    assert received == b""
    (record,) = caplog.records
    assert "can't read the messages in the bytes of its response" in record.getMessage()
    assert record.levelno == logging.WARNING


def test_apis_with_embedded_messages_are_not_offered_to_clients(proxy: ModuleType) -> None:
    keys = (*IN_BYTES.values(), MetadataRequest.API_KEY)
    assert tuple(IN_BYTES.values()) == proxy.MESSAGES_IN_BYTES
    offered = ApiVersionsResponse(api_keys=tuple(ApiVersion(api_key=key, max_version=0) for key in keys))
    request = ApiVersionsRequest().encode_frame(version=0, correlation_id=ID)
    received = answered(proxy, request, offered.encode_frame(version=0, correlation_id=ID)[4:])
    _, response = ApiVersionsResponse.decode_frame(received, version=0)
    assert [each.api_key for each in response.api_keys] == [MetadataRequest.API_KEY]


def test_records_pass_unchanged_even_if_they_contain_an_address(proxy: ModuleType) -> None:
    partition = PartitionData(partition_index=0, records=SECRET.encode())
    response = FetchResponse(responses=(FetchableTopicResponse(topic="t", partitions=(partition,)),))
    data = response.encode_frame(version=VERSION, correlation_id=ID)
    request = FetchRequest().encode_frame(version=VERSION, correlation_id=ID)
    assert answered(proxy, request, data[4:]) == data
