"""A fake broker that authenticates its clients with SASL."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scramp import ScramMechanism  # type: ignore[import-untyped]  # it has no annotations

from messagegen_client.config.settings import ClientConfig
from messagegen_client.security.settings import SaslCredentials, Security
from messagegen_kafka import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from tests.client.support.broker import FakeBroker, Received, Reply

PASSWORD = "correct horse, battery staple"
MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]


class SaslBroker(FakeBroker):
    """A fake broker that accepts the user alice with ``password``, by any mechanism in ``enabled``."""

    def __init__(self, password: str = PASSWORD, *, iterations: int = 4096, lifetime_ms: int = 0) -> None:
        super().__init__({SaslHandshakeRequest: self._handshake, SaslAuthenticateRequest: self._authenticate})
        self.on_token = self._answer_bare
        self.enabled = tuple(MECHANISMS)
        self.password = password
        self.iterations = iterations
        self.lifetime_ms = lifetime_ms
        self.damage: Callable[[str], str] = lambda text: text
        """Changes each SCRAM message from the server."""
        self._exchanges: dict[int, Iterator[SaslAuthenticateResponse]] = {}
        self._token = b""
        self._authenticated = False

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

    def _answer_bare(self, connection: int, token: bytes) -> bytes | None:
        """Return the answer to a token without a header. After a wrong token, the broker closes the connection."""
        self._token = token
        response = next(self._exchanges[connection])
        if response.error_code:
            self.writers[connection].close()
            return None
        if self._authenticated:
            self.login_is_done(connection)
        return response.auth_bytes

    def _done(self, token: bytes = b"") -> SaslAuthenticateResponse:
        self._authenticated = True
        return SaslAuthenticateResponse(auth_bytes=token, session_lifetime_ms=self.lifetime_ms)

    def _plain(self) -> Iterator[SaslAuthenticateResponse]:
        said = self._token.decode
        if said().split("\0") == ["alice", "alice", self.password]:
            yield self._done()
        # This broker is careless: its error contains the client's token.
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


def sasl_config(broker: FakeBroker, mechanism: str, password: str = PASSWORD) -> ClientConfig:
    credentials = SaslCredentials(mechanism=mechanism, username="alice", password=password)
    return broker.config(security=Security(sasl=credentials), client_id="app")
