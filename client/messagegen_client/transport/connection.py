"""One connection to one broker: aiokafka's, which does TCP, TLS, SASL and frames, with the promises that it does not keep.

aiokafka reads frames of any size, computes any number of SCRAM iterations, writes passwords to its debug log, keeps a connection
after its SASL session has ended (KIP-368), and waits for the other side when it closes a connection with TLS.
"""

# aiokafka has no annotations:
# pyright: reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false
# pyright: reportOptionalMemberAccess=false
# pyright: reportArgumentType=false
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

import asyncio
import copy
import logging
import ssl
import struct
import time
import weakref
from typing import Any, Final, Self, TypeVar

from aiokafka import conn, errors  # type: ignore[import-untyped]  # aiokafka has no annotations
from aiokafka.protocol import admin  # type: ignore[import-untyped]

from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import (
    BrokerConnectionError,
    ConfigError,
    KafkaError,
    ProtocolError,
    SslAuthenticationError,
)
from messagegen_client.transport.failures import bad_size, closed_early, network_error, sasl_error
from messagegen_client.transport.messages import Frame, api_name, highest_common
from messagegen_client.transport.metadata import Broker
from messagegen_client.transport.sasl import OAuth, Scram, TokenProvider
from messagegen_kafka import DecodeError, Request, Response

R = TypeVar("R", bound=Response)

_SIZE: Final = struct.Struct(">i")
_SESSION_SHARE: Final = 0.85
"""The fraction of its session after which a connection is replaced, so that no request comes too late."""
# Errors are raised, and the library must not print them a second time where nobody has set up logging.
logging.getLogger("aiokafka").addHandler(logging.NullHandler())
# At the level DEBUG, the library logs all that it sends and receives, also passwords and tokens.
logging.getLogger("aiokafka.conn").addFilter(lambda record: "Sasl" not in record.getMessage())


class Connection(conn.AIOKafkaConnection):  # type: ignore[misc]
    """A connection on which requests can be sent at any time. ``open`` makes it.

    Responses come in order. So a connection on which a request was given up is not used for further requests, and is closed
    after the last response that somebody waits for.
    """

    def __init__(self, broker: Broker, config: ClientConfig, context: ssl.SSLContext | None) -> None:
        sasl = config.security.sasl
        super().__init__(
            broker.host,
            broker.port,
            client_id=config.client_id,
            request_timeout_ms=config.request_timeout * 1000,
            ssl_context=context,
            security_protocol=config.security.protocol,
            sasl_mechanism=sasl and sasl.mechanism,
            sasl_plain_username=sasl and sasl.username,
            sasl_plain_password=sasl and sasl.password,
            sasl_kerberos_service_name=sasl and sasl.kerberos_service_name,
            sasl_oauth_token_provider=TokenProvider(sasl.token) if sasl and sasl.token else None,
        )
        self.broker = broker
        self.failure: KafkaError | None = None
        """Why the connection was closed from this side."""
        self.settings_work = False
        """Whether a broker of this cluster has answered, so the settings for TLS and SASL are right."""
        self._config = config
        self._answered = 0
        self.waiting = 0
        """How many requests wait for their responses."""
        self._retiring = False
        self._expires_at: float | None = None
        self._mechanisms: list[str] = []

    @classmethod
    async def open(cls, broker: Broker, config: ClientConfig, context: ssl.SSLContext | None) -> Self:
        """A connection that is ready for use, made within ``connection_setup_timeout``.

        Raises ``BrokerConnectionError``, ``AuthenticationError``, or ``ConfigError`` where a library is missing. No secret is in
        their texts.
        """
        sasl, seconds = config.security.sasl, config.connection_setup_timeout
        if sasl is not None and sasl.mechanism == "GSSAPI" and conn.gssapi is None:
            raise ConfigError("sasl.mechanism: GSSAPI needs the Python library gssapi, which is not installed")
        self = cls(broker, config, context)
        try:
            async with asyncio.timeout(seconds):
                await self.connect()
        except BaseException as problem:
            error = self._setup_error(problem, seconds)
            self.close()
            await self.closed()
            if error is None:
                raise
            raise error from None
        return self

    @property
    def usable(self) -> bool:
        """Whether a request can be sent now."""
        expired = self._expires_at is not None and time.monotonic() >= self._expires_at
        return not self._retiring and not expired and bool(self.connected())

    async def ask(self, request: Request, response_type: type[R], versions: range | None) -> tuple[R, int]:
        """Sends a request in the highest common version. Returns its response and the version.

        Raises ``NoCommonVersionError`` and ``EncodeError`` before anything is sent, and ``BrokerConnectionError`` or a subclass,
        which has ``outcome_unknown`` if the broker may have received the request.
        """
        version = highest_common(type(request), self._versions, versions, self.broker)
        frame = Frame(request, response_type, version, self.broker)
        if not self.connected():
            raise self._loss(api_name(type(request)), None, outcome_unknown=False)
        self.waiting += 1
        try:
            body: bytes = await self.send(frame)
            self._answered += 1
        except errors.KafkaError as problem:
            raise self._loss(api_name(type(request)), problem, outcome_unknown=True) from problem
        except TimeoutError:
            seconds = f"{self._config.request_timeout:g} s (request_timeout)"
            error = BrokerConnectionError(f"{self.broker} did not answer {api_name(type(request))} within {seconds}")
            self.abort(error)
            raise _copy(error, outcome_unknown=True) from None
        except asyncio.CancelledError:
            self._retiring = True
            raise
        finally:
            self.waiting -= 1
            if self._retiring:
                self.retire()
        try:
            return response_type.decode(body, version=version, limits=self._config.response_limits), version
        except DecodeError as problem:
            # Generated code names the argument of decode; here the limit is a setting.
            reason = str(problem).replace("pass limits=", "set ClientConfig.response_limits to ")
            invalid = ProtocolError(f"{self.broker} sent an invalid response: {reason}")
            self.abort(invalid)
            raise _copy(invalid, outcome_unknown=True) from problem

    async def send(self, request: Any, expect_response: bool = True) -> Any:  # noqa: FBT002 - aiokafka's signature
        """Called by aiokafka too, for ApiVersions and SASL."""
        response = await super().send(request, expect_response)
        if isinstance(request, admin.SaslHandShakeRequest):
            self._mechanisms = list(response.enabled_mechanisms)
        elif isinstance(request, admin.SaslAuthenticateRequest) and getattr(response, "session_lifetime_ms", 0) > 0:
            self._expires_at = time.monotonic() + response.session_lifetime_ms / 1000 * _SESSION_SHARE
        return response

    def close(self, reason: Any = None, exc: BaseException | None = None) -> Any:
        """Called by aiokafka too. Closes the socket at once: aiokafka would flush, and with TLS wait for the broker."""
        writer: asyncio.StreamWriter | None = self._writer
        # aiokafka logs the error, and a broker that refuses a password may repeat it.
        closed = super().close(reason, None if isinstance(exc, errors.BrokerResponseError) else exc)
        if writer is not None:
            writer.transport.abort()
        return closed

    def retire(self) -> None:
        """Takes no further requests, and closes the connection after the last response that somebody waits for."""
        self._retiring = True
        if not self.waiting:
            self.close()

    def abort(self, reason: KafkaError) -> None:
        """Closes the connection at once. Pending requests fail with a copy of ``reason``."""
        self.failure = self.failure or reason
        self.close(exc=reason)

    async def closed(self) -> None:
        """Waits until the socket is closed, after ``abort``."""
        if self._protocol is not None:
            await asyncio.shield(self._closed_fut)

    def authenticator_scram(self) -> Scram:
        """Called by aiokafka."""
        sasl = self._config.security.sasl
        assert sasl is not None
        return Scram(
            loop=self._loop,
            sasl_plain_password=sasl.password,
            sasl_plain_username=sasl.username,
            sasl_mechanism=sasl.mechanism,
        )

    def authenticator_oauth(self) -> OAuth:
        """Called by aiokafka."""
        return OAuth(sasl_oauth_token_provider=self._sasl_oauth_token_provider)

    @staticmethod
    async def _read(self_ref: weakref.ref[Connection]) -> None:
        """Reads frames, as aiokafka does, and refuses a size before it reads so many bytes."""
        self = self_ref()
        if self is None:
            return
        reader, broker, most = self._reader, self.broker, self._config.max_response_size
        while True:
            del self  # The task must not keep the connection alive.
            head = await reader.readexactly(_SIZE.size)
            (size,) = _SIZE.unpack(head)
            if not _SIZE.size <= size <= most:
                raise bad_size(broker, head, size, most)
            frame = await reader.readexactly(size)
            self = self_ref()
            if self is None:
                return
            if not self._requests:
                raise ProtocolError(f"{broker} sent {size} bytes without a request")
            self._handle_frame(frame)

    def _setup_error(self, problem: BaseException, seconds: float) -> KafkaError | None:
        """Why ``connect`` failed; ``None`` if it was cancelled. No request was sent yet."""
        if isinstance(problem, KafkaError) or not isinstance(problem, Exception):
            return problem if isinstance(problem, KafkaError) else None
        if isinstance(problem, TimeoutError) and not problem.args:
            what = "connecting" if self._protocol is None else "connected, but setting up the connection"
            text = f"{self.broker}: {what} timed out after {seconds:g} s (connection_setup_timeout)"
            return BrokerConnectionError(text)
        if isinstance(problem, errors.KafkaConnectionError | errors.CorrelationIdError):
            loss = self._loss("ApiVersions or SASL", problem, outcome_unknown=False)
            # Whoever has answered that it supports some versions, or mechanisms, does not limit connections.
            answered = bool(self._versions) or bool(self._mechanisms)
            return loss if answered or type(loss) is not BrokerConnectionError else closed_early(loss.text())
        if isinstance(problem, OSError) or self._protocol is None:
            return network_error(self.broker, problem, tls=self._ssl_context is not None)
        sasl = self._config.security.sasl
        if sasl is None:
            return ProtocolError(f"{self.broker} sent an invalid ApiVersions response")
        return sasl_error(self.broker, problem, sasl, self._mechanisms)

    def _loss(self, api: str, problem: errors.KafkaError | None, *, outcome_unknown: bool) -> KafkaError:
        """The error of a request on a connection that has ended."""
        cause = self.failure or (None if problem is None else problem.__cause__)
        if isinstance(cause, KafkaError):
            return _copy(cause, outcome_unknown=outcome_unknown)
        if isinstance(cause, ssl.SSLError):
            error = SslAuthenticationError(f"{self.broker} ended the TLS connection: {cause.reason or cause}")
            return _copy(error, outcome_unknown=outcome_unknown)
        if cause is not None and not isinstance(cause, OSError | EOFError):
            return ProtocolError(f"{self.broker} sent an invalid response to {api}", outcome_unknown=outcome_unknown)
        if isinstance(problem, errors.CorrelationIdError):
            return ProtocolError(f"{self.broker}: {problem.args[0]}", outcome_unknown=outcome_unknown)
        message = f"{self.broker} closed the connection instead of answering {api}"
        if isinstance(cause, asyncio.IncompleteReadError) and (cause.partial or cause.expected != _SIZE.size):
            message = (
                f"{self.broker} closed the connection in the middle of a response, after {len(cause.partial)} bytes"
            )
        if isinstance(cause, OSError):
            message += f" ({cause})"
        if not self._answered and not self.settings_work:
            message += "; brokers do that if they expect TLS or SASL: check security.protocol"
        return BrokerConnectionError(message, outcome_unknown=outcome_unknown)


def _copy(error: KafkaError, *, outcome_unknown: bool) -> KafkaError:
    """A copy of the error for one request, because each one adds its own traceback."""
    copied = copy.copy(error)
    copied.outcome_unknown = outcome_unknown
    return copied
