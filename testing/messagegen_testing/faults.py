"""The faults of rules: for a request and its answer, or for a new connection."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from messagegen_kafka import ApiVersionsRequest, ErrorCode, MetadataRequest, Response
from messagegen_testing.errors.answers import ErrorAnswer, merged, with_error
from messagegen_testing.errors.selection import Selection
from messagegen_testing.errors.shape import shape_of
from messagegen_testing.errors.versions import refusal
from messagegen_testing.problems import call
from messagegen_testing.replies import HANG_UP, MISSING, NOTHING, RESET, SILENCE, AnyResponse, Reply
from messagegen_testing.seen import Connection, SeenRequest
from messagegen_testing.usage import Usage

Next = Callable[[Any], Awaitable[Reply]]
"""A function that passes a request, perhaps changed, to the later rules and the broker, and returns the answer."""

_THROTTLE = "throttle_time_ms"


class NoFaultError(Exception):
    """A fault can't be applied to a request. The text contains advice."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The request or connection that a fault is applied to, with the selection and the usage counts of the rule."""

    event: SeenRequest[Any] | Connection
    selection: Selection
    usage: Usage

    @property
    def content(self) -> Any:
        """The message of the request, or the connection."""
        return self.event.message if isinstance(self.event, SeenRequest) else self.event

    @property
    def request(self) -> SeenRequest[Any]:
        """The request, for faults that can't be applied to connections."""
        assert isinstance(self.event, SeenRequest)
        return self.event

    @property
    def response_class(self) -> type[Response]:
        """The class of the answer."""
        found: type[Response] | None = self.request.message.RESPONSE
        assert found is not None, f"the package has no response of {type(self.request.message).__name__}"
        return found


class Fault(ABC):
    """The treatment of a request. ``apply`` may be called for several requests at the same time."""

    FOR_CONNECTIONS: ClassVar[bool] = False
    """Whether the fault can be applied to a new connection, because it needs neither request nor answer."""
    NEEDS_ANSWER: ClassVar[bool] = False
    """Whether the answer is needed to see if the fault has an effect. In that case, ``apply`` counts the use."""

    @abstractmethod
    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Return the answer to a request. Raises ``NoFaultError`` if the fault can't be applied to it."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the method call that chose the fault, for errors."""


@dataclass(frozen=True)
class Delay(Fault):
    """The answer comes later."""

    seconds: float
    FOR_CONNECTIONS = True

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Pass the request on, and delay the answer."""
        reply = await rest(situation.content)
        await asyncio.sleep(self.seconds)
        return reply

    def __str__(self) -> str:
        return f"delay({self.seconds})"


@dataclass(frozen=True)
class Hold(Fault):
    """The request is passed on when the rule has ended."""

    FOR_CONNECTIONS = True

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Wait for the end of the rule, and pass the request on."""
        await situation.usage.until_ended()
        return await rest(situation.content)

    def __str__(self) -> str:
        return "hold()"


@dataclass(frozen=True)
class Cut(Fault):
    """The connection is closed in the middle of the answer."""

    after_bytes: int

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Cut the answer."""
        return (await rest(situation.content)).cut(self.after_bytes)

    def __str__(self) -> str:
        return f"cut(after_bytes={self.after_bytes})"


@dataclass(frozen=True)
class Lose(Fault):
    """The broker does not get the request, and the client gets no answer.

    ``reply`` ends the connection or keeps it open.
    """

    method: str
    reply: Reply
    FOR_CONNECTIONS = True

    async def apply(self, situation: Situation, rest: Next) -> Reply:  # noqa: ARG002 - the request ends here
        """Return the reply that ends the connection or keeps it open."""
        return self.reply

    def __str__(self) -> str:
        return f"{self.method}()"


DROP = Lose("drop", SILENCE)
HANGING_UP = Lose("hang_up", HANG_UP)
RESETTING = Lose("reset", RESET)


@dataclass(frozen=True)
class Duplicate(Fault):
    """The request reaches the broker twice."""

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Send the request twice, and return the second answer. If the first one ends the connection, return that."""
        first = await rest(situation.content)
        return first if first.is_last else await rest(situation.content)

    def __str__(self) -> str:
        return "duplicate()"


@dataclass(frozen=True)
class Throttle(Fault):
    """The answer reports that the client was throttled."""

    milliseconds: int
    NEEDS_ANSWER = True

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Put the throttle time into the answer."""
        request = situation.request
        fields = situation.response_class.fields(version=request.version)
        if _THROTTLE not in [field.name for field in fields]:
            name = situation.response_class.__name__
            raise NoFaultError(f"{name} version {request.version} has no throttle time; use delay() instead")
        reply = await rest(request.message)
        return _changed(situation, reply, lambda message: message.__replace__(**{_THROTTLE: self.milliseconds}))

    def __str__(self) -> str:
        return f"throttle({self.milliseconds})"


@dataclass(frozen=True)
class Answer(Fault):
    """The test makes the answer."""

    answer: AnyResponse | Callable[[SeenRequest[Any]], AnyResponse]

    async def apply(self, situation: Situation, rest: Next) -> Reply:  # noqa: ARG002 - the broker gets no request
        """Return the answer that the test makes."""
        response: Any = call(self.answer, situation.request) if callable(self.answer) else self.answer
        checked = _checked(situation, response)
        return Reply(checked) if situation.request.received.expects_response else NOTHING

    def __str__(self) -> str:
        return f"answer({_name(self.answer)})"


@dataclass(frozen=True)
class Edit(Fault):
    """The test changes the answer."""

    function: Callable[[Any, SeenRequest[Any]], AnyResponse]
    NEEDS_ANSWER = True

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Pass the request on, and return the answer as the test's function changes it."""
        reply = await rest(situation.request.message)
        return _changed(
            situation, reply, lambda message: _checked(situation, call(self.function, message, situation.request))
        )

    def __str__(self) -> str:
        return f"edit({_name(self.function)})"


@dataclass(frozen=True)
class Error(Fault):
    """The answer has an error code for the topics or partitions that the rule selects."""

    code: ErrorCode
    NEEDS_ANSWER = True

    async def apply(self, situation: Situation, rest: Next) -> Reply:
        """Make the answer from the request; the broker gets the rest of the request.

        If the request does not name what the answer lists, the error is put into the broker's answer. Metadata requests
        are passed on whole, because their answers also contain the addresses of brokers.
        """
        message: Any = situation.request.message
        if message.API_KEY == ApiVersionsRequest.API_KEY and self.code == ErrorCode.UNSUPPORTED_VERSION:
            situation.usage.note()
            return Reply(refusal(type(message), situation.request.version), version=0)
        response_class: Any = situation.response_class
        shape = shape_of(message.__class__, response_class, situation.request.version)
        answer = ErrorAnswer(shape, situation.selection, int(self.code))
        is_metadata = message.API_KEY == MetadataRequest.API_KEY
        is_in_answer = is_metadata and (not message.topics or situation.selection.partition is not None)
        errors = None if is_in_answer else answer.made(message)
        if errors is None:
            reply = await self._in_answer(situation, rest)
            return self._without_elements(situation, answer) if reply.missing else reply
        situation.usage.note()
        left = message if is_metadata else answer.rest(message)
        if not situation.request.received.expects_response:
            # Like a broker, close the connection: a client without acknowledgements notices nothing else.
            reply = NOTHING if left is None else await rest(left)
            return HANG_UP if self.code and not reply.is_last else reply
        if left is None:
            return Reply(errors)
        reply = await rest(left)
        return reply if reply.message is None else reply.changed(merged(shape, reply.message, errors))

    async def _in_answer(self, situation: Situation, rest: Next) -> Reply:
        request = situation.request
        fields = situation.response_class.fields(version=request.version)
        reply = await rest(request.message)
        return _changed(
            situation, reply, lambda message: with_error(message, fields, situation.selection, int(self.code))
        )

    def _without_elements(self, situation: Situation, answer: ErrorAnswer) -> Reply:
        """Answer a request that names nothing if the scripted broker has no answer. Only ``NONE`` counts as a use."""
        response = answer.without_elements(situation.request.message)
        if response is None:
            return MISSING
        if not self.code:
            situation.usage.note()
        return Reply(response) if situation.request.received.expects_response else NOTHING

    def __str__(self) -> str:
        return f"error({self.code.name!r})"


def _changed(situation: Situation, reply: Reply, change: Callable[[Any], Any]) -> Reply:
    """Return a reply with a changed message. The rule counts as unused if nothing changes."""
    message = reply.message if reply.message is None else change(reply.message)
    if message is reply.message:
        situation.usage.give_back()
    else:
        situation.usage.note()
    return reply.changed(message)


def _checked(situation: Situation, response: Any) -> Any:
    """Return a response that the test made. Raises ``NoFaultError`` if it has the wrong class."""
    expected = situation.response_class
    if not isinstance(response, expected):
        name = type(situation.request.message).__name__
        raise NoFaultError(f"{name} is answered by {expected.__name__}, not by {type(response).__name__}")
    return response


def _name(value: object) -> str:
    return str(getattr(value, "__name__", type(value).__name__))
