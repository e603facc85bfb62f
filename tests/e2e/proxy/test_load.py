"""Under load, the quickstart's proxy serves connections in turns, and closes them even if the client does not read."""

from __future__ import annotations

import asyncio
from types import ModuleType
from typing import Final

import pytest

import messagegen_kafka
from messagegen_kafka import ApiVersionsResponse
from messagegen_kafka.api_versions_response import ApiVersion
from tests.e2e.proxy.hostile import page_proxy

CHUNKS: Final = 10
CHUNK_SIZE: Final = 65536
"""The maximum number of bytes that the proxy reads in one step."""
UNREAD: Final = bytes(16 << 20)
"""More bytes than the buffers of both sockets can hold."""


@pytest.fixture
def proxy() -> ModuleType:
    return page_proxy()


class Sink:
    """A writer that accepts everything."""

    def write(self, data: bytes) -> None: ...
    async def drain(self) -> None: ...


def test_other_connections_take_turns_with_a_connection_that_sends_much_data(proxy: ModuleType) -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def copy_all() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(bytes(CHUNKS * CHUNK_SIZE))
        reader.feed_eof()
        other = asyncio.ensure_future(count_turns())
        await asyncio.sleep(0)
        await proxy.copy(reader, lambda data: [data], bytes, Sink())
        other.cancel()

    asyncio.run(copy_all())
    assert turns >= CHUNKS


def test_message_classes_are_looked_up_once_for_each_api(proxy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[int] = []
    find = messagegen_kafka.message_classes

    def counted(kind: str, api_key: int) -> object:
        looked_up.append(api_key)
        return find(kind, api_key)

    monkeypatch.setattr(messagegen_kafka, "message_classes", counted)
    offered = ApiVersionsResponse(api_keys=tuple(ApiVersion(api_key=key, max_version=9) for key in range(80)))
    known = {proxy.without_unknown_versions(offered) for _ in range(3)}
    assert len(known) == 1
    assert len(looked_up) == len(set(looked_up))


def test_a_connection_closes_even_if_the_client_does_not_read(
    proxy: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proxy, "SECONDS_TO_CLOSE", 0.05)

    async def closed_with_unread_bytes() -> None:
        accepted: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()
        server = await asyncio.start_server(lambda _, writer: accepted.put_nowait(writer), "127.0.0.1", 0)
        _, client = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer = await accepted.get()
        writer.write(UNREAD)
        proxy.close(writer)
        with pytest.raises(OSError, match="Connection lost"):
            await asyncio.wait_for(_until_refused(writer), 10)
        client.close()
        server.close()

    asyncio.run(closed_with_unread_bytes())


async def _until_refused(writer: asyncio.StreamWriter) -> None:
    """Wait until a writer refuses to write more because its connection is gone."""
    while True:
        await writer.drain()
        await asyncio.sleep(0.01)
