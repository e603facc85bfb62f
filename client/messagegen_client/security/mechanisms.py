"""The SASL mechanisms by name. PLAIN and OAUTHBEARER are here, because they need only one token."""

from __future__ import annotations

from typing import Final

from messagegen_client.errors import KafkaError, SaslAuthenticationError
from messagegen_client.security.kerberos import gssapi_exchange, gssapi_library
from messagegen_client.security.scram import scram_exchange
from messagegen_client.security.settings import SaslCredentials, TokenSource
from messagegen_client.security.tokens import Exchange, Token

_LONGEST_REASON: Final = 200
"""The maximum number of bytes of a refusal that an error shows."""


def check_available(sasl: SaslCredentials) -> None:
    """Raise ``ConfigError`` if the mechanism needs a library that is not installed."""
    if sasl.mechanism == "GSSAPI":
        gssapi_library()


def start(sasl: SaslCredentials, host: str) -> Exchange:
    """Return the exchange for the mechanism of the credentials, with the broker on ``host``."""
    if sasl.mechanism == "PLAIN":
        return _plain(sasl.username, sasl.password)
    if sasl.mechanism == "GSSAPI":
        return gssapi_exchange(sasl.kerberos_service_name, host)
    if sasl.mechanism == "OAUTHBEARER":
        assert sasl.token is not None
        return _oauth_bearer(sasl.token)
    return scram_exchange(sasl.mechanism, sasl.username, sasl.password)


async def _plain(username: str, password: str) -> Exchange:
    """Run PLAIN (RFC 4616), with the user name also as the authorization id."""
    answer = yield Token(f"{username}\0{username}\0{password}".encode())
    if answer:
        raise ValueError("expected an empty answer")


async def _oauth_bearer(source: TokenSource) -> Exchange:
    """Run OAUTHBEARER (RFC 7628, KIP-255). A refusal is an answer with content."""
    try:
        token = await source()
    except KafkaError:
        raise
    except Exception as problem:
        kind = type(problem).__name__
        raise SaslAuthenticationError(f"no token for OAUTHBEARER: the function for tokens raised {kind}") from problem
    answer = yield Token(f"n,,\x01auth=Bearer {token}\x01\x01".encode())
    if answer:
        reason = answer[:_LONGEST_REASON].decode(errors="replace")
        raise SaslAuthenticationError(f"the broker rejected the token: {reason}")
