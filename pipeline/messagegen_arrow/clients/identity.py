"""The name of a client: its software in ApiVersions requests, and its user in the first token of a SASL login."""

from __future__ import annotations

import re
from typing import Final

_SCRAM_FIRST: Final = re.compile(r"[ny],(?:a=[^,]*)?,n=(?P<user>[^,]+),r=[^,]*(?P<extensions>.*)", re.DOTALL)
"""The first SCRAM token of a client (RFC 5802, section 7). Later tokens begin with ``c=``."""
_DELEGATION_TOKEN: Final = "tokenauth=true"
"""The extension of a login with a delegation token: the name is the id of the token, not a user."""
_PLAIN_PARTS: Final = 3


def principal_of(mechanism: str, token: bytes) -> str | None:
    """Return the principal that a token names, such as ``User:ann``; ``None`` if it names none.

    Only PLAIN and SCRAM name users as text.
    """
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return None
    user = None
    if mechanism == "PLAIN":
        user = _plain_user(text)
    elif mechanism.startswith("SCRAM-"):
        user = _scram_user(text)
    return f"User:{user}" if user else None


def _plain_user(text: str) -> str | None:
    """Return the user in a token of PLAIN (RFC 4616), which also contains the password."""
    parts = text.split("\0")
    return parts[1] if len(parts) == _PLAIN_PARTS else None


def _scram_user(text: str) -> str | None:
    found = _SCRAM_FIRST.fullmatch(text)
    if found is None or _DELEGATION_TOKEN in found["extensions"].split(","):
        return None
    return found["user"].replace("=2C", ",").replace("=3D", "=")
