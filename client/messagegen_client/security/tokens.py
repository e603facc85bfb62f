"""What the SASL mechanisms have in common: tokens, and exchanges of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Token:
    """Bytes to send to the broker.

    ``answered`` is ``False`` if the mechanism has no answer to it. Brokers answer it nevertheless, except those before
    Kafka 1.0, where tokens have no header.
    """

    data: bytes
    answered: bool = True


Exchange: TypeAlias = AsyncGenerator[Token, bytes]
"""The client's side of a mechanism: yields tokens to send, and receives what the broker answers to each of them.

It ends when the mechanism does. For an invalid answer it raises ``ValueError``, ``SaslAuthenticationError``, or what
its library raises.
"""
