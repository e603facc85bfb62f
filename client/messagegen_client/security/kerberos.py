"""GSSAPI, which is Kerberos (RFC 4752), with the library ``gssapi`` and the ticket of the current user."""

from __future__ import annotations

import asyncio
import importlib
from typing import Any, Final

from messagegen_client.errors import ConfigError
from messagegen_client.security.tokens import Exchange, Token

_AUTHENTICATION_ONLY: Final = 1
"""The bit for the security layer without signatures and encryption, the only one that Kafka supports."""


def gssapi_library() -> Any:
    """Return the library. Raises ``ConfigError`` if it is not installed."""
    try:
        return importlib.import_module("gssapi")
    except ImportError:
        raise ConfigError("sasl.mechanism: GSSAPI needs the Python library gssapi, which is not installed") from None


async def gssapi_exchange(service: str, host: str) -> Exchange:
    """Authenticate to the service, such as ``kafka``, on a host.

    Steps run in a thread, because the library waits for the Kerberos server.
    """
    principal = f"{service}@{host}"
    context = await asyncio.to_thread(_context, principal)

    # 1. Tickets, until both sides are sure of each other.
    challenge: bytes | None = None
    while not context.complete:
        token = await asyncio.to_thread(context.step, challenge)
        challenge = yield Token(token or b"")

    # 2. The broker offers security layers in the first byte, and the message size in three more.
    offer = (await asyncio.to_thread(context.unwrap, challenge)).message
    chosen = bytes([offer[0] & _AUTHENTICATION_ONLY])
    reply = context.wrap(chosen + offer[1:] + principal.encode(), False)  # noqa: FBT003 - whether to encrypt
    yield Token(reply.message, answered=False)


def _context(principal: str) -> Any:
    library = gssapi_library()
    name = library.Name(principal, name_type=library.NameType.hostbased_service)
    canonical = name.canonicalize(library.MechType.kerberos)
    return library.SecurityContext(name=canonical, usage="initiate")
