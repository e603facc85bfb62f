"""SASL mechanisms of aiokafka, with checks of what a broker sends."""

# aiokafka has no annotations:
# pyright: reportUnknownMemberType=false
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

import re
from typing import Final

from aiokafka.abc import AbstractTokenProvider  # type: ignore[import-untyped]  # aiokafka has no annotations
from aiokafka.conn import OAuthAuthenticator, ScramAuthenticator  # type: ignore[import-untyped]

from messagegen_client.errors import SaslAuthenticationError
from messagegen_client.security.settings import TokenSource

_SCRAM_ITERATIONS: Final = range(4096, 100_001)
"""Fewer iterations are weak; more would let a broker waste time. Kafka allows 4,096 to 16,384."""


class Scram(ScramAuthenticator):  # type: ignore[misc]
    """SCRAM with a limit for the iterations that a broker asks for (RFC 5802, KIP-84)."""

    def process_server_first_message(self, server_first: str) -> None:
        """Checks all counts, because the library may use any of them."""
        for count in re.findall(r"(?:^|,)i=([^,]*)", server_first):
            if re.fullmatch("[0-9]{1,6}", count) is None or int(count) not in _SCRAM_ITERATIONS:
                raise SaslAuthenticationError(
                    f"the broker sent an invalid number of SCRAM iterations; expected {_SCRAM_ITERATIONS[0]} to "
                    f"{_SCRAM_ITERATIONS[-1]}"
                )
        super().process_server_first_message(server_first)


class OAuth(OAuthAuthenticator):  # type: ignore[misc]
    """OAUTHBEARER that notices a refusal, which is an answer with content (RFC 7628)."""

    async def step(self, payload: bytes | None) -> tuple[bytes, bool] | None:
        """The token; ``None`` after the broker has accepted it."""
        if payload:
            raise SaslAuthenticationError(f"the broker rejected the token: {payload[:200].decode(errors='replace')}")
        token: tuple[bytes, bool] | None = await super().step(payload)
        return token


class TokenProvider(AbstractTokenProvider):  # type: ignore[misc]
    """Asks a function for the token of each new connection."""

    def __init__(self, source: TokenSource) -> None:
        self._source = source

    async def token(self) -> str:
        """Called by aiokafka."""
        return await self._source()
