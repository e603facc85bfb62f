"""What a capture is read with: which end is the broker's, and how much memory a stream may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from messagegen_arrow.capture.segments import End

MEBIBYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """How traffic is put together."""

    ports: tuple[range, ...] = ()
    """Ports of brokers; none: any."""
    brokers: frozenset[tuple[bytes, int | None]] = frozenset()
    """Addresses of brokers, each with its port or any; none: any."""
    max_frame_bytes: int = 256 * MEBIBYTE
    max_reorder_bytes: int = 4 * MEBIBYTE
    """How much of a stream may wait for what is missing before it."""
    max_connections: int = 100_000
    """How many connections may be open at a time; of more, the one that was silent for the longest time is ended."""

    def takes(self, ends: Sequence[End]) -> bool:
        """Whether a connection between these ends is wanted: all are, unless brokers were named."""
        return any(self.is_broker(end) for end in ends)

    def is_broker(self, end: End) -> bool:
        """Whether this end may be a broker: it is one of those that were named, or none were."""
        if self.ports and not any(end.port in ports for ports in self.ports):
            return False
        return not self.brokers or bool(self.brokers & {(end.address, end.port), (end.address, None)})

    def named_client(self, ends: Sequence[End]) -> End | None:
        """The end that can only be the client, because only the other one may be a broker; otherwise ``None``."""
        first, second = (self.is_broker(end) for end in ends)
        if first == second:
            return None
        return ends[1] if first else ends[0]
