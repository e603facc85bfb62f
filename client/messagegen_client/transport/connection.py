"""A connection to a broker that is ready for requests: connected, with known versions, and authenticated."""

from __future__ import annotations

import asyncio
import copy
import ssl
import time
from typing import Final, Self, TypeVar

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BrokerConnectionError, KafkaError, ProtocolError
from messagegen_client.security.mechanisms import check_available
from messagegen_client.transport.authentication import authenticate
from messagegen_client.transport.channel import Channel, ChannelEndedError
from messagegen_client.transport.failures import closed_early, connection_ended, network_error
from messagegen_client.transport.messages import api_name
from messagegen_client.transport.metadata import Broker
from messagegen_client.transport.versions import negotiate_versions
from messagegen_kafka import Request, Response

R = TypeVar("R", bound=Response)

_SESSION_SHARE: Final = 0.85
"""The share of a SASL session after which the connection is replaced, so that no request comes too late (KIP-368)."""
_SETUP: Final = "ApiVersions or SASL"
"""The setup requests, as named in the error if the broker closes the connection before the setup is complete."""


class Connection:
    """A connection that is ready for requests. ``open`` creates it.

    Responses come in order, so a connection on which a request was cancelled gets no further requests: they would wait
    for the response that is no longer needed. The connection is closed after the last pending response.
    """

    def __init__(self, broker: Broker, config: ClientConfig) -> None:
        self.settings_work = False
        """Whether a broker of this cluster has answered, which proves that the TLS and SASL settings are right."""
        self.waiting = 0
        """The number of requests without a response."""
        self._config = config
        self._channel = Channel(
            broker,
            config.client_id,
            max_response_size=config.max_response_size,
            response_limits=config.response_limits,
        )
        self._answered = False
        """Whether a request was answered after the setup."""
        self._retiring = False
        self._expires_at: float | None = None

    @classmethod
    async def open(cls, broker: Broker, config: ClientConfig, context: ssl.SSLContext | None) -> Self:
        """Return a connection that is ready for use, made within ``connection_setup_timeout``.

        Raises ``BrokerConnectionError``, ``AuthenticationError``, ``NoCommonVersionError``, or ``ConfigError`` if a
        library is missing. Their texts contain no secrets.
        """
        if config.security.sasl is not None:
            check_available(config.security.sasl)
        self = cls(broker, config)
        try:
            await self._set_up(context)
        except BaseException:
            self._channel.abort()
            await self.closed()
            raise
        return self

    @property
    def broker(self) -> Broker:
        """The broker. A bootstrap address is replaced once the id of its broker is known."""
        return self._channel.broker

    @broker.setter
    def broker(self, broker: Broker) -> None:
        self._channel.broker = broker

    @property
    def connected(self) -> bool:
        """Whether the connection has not ended."""
        return self._channel.connected

    @property
    def usable(self) -> bool:
        """Whether a request can be sent now."""
        expired = self._expires_at is not None and time.monotonic() >= self._expires_at
        return self.connected and not self._retiring and not expired

    async def ask(self, request: Request[R], versions: range | None) -> tuple[R, int]:
        """Send a request in the highest common version. Returns its response and the version.

        Raises ``NoCommonVersionError`` and ``EncodeError`` before anything is sent. Raises ``BrokerConnectionError`` or
        a subclass, with ``outcome_unknown`` if the broker may have received the request.
        """
        api = api_name(type(request))
        version = self._channel.version_for(type(request), versions)
        if not self.connected:
            raise self._ended(api, outcome_unknown=False)

        self.waiting += 1
        try:
            async with asyncio.timeout(self._config.request_timeout):
                response = await self._channel.ask(request, version)
        except ChannelEndedError:
            raise self._ended(api, outcome_unknown=True) from None
        except ProtocolError as problem:
            raise _copy(problem, outcome_unknown=True) from problem.__cause__
        except TimeoutError:
            seconds = f"{self._config.request_timeout:g} s (request_timeout)"
            late = BrokerConnectionError(f"{self.broker} did not answer {api} within {seconds}")
            self.abort(late)
            raise _copy(late, outcome_unknown=True) from None
        except asyncio.CancelledError:
            self._retiring = True
            raise
        finally:
            self.waiting -= 1
            if self._retiring:
                self.retire()
        self._answered = True
        return response, version

    def retire(self) -> None:
        """Take no further requests, and close the connection after the last pending response."""
        self._retiring = True
        if not self.waiting:
            self._channel.abort()

    def abort(self, reason: KafkaError) -> None:
        """Close the connection immediately. Pending requests fail with a copy of ``reason``."""
        self._channel.abort(reason)

    async def closed(self) -> None:
        """Wait until the socket is closed, after ``abort``."""
        await self._channel.closed()

    async def _set_up(self, context: ssl.SSLContext | None) -> None:
        """Connect, negotiate versions, and authenticate."""
        seconds = self._config.connection_setup_timeout
        stage = "connecting"
        scope = asyncio.timeout(seconds)
        try:
            async with scope:
                await self._connect(context)
                stage = "connected, but setting up the connection"
                await self._negotiate_versions()
                await self._authenticate()
        except TimeoutError:
            if not scope.expired():
                raise
            raise BrokerConnectionError(
                f"{self.broker}: {stage} timed out after {seconds:g} s (connection_setup_timeout)"
            ) from None

    async def _connect(self, context: ssl.SSLContext | None) -> None:
        try:
            await self._channel.connect(context)
        except (OSError, ValueError) as problem:
            raise network_error(self.broker, problem, tls=context is not None) from None

    async def _negotiate_versions(self) -> None:
        try:
            await negotiate_versions(self._channel)
        except ChannelEndedError:
            ended = self._ended(_SETUP, outcome_unknown=False)
            if type(ended) is not BrokerConnectionError:
                raise ended from None  # The error has a specific reason, such as an untrusted certificate.
            raise closed_early(ended.text()) from None

    async def _authenticate(self) -> None:
        sasl = self._config.security.sasl
        if sasl is None:
            return
        try:
            lifetime = await authenticate(self._channel, sasl)
        except ChannelEndedError:
            raise self._ended(_SETUP, outcome_unknown=False) from None
        if lifetime is not None:
            self._expires_at = time.monotonic() + lifetime * _SESSION_SHARE

    def _ended(self, api: str, *, outcome_unknown: bool) -> KafkaError:
        """Return the error of a request to ``api`` on this connection, which has ended."""
        ending = self._channel.ending
        assert ending is not None
        if isinstance(ending.cause, KafkaError):
            error = ending.cause
        else:
            doubt_settings = not self._answered and not self.settings_work
            error = connection_ended(self.broker, api, ending.cause, ending.incomplete, doubt_settings=doubt_settings)
        return _copy(error, outcome_unknown=outcome_unknown)


def _copy(error: KafkaError, *, outcome_unknown: bool) -> KafkaError:
    """Return a copy of the error for one request, because each request adds its own traceback."""
    copied = copy.copy(error)
    copied.outcome_unknown = outcome_unknown
    return copied
