"""Tokens for SASL OAUTHBEARER from a token endpoint, with the credentials of a client (RFC 6749, KIP-768)."""

from __future__ import annotations

import asyncio
import base64
import json
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from http.client import HTTPException

from messagegen_client.errors import BrokerConnectionError, ConfigError

_TIMEOUT = 10
_LONGEST = 1 << 20


@dataclass(frozen=True, kw_only=True)
class ClientCredentials:
    """Asks a token endpoint, whose certificate must be trusted by this machine. Call it for a token.

    Raises ``ConfigError`` for a URL that is not http(s), and ``BrokerConnectionError`` if there is no token.
    """

    url: str
    client_id: str
    client_secret: str = field(repr=False)
    scope: str | None = None

    def __post_init__(self) -> None:
        if urllib.parse.urlsplit(self.url).scheme not in {"http", "https"}:
            raise ConfigError("sasl.oauthbearer.token.endpoint.url: expected a URL that begins with https://")

    async def __call__(self) -> str:
        """A new token."""
        return await asyncio.get_running_loop().run_in_executor(None, self._fetch)

    def _fetch(self) -> str:
        form = {"grant_type": "client_credentials"} | ({"scope": self.scope} if self.scope else {})
        pair = f"{urllib.parse.quote(self.client_id, safe='')}:{urllib.parse.quote(self.client_secret, safe='')}"
        headers = {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode()}"}
        asked = urllib.request.Request(self.url, urllib.parse.urlencode(form).encode(), headers)  # noqa: S310 - checked
        try:
            with urllib.request.urlopen(asked, timeout=_TIMEOUT) as answer:  # noqa: S310 - checked
                token = json.loads(answer.read(_LONGEST))["access_token"]
        except (OSError, HTTPException, ValueError, LookupError, TypeError) as problem:
            # No text of the endpoint: it may repeat the secret.
            status: object = type(problem).__name__
            if isinstance(problem, urllib.error.HTTPError):
                status = problem.code
                problem.close()
            raise BrokerConnectionError(f"the token endpoint gave no token ({status}): {self.url}") from None
        return str(token)
