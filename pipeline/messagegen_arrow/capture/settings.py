"""What a capture is read with: which end is the broker's, and how much memory a stream may take."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from messagegen_arrow.capture.segments import End

_MEBIBYTE: Final = 1 << 20
_LARGEST: Final = 1 << 30
"""Two frames of this size fit into a column of an Arrow batch."""


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """How traffic is put together. Raises ``ValueError`` for a limit that is not from 1 to 1 GiB."""

    ports: Collection[int] = ()
    """Ports of brokers; none: any."""
    max_frame_bytes: int = 256 * _MEBIBYTE
    max_reorder_bytes: int = 4 * _MEBIBYTE
    """How much of a stream may wait for what is missing before it."""
    max_connections: int = 100_000
    """How many connections may be open at a time; of more, the one that was silent for the longest time is ended."""

    def __post_init__(self) -> None:
        for name in ("max_frame_bytes", "max_reorder_bytes", "max_connections"):
            limit = getattr(self, name)
            if not 0 < limit <= _LARGEST:
                raise ValueError(f"{name} must be from 1 to {_LARGEST}, not {limit}")

    def takes(self, ends: Sequence[End]) -> bool:
        """Whether a connection between these ends is wanted: all are, unless ports of brokers were named."""
        return not self.ports or any(end.port in self.ports for end in ends)

    def named_client(self, ends: Sequence[End]) -> End | None:
        """The end that can only be the client, because only the other one may be a broker; otherwise ``None``."""
        clients = [end for end in ends if self.ports and end.port not in self.ports]
        return clients[0] if len(clients) == 1 else None
