"""A client belongs to one process and one event loop, because its sockets do."""

from __future__ import annotations

import asyncio
import os

from messagegen_client.errors import ClientUsageError, used_after_fork


class Ownership:
    """The process that created a client, and the event loop that first used it."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._loop: asyncio.AbstractEventLoop | None = None

    def check(self) -> None:
        """Raise ``ClientUsageError`` in a different process or event loop."""
        if os.getpid() != self._process:
            raise used_after_fork()
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self._loop = loop
        if self._loop is not loop:
            raise ClientUsageError(
                "the client belongs to the event loop in which it was first used; make another client for this event "
                "loop (each asyncio.run makes a new one)"
            )
