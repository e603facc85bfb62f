"""Progress of slow work: each step is told to a listener when it begins and when it ends.

Without a listener nothing happens. Steps may contain other steps.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Protocol, TypeVar

T = TypeVar("T")


class Listener(Protocol):
    """What is told of steps."""

    def begin(self, text: str, item: str) -> None:
        """A step begins.

        ``text`` is such as ``Merging 20 sets``; ``item`` is such as ``kafka:3.9.2 (6 of 20)``, or empty.
        """

    def end(self) -> None:
        """The step that began last ends."""


_LISTENER: Final[ContextVar[Listener | None]] = ContextVar("progress_listener", default=None)
_POSITION: Final[ContextVar[str]] = ContextVar("progress_position", default="")


@contextmanager
def told_to(listener: Listener) -> Generator[None, None, None]:
    """Tells the steps of the work in this context to a listener."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@contextmanager
def step(text: str, item: str = "") -> Generator[None, None, None]:
    """Tells a step while its work is done; inside ``counted`` the item has its number."""
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
    """The items; steps that are told meanwhile have the number of the item."""
    for number, item in enumerate(items, 1):
        token = _POSITION.set(f"({number} of {len(items)})")
        try:
            yield item
        finally:
            _POSITION.reset(token)
