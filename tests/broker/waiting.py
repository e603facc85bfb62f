"""Waits until a broker has received its controller's decisions. This takes milliseconds, and causes no event."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_PAUSE: Final = 0.02


def eventually(condition: Callable[[], bool], *, timeout: float = 30.0) -> None:
    """Call ``condition`` until it returns true; raise ``AssertionError`` after ``timeout`` seconds."""
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, f"not so after {timeout:g} seconds"
        time.sleep(_PAUSE)
