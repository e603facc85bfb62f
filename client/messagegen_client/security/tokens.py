"""The common part of the SASL mechanisms: tokens, and exchanges of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Token:
    """Bytes to send to the broker.

    ``answered`` is ``False`` if the mechanism defines no answer to these bytes. Brokers still answer them, except
    before Kafka 1.0, when tokens had no header.
    """

    data: bytes
    answered: bool = True


Exchange: TypeAlias = AsyncGenerator[Token, bytes]
"""The client's side of a mechanism: yields tokens to send, and receives the broker's answer to each token.

It ends when the mechanism does. For an invalid answer it raises ``ValueError``, ``SaslAuthenticationError``, or an
error of its library.
"""
