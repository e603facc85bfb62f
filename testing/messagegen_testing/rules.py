"""Rules: a fault, and the selectors that choose its requests or connections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from types import TracebackType
from typing import Any, Generic, Self, TypeVar
from uuid import UUID

from messagegen_kafka import ErrorCode
from messagegen_testing import arguments
from messagegen_testing.faults import (
    DROP,
    HANGING_UP,
    RESETTING,
    Answer,
    Cut,
    Delay,
    Duplicate,
    Edit,
    Error,
    Fault,
    Hold,
    Next,
    Situation,
    Throttle,
)
from messagegen_testing.replies import AnyResponse, Reply
from messagegen_testing.seen import Connection, SeenRequest
from messagegen_testing.selectors import Event, Selectors
from messagegen_testing.usage import Usage

_HIGHEST_CODE = 0x7FFF
"""The highest error code: codes are int16."""

E = TypeVar("E")
"""The class of a request, of any generated package, or ``Connection``."""


class Rule(Generic[E]):
    """A rule for the requests of a class, or for new connections.

    The rule becomes active once one of the methods chooses a fault. It ends with ``end``, or with the ``with`` block if
    it is used as a context manager.
    """

    def __init__(self, selectors: Selectors[E], summary: Callable[[], str]) -> None:
        """Create a rule; ``summary`` returns the received requests, for errors."""
        self.selectors = selectors
        self.fault: Fault | None = None
        self.usage = Usage(
            after=selectors.after,
            times=selectors.times,
            probability=selectors.probability,
            seed=selectors.seed,
        )
        self._summary = summary

    @property
    def used(self) -> int:
        """The number of requests or connections that the fault was applied to."""
        return self.usage.used

    def wait_until_used(self, count: int = 1, *, timeout: float = 10) -> None:
        """Wait until the fault has been applied ``count`` times. Raises ``TimeoutError`` after ``timeout`` seconds.

        This blocks the thread, so call it with ``asyncio.to_thread`` in a coroutine.
        """
        if not self.usage.wait(count, timeout):
            wanted = f"expected {count} uses of {self} within {timeout:g} s, found {self.used}"
            raise TimeoutError(f"{wanted}; {self._summary()}")

    def end(self) -> None:
        """End the rule: the fault is applied to no further request, and held requests are passed on."""
        self.usage.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.end()

    def error(self, code: str | int) -> Self:
        """Answer with an error, by a name such as ``NOT_LEADER_OR_FOLLOWER`` or by number; ``NONE`` means success.

        The broker does not get the part of the request that the rule selects, such as the partitions of a topic. The
        error is where brokers put it. It is in the partitions if the code is about partitions, or if the rule selects
        only some of them; otherwise it is in the response or the group. Requests that list everything, and Metadata
        requests, go to the broker, and the error is put into its answer.
        """
        return self._does(Error(_error_code(code)))

    def answer(self, response: AnyResponse | Callable[[SeenRequest[E]], AnyResponse]) -> Self:
        """Answer with a response, or with the result of a function that gets the request. The broker gets no request.

        The function runs in the thread of the proxy or broker, so it must not wait for the test.
        """
        is_response = getattr(response, "KIND", None) == "response"
        if isinstance(response, type) or not (is_response or callable(response)):
            raise TypeError(f"answer: expected a response or a function, found {response!r}")
        if not is_response:
            arguments.function("answer", response)
        return self._does(Answer(response))

    def edit(self, function: Callable[[Any, SeenRequest[E]], AnyResponse]) -> Self:
        """Answer with the result of ``function(response, seen)``, which gets the broker's response and the request.

        Messages are values: the function returns a changed copy, such as ``response.__replace__(throttle_time_ms=5)``.
        If it returns the same object, the rule counts as unused. It runs in the thread of the proxy or broker.
        """
        arguments.function("edit", function)
        return self._does(Edit(function))

    def throttle(self, milliseconds: int) -> Self:
        """Put this time into the answer, as if the client were throttled; the answer is not delayed."""
        arguments.whole_number("throttle", milliseconds, 0, highest=arguments.HIGHEST_INT32)
        return self._does(Throttle(milliseconds))

    def delay(self, seconds: float) -> Self:
        """Delay the answer. Later answers on the same connection wait, too."""
        arguments.seconds("delay", seconds)
        return self._does(Delay(seconds))

    def hold(self) -> Self:
        """Hold the request back until the rule ends, and pass it on then."""
        return self._does(Hold())

    def cut(self, *, after_bytes: int = 0) -> Self:
        """Send the beginning of the answer, and close the connection. The broker has carried out the request."""
        arguments.whole_number("after_bytes", after_bytes, 0)
        return self._does(Cut(after_bytes))

    def drop(self) -> Self:
        """Lose the request: the broker does not get it, and nothing more is sent on the connection."""
        return self._does(DROP)

    def hang_up(self) -> Self:
        """Close the connection instead of answering. The broker does not get the request."""
        return self._does(HANGING_UP)

    def reset(self) -> Self:
        """Reset the connection (RST) instead of answering. The broker does not get the request."""
        return self._does(RESETTING)

    def duplicate(self) -> Self:
        """Send the request to the broker twice, as if the client had retried because the first answer got lost."""
        return self._does(Duplicate())

    def takes(self, event: Event, topic_names: Mapping[UUID, str]) -> bool:
        """Return whether the fault applies to an event, and count the event."""
        return self.fault is not None and self.selectors.match(event, topic_names) and self.usage.take()

    def _does(self, fault: Fault) -> Self:
        if self.fault is not None:
            raise ValueError(f"{self} already has a fault; write another when(...).{fault}")
        if self.selectors.event_class is Connection and not fault.FOR_CONNECTIONS:
            raise ValueError(
                f"expected .reset(), .hang_up(), .drop(), .delay() or .hold() for a connection, found .{fault}:"
                " a connection has no answer"
            )
        self.fault = fault
        return self

    def __str__(self) -> str:
        """Return the calls that created the rule, as text."""
        return str(self.selectors) if self.fault is None else f"{self.selectors}.{self.fault}"


async def apply_rules(rules: Sequence[Rule[Any]], event: Event, topic_names: Mapping[UUID, str], last: Next) -> Reply:
    """Return the answer to a request or connection.

    Each rule that applies passes the event, perhaps changed, on to the rules after it. ``last`` answers the request
    that is left after all rules.
    """
    for position, rule in enumerate(rules):
        if rule.takes(event, topic_names):
            assert rule.fault is not None
            if not rule.fault.NEEDS_ANSWER:
                rule.usage.note()

            async def rest(content: Any, after: Sequence[Rule[Any]] = rules[position + 1 :]) -> Reply:
                left = replace(event, message=content) if isinstance(event, SeenRequest) else event
                return await apply_rules(after, left, topic_names, last)

            situation = Situation(event, rule.selectors.selection(topic_names), rule.usage)
            return await rule.fault.apply(situation, rest)
    return await last(event.message if isinstance(event, SeenRequest) else event)


def _error_code(code: str | int) -> ErrorCode:
    if not isinstance(code, str):
        hint = '; write a name or number of messagegen_kafka.ErrorCode, such as .error("NOT_COORDINATOR")'
        arguments.whole_number("error", code, -1, hint, highest=_HIGHEST_CODE, what="an error code")
        return ErrorCode(code)
    if code in ErrorCode.__members__:
        return ErrorCode[code]
    near = get_close_matches(code.upper(), ErrorCode.__members__, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]}?" if near else "; messagegen_kafka.ErrorCode has all names"
    raise ValueError(f"unknown error name {code!r}{hint}")
