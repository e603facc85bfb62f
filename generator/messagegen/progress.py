"""The progress of slow work: a listener is called when a step begins and when it ends.

If there is no listener, steps have no effect. Steps may contain other steps.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Protocol, TypeVar

T = TypeVar("T")


class Listener(Protocol):
    """A listener for steps."""

    def begin(self, text: str, item: str) -> None:
        """Begin a step.

        An example of ``text`` is ``Merging 20 sets``. An example of ``item`` is ``kafka:3.9.2 (6 of 20)``; it may be
        empty.
        """

    def end(self) -> None:
        """Finish the current step."""


_LISTENER: Final[ContextVar[Listener | None]] = ContextVar("progress_listener", default=None)
_POSITION: Final[ContextVar[str]] = ContextVar("progress_position", default="")


@contextmanager
def told_to(listener: Listener) -> Generator[None, None, None]:
    """Report the steps in a ``with`` block to a listener."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@contextmanager
def step(text: str, item: str = "") -> Generator[None, None, None]:
    """Report a ``with`` block as a step; in a loop over ``counted``, the step's item gets a number."""
    listener = _LISTENER.get()
    if listener is None:
        yield
        return
    listener.begin(text, f"{item} {_POSITION.get()}".strip())
    try:
        yield
    finally:
        listener.end()


def counted(items: Sequence[T]) -> Iterator[T]:
    """Yield the items; steps inside the loop get the number of the current item."""
    for number, item in enumerate(items, 1):
        token = _POSITION.set(f"({number} of {len(items)})")
        try:
            yield item
        finally:
            _POSITION.reset(token)
