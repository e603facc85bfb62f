"""What a rule does with a request, and with its answer."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from messagegen_kafka import ErrorCode, MetadataRequest, Request, Response
from messagegen_testing.errors.answers import ErrorAnswer, merged, with_error
from messagegen_testing.errors.selection import Selection
from messagegen_testing.errors.shape import shape_of
from messagegen_testing.replies import HANG_UP, SILENCE, AnyResponse, Reply
from messagegen_testing.seen import SeenRequest

Next = Callable[[Request], Awaitable[Reply]]
"""Gives the answer of the later rules and of the broker to a request, which may be another one."""

_THROTTLE = "throttle_time_ms"


class NoFaultError(Exception):
    """A fault can't be applied to a request; the text says what to write instead."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A request that a fault is applied to, and what its rule is about."""

    request: SeenRequest[Any]
    response_class: type[Response]
    selection: Selection
    give_back: Callable[[], None]
    """Says that there was nothing to do, so that the rule counts as not used."""


class Fault(ABC):
    """What happens to a request. ``apply`` may be called for several requests at the same time."""

    @abstractmethod
    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """The answer to a request. Raises ``NoFaultError``."""

    @abstractmethod
    def __str__(self) -> str:
        """The call that made it, for errors."""


@dataclass(frozen=True)
class Delay(Fault):
    """The answer comes later."""

    seconds: float

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Waits with the answer."""
        reply = await rest(situation.request.message)
        await asyncio.sleep(self.seconds)
        return reply

    def __str__(self) -> str:
        return f"delay({self.seconds})"


@dataclass(frozen=True)
class Cut(Fault):
    """The connection is closed in the answer."""

    after_bytes: int

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Cuts the answer."""
        return (await rest(situation.request.message)).cut(self.after_bytes)

    def __str__(self) -> str:
        return f"cut(after_bytes={self.after_bytes})"


@dataclass(frozen=True)
class Drop(Fault):
    """The request gets lost."""

    async def apply(self, situation: Situation, rest: Next) -> Reply:  # noqa: ARG002 - nobody else gets the request
        """Says nothing any more."""
        return SILENCE

    def __str__(self) -> str:
        return "drop()"


@dataclass(frozen=True)
class Duplicate(Fault):
    """The request reaches the broker twice."""

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Sends it twice, and gives the second answer."""
        await rest(situation.request.message)
        return await rest(situation.request.message)

    def __str__(self) -> str:
        return "duplicate()"


@dataclass(frozen=True)
class Throttle(Fault):
    """The answer says that the client was throttled."""

    milliseconds: int

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Puts the time into the answer."""
        request = situation.request
        fields = situation.response_class.fields(version=request.version)
        if _THROTTLE not in [field.name for field in fields]:
            name = situation.response_class.__name__
            raise NoFaultError(f"{name} version {request.version} has no throttle time; use delay() instead")
        reply = await rest(request.message)
        if reply.message is None:
            return reply
        return reply.changed(reply.message.__replace__(**{_THROTTLE: self.milliseconds}))

    def __str__(self) -> str:
        return f"throttle({self.milliseconds})"


@dataclass(frozen=True)
class Answer(Fault):
    """The test answers."""

    answer: AnyResponse | Callable[[SeenRequest[Any]], AnyResponse]

    async def apply(self, situation: Situation, rest: Next) -> Reply:  # noqa: ARG002 - nobody else gets the request
        """Gives the answer of the test."""
        response: Any = self.answer(situation.request) if callable(self.answer) else self.answer
        expected = situation.response_class
        if not isinstance(response, expected):
            name = type(situation.request.message).__name__
            raise NoFaultError(f"{name} is answered by {expected.__name__}, not by {type(response).__name__}")
        return Reply(response)

    def __str__(self) -> str:
        return f"answer({getattr(self.answer, '__name__', type(self.answer).__name__)})"


@dataclass(frozen=True)
class HangUp(Fault):
    """The connection is closed instead of an answer, and the broker does not get the request."""

    async def apply(self, situation: Situation, rest: Next) -> Reply:  # noqa: ARG002 - nobody else gets the request
        """Closes the connection."""
        return HANG_UP

    def __str__(self) -> str:
        return "hang_up()"


@dataclass(frozen=True)
class Error(Fault):
    """The answer has an error code for what the rule is about."""

    code: ErrorCode

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Makes the answer from the request; the broker gets what is left of it.

        If the request does not say what the answer is about, the error is put into the answer of the broker. So it is
        for Metadata, whose answers also have the addresses of brokers.
        """
        message: Any = situation.request.message
        response_class: Any = situation.response_class
        shape = shape_of(message.__class__, response_class, situation.request.version)
        answer = ErrorAnswer(shape, situation.selection, int(self.code))
        errors = None if message.API_KEY == MetadataRequest.API_KEY else answer.made(message)
        if errors is None:
            return await self._in_answer(situation, rest)
        left = answer.rest(message)
        if left is None:
            return Reply(errors)
        reply = await rest(left)
        return reply if reply.message is None else reply.changed(merged(shape, reply.message, errors))

    async def _in_answer(self, situation: Situation, rest: Next) -> Reply:
        request = situation.request
        reply = await rest(request.message)
        if reply.message is None:
            return reply
        fields = situation.response_class.fields(version=request.version)
        changed = with_error(reply.message, fields, situation.selection, int(self.code))
        if changed is reply.message:
            situation.give_back()
        return reply.changed(changed)

    def __str__(self) -> str:
        return f"error({self.code.name!r})"
