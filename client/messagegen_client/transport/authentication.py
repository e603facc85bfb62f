"""Authenticates a new connection with SASL: SaslHandshake, and the tokens of a mechanism (KIP-43, KIP-152, KIP-368)."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import aclosing
from typing import Final

from messagegen_client.errors import KafkaError
from messagegen_client.security.mechanisms import start
from messagegen_client.security.settings import SaslCredentials
from messagegen_client.security.tokens import Token
from messagegen_client.transport.channel import Channel
from messagegen_client.transport.failures import sasl_refused, sasl_token_invalid
from messagegen_kafka import (
    SaslAuthenticateRequest,
    SaslHandshakeRequest,
)
from messagegen_kafka.error_codes import ErrorCode

_BARE_TOKENS: Final = 0
"""The version of SaslHandshake whose tokens have no header, for brokers before Kafka 1.0."""


async def authenticate(channel: Channel, sasl: SaslCredentials) -> float | None:
    """Authenticate with the credentials. Returns the length of the session in seconds, ``None`` if it has no limit.

    Raises ``SaslAuthenticationError``, ``NoCommonVersionError``, ``ConfigError``, ``ChannelEndedError`` and
    ``ProtocolError``.
    """
    return await _Authentication(channel, sasl).run()


class _Authentication:
    def __init__(self, channel: Channel, sasl: SaslCredentials) -> None:
        self._channel = channel
        self._sasl = sasl
        self._handshake_version = channel.version_for(SaslHandshakeRequest)
        self._enabled: tuple[str, ...] = ()
        """The mechanisms that the broker supports."""
        self._lifetime: float | None = None

    async def run(self) -> float | None:
        await self._handshake()
        async with aclosing(start(self._sasl, self._channel.broker.host)) as exchange:
            token = await self._next_token(anext(exchange))
            while token is not None:
                challenge = await self._send(token)
                token = await self._next_token(exchange.asend(challenge))
        return self._lifetime

    async def _handshake(self) -> None:
        """Send the mechanism to the broker."""
        mechanism = self._sasl.mechanism
        request = SaslHandshakeRequest(mechanism=mechanism)
        response = await self._channel.ask(request, self._handshake_version)
        self._enabled = response.mechanisms
        self._check(response.error_code, None)
        if mechanism not in self._enabled:
            self._check(ErrorCode.UNSUPPORTED_SASL_MECHANISM, None)

    async def _send(self, token: Token) -> bytes:
        """Send a token, and return the broker's answer."""
        if self._handshake_version == _BARE_TOKENS:
            return await self._channel.send_bare_token(token.data, answered=token.answered)
        version = self._channel.version_for(SaslAuthenticateRequest)
        request = SaslAuthenticateRequest(auth_bytes=token.data)
        response = await self._channel.ask(request, version)
        self._check(response.error_code, response.error_message)
        if response.session_lifetime_ms > 0:
            self._lifetime = response.session_lifetime_ms / 1000
        return response.auth_bytes

    async def _next_token(self, step: Awaitable[Token]) -> Token | None:
        """Return the result of a step of the mechanism, ``None`` after the last one."""
        try:
            return await step
        except StopAsyncIteration:
            return None
        except KafkaError:
            raise
        except Exception:  # noqa: BLE001 - libraries have their own errors, and texts that may quote secrets
            raise sasl_token_invalid(self._channel.broker, self._sasl) from None

    def _check(self, error_code: int, reason: str | None) -> None:
        """Raise ``SaslAuthenticationError`` for an error code."""
        if error_code:
            code = ErrorCode(error_code)
            raise sasl_refused(self._channel.broker, self._sasl, code, reason, self._enabled)
