"""Bad weather in TLS and SASL: clear errors, no leaks, and no secret in anything that is said."""

from __future__ import annotations

import asyncio
import base64
import logging
import ssl
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme
from scramp import ScramMechanism  # type: ignore[import-untyped]  # it has no annotations

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    BootstrapError,
    KafkaError,
    SaslAuthenticationError,
    SslAuthenticationError,
)
from messagegen_client.security.settings import SaslCredentials, Security, SslSettings
from messagegen_client.transport.cluster import Cluster
from messagegen_kafka import (
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    MetadataRequest,
    MetadataResponse,
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from messagegen_kafka.metadata_response import MetadataResponseBroker
from tests.client.fakes.broker import FakeBroker, Received, Reply, hang_up, in_loop

PASSWORD = "correct horse, battery staple"
MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]
mechanisms = pytest.mark.parametrize("mechanism", MECHANISMS)
scram = pytest.mark.parametrize("mechanism", MECHANISMS[1:])


class SaslBroker(FakeBroker):
    """A fake broker that lets alice in with ``password``, by any mechanism in ``enabled``."""

    def __init__(self, password: str = PASSWORD, *, iterations: int = 4096, lifetime_ms: int = 0) -> None:
        super().__init__({SaslHandshakeRequest: self._handshake, SaslAuthenticateRequest: self._authenticate})
        self.enabled = tuple(MECHANISMS)
        self.password = password
        self.iterations = iterations
        self.lifetime_ms = lifetime_ms
        self.damage: Callable[[str], str] = lambda text: text
        """What becomes of each SCRAM message of the server."""
        self._exchanges: dict[int, Iterator[SaslAuthenticateResponse]] = {}
        self._token = b""

    async def _handshake(self, received: Received) -> Reply:
        assert isinstance(received.request, SaslHandshakeRequest)
        mechanism = received.request.mechanism
        if mechanism not in self.enabled:
            return SaslHandshakeResponse(error_code=33, mechanisms=self.enabled)
        exchange = self._plain() if mechanism == "PLAIN" else self._scram(mechanism)
        self._exchanges[received.connection] = exchange
        return SaslHandshakeResponse(mechanisms=self.enabled)

    async def _authenticate(self, received: Received) -> Reply:
        assert isinstance(received.request, SaslAuthenticateRequest)
        self._token = received.request.auth_bytes
        return next(self._exchanges[received.connection])

    def _done(self, token: bytes = b"") -> SaslAuthenticateResponse:
        return SaslAuthenticateResponse(auth_bytes=token, session_lifetime_ms=self.lifetime_ms)

    def _plain(self) -> Iterator[SaslAuthenticateResponse]:
        said = self._token.decode
        if said().split("\0") == ["alice", "alice", self.password]:
            yield self._done()
        # A careless broker, which says what it was told.
        yield SaslAuthenticateResponse(error_code=58, error_message=f"Invalid credentials: {said()!r}")

    def _scram(self, mechanism: str) -> Iterator[SaslAuthenticateResponse]:
        scram = ScramMechanism(mechanism)
        known = scram.make_auth_info(self.password, iteration_count=self.iterations)
        server = scram.make_server(lambda _: known)
        server.set_client_first(self._token.decode())
        yield SaslAuthenticateResponse(auth_bytes=self.damage(server.get_server_first()).encode())
        try:
            server.set_client_final(self._token.decode())
        except Exception:  # noqa: BLE001 - whatever it is, the client is not let in
            yield SaslAuthenticateResponse(error_code=58, error_message="invalid credentials")
            return
        yield self._done(self.damage(server.get_server_final()).encode())


def config(broker: FakeBroker, mechanism: str, password: str = PASSWORD) -> ClientConfig:
    credentials = SaslCredentials(mechanism=mechanism, username="alice", password=password)
    return broker.config(security=Security(sasl=credentials), client_id="app")


async def failure(settings: ClientConfig, within: float = 20) -> KafkaError:
    """The error of a call that has to fail."""
    async with Cluster(settings) as cluster:
        with pytest.raises(KafkaError) as caught:
            await cluster.metadata(deadline=cluster.deadline(within))
    return caught.value


def everything_said(error: BaseException, caplog: pytest.LogCaptureFixture) -> str:
    return "".join([*traceback.format_exception(error), repr(error), caplog.text, repr(vars(error))])


def assert_no_secret(said: str, password: str = PASSWORD) -> None:
    for form in (password, base64.b64encode(password.encode()).decode(), password.encode().hex(), repr(password)[1:-1]):
        assert form not in said


@mechanisms
def test_a_wrong_password_is_said_without_it(mechanism: str, caplog: pytest.LogCaptureFixture) -> None:
    @in_loop
    async def check() -> None:
        async with SaslBroker("another one") as broker:
            error = await failure(config(broker, mechanism))
        assert isinstance(error, SaslAuthenticationError)
        assert f"rejected user 'alice' with {mechanism}" in str(error)
        assert broker.connections == 1
        assert_no_secret(everything_said(error, caplog))

    caplog.set_level(logging.DEBUG)
    check()
    assert "ApiVersionRequest" in caplog.text


@scram
def test_a_broker_that_does_not_know_the_password_is_not_believed(
    mechanism: str, caplog: pytest.LogCaptureFixture
) -> None:
    @in_loop
    async def check() -> None:
        async with SaslBroker() as broker:
            signature = base64.b64encode(b"\0" * 32).decode()
            broker.damage = lambda text: f"v={signature}" if text.startswith("v=") else text
            error = await failure(config(broker, mechanism))
        assert isinstance(error, SaslAuthenticationError)
        assert "it may not be the right broker" in str(error)
        assert_no_secret(everything_said(error, caplog))

    caplog.set_level(logging.DEBUG)
    check()


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        ("", "message, or one that does not prove"),
        ("r=,s=,i=", "invalid number of SCRAM iterations"),
        ("e=other-error", "message, or one that does not prove"),
        ("r=not-our-nonce,s=QUJD,i=4096", "message, or one that does not prove"),
        ("\ud83d", "message, or one that does not prove"),
    ],
)
@in_loop
async def test_a_first_answer_in_scram_that_is_none(damaged: str, message: str) -> None:
    async with SaslBroker() as broker:
        broker.damage = lambda _: damaged.encode("utf-8", "surrogatepass").decode("latin-1")
        error = await failure(config(broker, "SCRAM-SHA-256"))
    assert isinstance(error, SaslAuthenticationError)
    assert message in str(error)


@pytest.mark.parametrize(
    "iterations",
    ["i=1", "i=4095", "i=100001", "i=999999999", "i=99999999999999999999", "i=-4096", "i=4096,i=999999999", "i=٤٠٩٦"],
)
@in_loop
async def test_a_broker_cannot_ask_for_weak_or_endless_work(iterations: str) -> None:
    async with SaslBroker() as broker:
        broker.damage = lambda text: text.replace("i=4096", iterations)
        error = await failure(config(broker, "SCRAM-SHA-256"))
    assert isinstance(error, SaslAuthenticationError)
    assert "invalid number of SCRAM iterations; expected 4096 to 100000" in str(error)


@in_loop
async def test_a_mechanism_that_is_not_enabled_is_said_with_those_that_are() -> None:
    async with SaslBroker() as broker:
        broker.enabled = ("SCRAM-SHA-512", "GSSAPI")
        error = await failure(config(broker, "PLAIN"))
    assert "does not support PLAIN; set sasl.mechanism to one of its mechanisms: SCRAM-SHA-512, GSSAPI" in str(error)


@pytest.mark.parametrize(
    ("code", "message"), [(34, "does not use SASL on this port"), (31, "CLUSTER_AUTHORIZATION_FAILED")]
)
@in_loop
async def test_a_broker_that_refuses_the_handshake(code: int, message: str) -> None:
    async def refuse(received: Received) -> Reply:
        return SaslHandshakeResponse(error_code=code)

    async with FakeBroker({SaslHandshakeRequest: refuse}) as broker:
        error = await failure(config(broker, "PLAIN"))
    assert isinstance(error, SaslAuthenticationError)
    assert message in str(error)


@in_loop
async def test_a_session_that_ends_is_replaced_by_a_new_connection_in_time() -> None:
    async with SaslBroker(lifetime_ms=1) as broker, Cluster(config(broker, "PLAIN")) as cluster:
        for _ in range(3):
            await cluster.metadata(deadline=cluster.deadline(20))
            await asyncio.sleep(0.002)
    assert broker.connections == 3


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


def test_a_certificate_of_an_authority_that_is_not_trusted(authority: trustme.CA, tmp_path: Path) -> None:
    stranger = pem(tmp_path / "stranger.pem", trustme.CA())
    error = error_over_tls(server_context(authority, "127.0.0.1"), tls(stranger))
    assert isinstance(error, SslAuthenticationError)
    assert "certificate was rejected: unable to get local issuer certificate; set ssl.truststore" in str(error)


def test_a_certificate_for_another_host(authority: trustme.CA, trusted: Path) -> None:
    context = server_context(authority, "kafka.example")
    error = error_over_tls(context, tls(trusted))
    assert isinstance(error, SslAuthenticationError)
    assert "certificate is not valid for '127.0.0.1'" in str(error)
    _metadata_over_tls(context, tls(trusted, verify_hostname=False))


@in_loop
async def test_a_broker_cannot_send_a_client_to_a_host_without_a_certificate(
    authority: trustme.CA, trusted: Path
) -> None:
    async with FakeBroker(tls=server_context(authority, "127.0.0.1")) as broker:

        async def elsewhere(received: Received) -> Reply:
            brokers = (MetadataResponseBroker(node_id=1, host="localhost", port=broker.port),)
            return MetadataResponse(brokers=brokers, controller_id=1)

        broker.on[MetadataRequest] = elsewhere
        async with Cluster(broker.config(security=tls(trusted))) as cluster:
            with pytest.raises(SslAuthenticationError, match="certificate is not valid for 'localhost'"):
                await cluster.call(
                    DescribeClientQuotasRequest(components=()),
                    DescribeClientQuotasResponse,
                    to=1,
                    deadline=cluster.deadline(20),
                )
    assert not broker.requests(DescribeClientQuotasRequest)


def test_tls_where_the_broker_is_plain(trusted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("messagegen_client.transport.cluster._PATIENCE", 0.05)
    error = error_over_tls(None, tls(trusted))
    assert isinstance(error, BootstrapError)
    assert "the port may not use TLS; if so, set security.protocol to PLAINTEXT" in str(error)


@pytest.mark.parametrize("encrypted", [False, True])
@in_loop
async def test_whenever_a_client_is_closed_its_socket_is(encrypted: bool, authority: trustme.CA, trusted: Path) -> None:
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


@in_loop
async def test_a_connection_that_ends_in_sasl_leaves_no_outcome_open() -> None:
    async with SaslBroker() as broker, Cluster(config(broker, "PLAIN")) as cluster:
        broker.on[SaslAuthenticateRequest] = hang_up
        with pytest.raises(BootstrapError) as caught:
            await cluster.call(
                AlterClientQuotasRequest(entries=(), validate_only=False),
                AlterClientQuotasResponse,
                deadline=cluster.deadline(20),
                changes=True,
            )
    assert not caught.value.outcome_unknown
    assert not any(reason.outcome_unknown for _, reason in caught.value.reasons)
