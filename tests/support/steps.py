"""Counts the steps that code takes, as a measure of time that does not depend on how busy the machine is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def steps_of(read: Callable[[], object]) -> int:
    """Return the number of Python lines that run, plus the number of calls of functions written in C."""
    count = 0

    def on_line(_frame: Any, _event: str, _argument: Any) -> Any:
        nonlocal count
        count += 1
        return on_line

    def on_call(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event == "c_call"

    tracer, profiler = sys.gettrace(), sys.getprofile()
    sys.settrace(on_line)
    sys.setprofile(on_call)
    try:
        with suppress(ValueError):
            read()
    finally:
        sys.setprofile(profiler)
        sys.settrace(tracer)
    return count
