"""Tokens for SASL OAUTHBEARER, in the form in which aiokafka asks for them."""

from __future__ import annotations

import inspect

from aiokafka.abc import AbstractTokenProvider  # type: ignore[import-untyped]  # aiokafka has no annotations

from messagegen_client.security.settings import TokenSource


class TokenProvider(AbstractTokenProvider):  # type: ignore[misc]
    """Asks a function for the token of each new connection."""

    def __init__(self, source: TokenSource) -> None:
        self._source = source

    async def token(self) -> str:
        """Called by aiokafka."""
        found = self._source()
        return await found if inspect.isawaitable(found) else found
