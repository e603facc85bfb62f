"""Which trust stores let a client in: ours and Java's own, on the same broker."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
import trustme

from messagegen_client.admin import Admin
from messagegen_client.errors import KafkaError
from messagegen_client.security.settings import Security, SslSettings
from messagegen_client.threads import LoopThread
from tests.broker.tools import JavaCallError, JavaTools
from tests.client.fakes.broker import FakeBroker


class Chain(NamedTuple):
    """A broker's certificate is signed by ``between``, that by ``root``; the broker sends its own and ``between``."""

    root: trustme.CA
    between: trustme.CA
    stranger: trustme.CA


@pytest.fixture(scope="module")
def chain() -> Chain:
    root = trustme.CA()
    return Chain(root, root.create_child_ca(), root.create_child_ca())


@contextmanager
def served(chain: Chain) -> Iterator[FakeBroker]:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    chain.between.issue_cert("127.0.0.1").configure_cert(server)
    broker = FakeBroker(tls=server)
    thread = LoopThread(broker)

    async def end() -> None:
        # Java's client stays connected, and comes back.
        broker.stop_listening()
        await asyncio.sleep(0)
        await broker.drop_connections()

    try:
        yield broker
        thread.run(end())
    finally:
        thread.close()


def java_is_refused(tools: JavaTools, broker: FakeBroker, pem: str) -> str | None:
    """The exception that Java's admin client ends with; ``None`` where it gets its answer."""
    properties = {
        "bootstrap.servers": broker.address,
        "security.protocol": "SSL",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.certificates": pem,
        "request.timeout.ms": "20000",
        "default.api.timeout.ms": "20000",
    }
    try:
        tools.call_with(properties, "describeClientQuotas", components=[])
    except JavaCallError as problem:
        return problem.error
    return None


def we_are_refused(broker: FakeBroker, pem: str) -> str | None:
    with Admin(broker.config(security=Security(ssl=SslSettings(truststore=pem)))) as admin:
        try:
            admin.describe_client_quotas()
        except KafkaError as problem:
            return type(problem).__name__
    return None


@pytest.mark.parametrize(
    ("store", "ours", "theirs"),
    [
        ("root", None, None),
        ("between", None, None),
        ("stranger", "SslAuthenticationError", "SslAuthenticationException"),
    ],
)
def test_the_same_stores_are_accepted(
    java_tools: JavaTools, chain: Chain, store: str, ours: str | None, theirs: str | None
) -> None:
    pem = getattr(chain, store).cert_pem.bytes().decode()
    with served(chain) as broker:
        assert (we_are_refused(broker, pem), java_is_refused(java_tools, broker, pem)) == (ours, theirs)
