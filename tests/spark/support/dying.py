"""A process that kills itself in the middle of its work."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def die_at(last: int, steps: Iterable[tuple[Any, str]]) -> None:
    """Lets this process kill itself before or after the last-th step; ``steps`` are functions, by what has them and their names."""
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if done == last:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def wrapped(*arguments: Any, **options: Any) -> Any:
            step()
            result = call(*arguments, **options)
            step()
            return result

        return wrapped

    for owner, name in steps:
        setattr(owner, name, counted(getattr(owner, name)))
