"""The settings for reading a capture: the ports of brokers, and memory limits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from messagegen_arrow.capture.segments import End

_MEBIBYTE: Final = 1 << 20
_LARGEST: Final = 1 << 30
"""The maximum of each limit: two frames of this size fit into a column of an Arrow batch."""


@dataclass(frozen=True, slots=True)
class CaptureSettings:
    """The settings for reassembling traffic. Raises ``ValueError`` for a limit that is not between 1 and 1 GiB."""

    ports: Collection[int] = ()
    """The ports of brokers; if empty, any port may be the port of a broker."""
    max_frame_bytes: int = 256 * _MEBIBYTE
    max_reorder_bytes: int = 4 * _MEBIBYTE
    """The maximum number of bytes of a stream that wait for missing bytes before them."""
    max_connections: int = 100_000
    """The maximum number of open connections.

    If there are more, the connection that was silent for the longest time is ended.
    """

    def __post_init__(self) -> None:
        for name in ("max_frame_bytes", "max_reorder_bytes", "max_connections"):
            limit = getattr(self, name)
            if not 0 < limit <= _LARGEST:
                raise ValueError(f"{name} must be from 1 to {_LARGEST}, not {limit}")

    def takes(self, ends: Sequence[End]) -> bool:
        """Whether to read a connection between these ends. All connections are read if ``ports`` is empty."""
        return not self.ports or any(end.port in self.ports for end in ends)

    def named_client(self, ends: Sequence[End]) -> End | None:
        """Return the end that must be the client because only the other end has a broker's port, or else ``None``."""
        clients = [end for end in ends if self.ports and end.port not in self.ports]
        return clients[0] if len(clients) == 1 else None
