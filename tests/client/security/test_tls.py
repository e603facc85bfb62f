"""TLS reports bad brokers and certificates clearly, and leaves no socket open."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import pytest
import trustme

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    BootstrapError,
    KafkaError,
    SslAuthenticationError,
)
from messagegen_client.security.settings import Security, SslSettings
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    DescribeClientQuotasRequest,
    MetadataRequest,
    MetadataResponse,
)
from messagegen_kafka.metadata_response import MetadataResponseBroker
from tests.client.support.broker import FakeBroker, Received, Reply
from tests.client.support.event_loop import in_loop
from tests.client.support.failing import failure


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path) -> Path:
    return pem(tmp_path / "ca.pem", authority)


def pem(path: Path, authority: trustme.CA) -> Path:
    path.write_bytes(authority.cert_pem.bytes())
    return path


def server_context(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


def tls(truststore: Path | None, *, verify_hostname: bool = True) -> Security:
    return Security(ssl=SslSettings(truststore=truststore, verify_hostname=verify_hostname))


@in_loop
async def _metadata_over_tls(context: ssl.SSLContext, security: Security) -> None:
    async with FakeBroker(tls=context) as broker, Cluster(broker.config(security=security)) as cluster:
        await cluster.metadata(deadline=cluster.deadline(20))


@in_loop
async def _failure_over_tls(context: ssl.SSLContext | None, security: Security, errors: list[KafkaError]) -> None:
    async with FakeBroker(tls=context) as broker:
        errors.append(await failure(broker.config(security=security)))


def error_over_tls(context: ssl.SSLContext | None, security: Security) -> KafkaError:
    errors: list[KafkaError] = []
    _failure_over_tls(context, security, errors)
    return errors[0]


def test_a_certificate_of_an_untrusted_authority_is_rejected(authority: trustme.CA, tmp_path: Path) -> None:
    stranger = pem(tmp_path / "stranger.pem", trustme.CA())
    error = error_over_tls(server_context(authority, "127.0.0.1"), tls(stranger))
    assert isinstance(error, SslAuthenticationError)
    assert "certificate was rejected: unable to get local issuer certificate; set ssl.truststore" in str(error)


def test_a_certificate_for_another_host_is_rejected_unless_the_settings_allow_it(
    authority: trustme.CA, trusted: Path
) -> None:
    context = server_context(authority, "kafka.example")
    error = error_over_tls(context, tls(trusted))
    assert isinstance(error, SslAuthenticationError)
    assert "certificate is not valid for '127.0.0.1'" in str(error)
    _metadata_over_tls(context, tls(trusted, verify_hostname=False))


@in_loop
async def test_the_certificate_must_match_the_host_that_metadata_names(authority: trustme.CA, trusted: Path) -> None:
    async with FakeBroker(tls=server_context(authority, "127.0.0.1")) as broker:

        async def elsewhere(received: Received) -> Reply:
            brokers = (MetadataResponseBroker(node_id=1, host="localhost", port=broker.port),)
            return MetadataResponse(brokers=brokers, controller_id=1)

        broker.on[MetadataRequest] = elsewhere
        async with Cluster(broker.config(security=tls(trusted))) as cluster:
            with pytest.raises(SslAuthenticationError, match="certificate is not valid for 'localhost'"):
                await cluster.call(
                    DescribeClientQuotasRequest(components=()),
                    to=1,
                    deadline=cluster.deadline(20),
                )
    assert not broker.requests(DescribeClientQuotasRequest)


def test_the_error_suggests_plaintext_if_the_port_does_not_use_tls(
    trusted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("messagegen_client.transport.cluster._PATIENCE", 0.05)
    error = error_over_tls(None, tls(trusted))
    assert isinstance(error, BootstrapError)
    assert "perhaps the port does not use TLS; then set security.protocol to PLAINTEXT" in str(error)


@pytest.mark.parametrize("encrypted", [False, True])
@in_loop
async def test_closing_a_client_at_any_moment_closes_its_socket(
    encrypted: bool, authority: trustme.CA, trusted: Path
) -> None:
    context = server_context(authority, "localhost") if encrypted else None
    security = tls(trusted) if encrypted else Security()
    async with FakeBroker(tls=context) as broker:
        settings = ClientConfig.of(f"localhost:{broker.port}", security=security)
        for turns in range(60):
            async with Cluster(settings) as cluster:
                call = asyncio.create_task(cluster.metadata(deadline=cluster.deadline(20)))
                for _ in range(turns):
                    await asyncio.sleep(0)
                call.cancel()
            await asyncio.gather(call, return_exceptions=True)
