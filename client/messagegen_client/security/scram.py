"""SCRAM-SHA-256 and SCRAM-SHA-512 (RFC 5802, RFC 7677, KIP-84), without channel binding.

Kafka does not normalize names and passwords with SASLprep, so they are used unchanged (upstream: ``ScramFormatter``).
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
from typing import Final

from messagegen_client.errors import SaslAuthenticationError
from messagegen_client.security.tokens import Exchange, Token

_DIGESTS: Final = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}
_ITERATIONS: Final = range(4096, 100_001)
"""Fewer iterations are weak; more would let a broker waste time. Kafka allows 4,096 to 16,384."""
_NONCE_BYTES: Final = 16
_NO_BINDING: Final = "n,,"
"""The header of a client that has no channel binding and no authorization id."""


async def scram_exchange(mechanism: str, username: str, password: str, nonce: str | None = None) -> Exchange:
    """Prove to the broker that the client knows the password, and check that the broker knows it, too.

    ``nonce`` is random text, new for each exchange unless a test passes one.
    """
    digest = _DIGESTS[mechanism]
    nonce = nonce or secrets.token_hex(_NONCE_BYTES)

    # 1. Names: the client sends the user and a nonce, the broker a longer nonce, a salt and a number of iterations.
    client_first = f"n={_escaped(username)},r={nonce}"
    server_first = (yield Token(f"{_NO_BINDING}{client_first}".encode())).decode()
    _check_iterations(server_first)
    offered = _attributes(server_first)
    if not offered["r"].startswith(nonce):
        raise ValueError("the broker's nonce does not begin with the client's nonce")

    # 2. Proofs: both sides sign the previous messages with keys that are made from the password.
    client_final = f"c={_base64(_NO_BINDING.encode())},r={offered['r']}"
    transcript = f"{client_first},{server_first},{client_final}".encode()
    salt = base64.b64decode(offered["s"], validate=True)
    # The hash takes up to a tenth of a second. It runs in a thread, so that the call can be cancelled.
    salted = await asyncio.to_thread(hashlib.pbkdf2_hmac, digest, password.encode(), salt, int(offered["i"]))

    client_key = hmac.digest(salted, b"Client Key", digest)
    client_signature = hmac.digest(hashlib.new(digest, client_key).digest(), transcript, digest)
    proof = bytes(left ^ right for left, right in zip(client_key, client_signature, strict=True))
    server_final = (yield Token(f"{client_final},p={_base64(proof)}".encode())).decode()

    # 3. The broker proves itself.
    server_key = hmac.digest(salted, b"Server Key", digest)
    server_signature = hmac.digest(server_key, transcript, digest)
    given = base64.b64decode(_attributes(server_final)["v"], validate=True)
    if not hmac.compare_digest(given, server_signature):
        raise ValueError("the broker's signature is wrong, so the broker does not know the password")


def _escaped(username: str) -> str:
    return username.replace("=", "=3D").replace(",", "=2C")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _attributes(text: str) -> dict[str, str]:
    """Return the values of a message such as ``r=...,s=...,i=4096``. Raises ``ValueError``."""
    return dict(part.split("=", 1) for part in text.split(","))


def _check_iterations(server_first: str) -> None:
    """Check every number of iterations in the message: only one is allowed, but a broker may send several."""
    for count in re.findall(r"(?:^|,)i=([^,]*)", server_first):
        if re.fullmatch("[0-9]{1,6}", count) is None or int(count) not in _ITERATIONS:
            raise SaslAuthenticationError(
                f"the broker sent an invalid number of SCRAM iterations; expected {_ITERATIONS[0]} to {_ITERATIONS[-1]}"
            )
