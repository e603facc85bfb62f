"""Rules: which requests a fault is for, and how often."""

from __future__ import annotations

import threading
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, Generic, Self, TypeVar

from messagegen_kafka import ErrorCode
from messagegen_testing.errors.fields import has_partitions, has_topics
from messagegen_testing.errors.selection import Selection
from messagegen_testing.faults import Answer, Cut, Delay, Drop, Duplicate, Error, Fault, HangUp, Throttle
from messagegen_testing.replies import AnyResponse
from messagegen_testing.seen import SeenRequest

R = TypeVar("R")
"""The class of a request, of any generated package."""

_REQUEST = "request"
"""The kind of the messages that rules are about."""


class Rule(Generic[R]):
    """What happens to requests of a class: one of the methods says it, and from then on the rule holds.

    ``used`` is the number of requests that it was used for.
    """

    def __init__(
        self,
        request_class: type[R],
        *,
        topic: str | None,
        partition: int | None,
        where: Callable[[R], bool] | None,
        times: int | None,
    ) -> None:
        _check(request_class, topic, partition, times)
        self.request_class = request_class
        self.topic = topic
        self.partition = partition
        self.fault: Fault | None = None
        self._where = where
        self._times = times
        self._used = 0
        self._lock = threading.Lock()

    @property
    def used(self) -> int:
        """How many requests it was used for."""
        with self._lock:
            return self._used

    def error(self, code: str | int) -> Self:
        """Answers with an error: a name such as ``NOT_LEADER_OR_FOLLOWER``, or a number; ``NONE`` is no error.

        The broker does not get what the rule is about: the partitions of a topic, for example. Error codes of
        partitions are set if the request has partitions, else those of topics, else that of the response. Requests that
        list everything, and Metadata, go to the broker, and the error is put into its answer.
        """
        return self._does(Error(_error_code(code)))

    def answer(self, response: AnyResponse | Callable[[SeenRequest[R]], AnyResponse]) -> Self:
        """Answers with this response, or with what the function makes of a request. The broker does not get it.

        The function runs in the thread of the proxy or broker, so it must not wait for the test.
        """
        return self._does(Answer(response))

    def throttle(self, milliseconds: int) -> Self:
        """Tells the client that it was throttled for so long (``throttleTimeMs``); the answer comes at once."""
        return self._does(Throttle(milliseconds))

    def delay(self, seconds: float) -> Self:
        """Holds the answer back. Later answers on the same connection wait, too."""
        return self._does(Delay(seconds))

    def cut(self, *, after_bytes: int = 0) -> Self:
        """Sends the beginning of the answer, and closes the connection. The broker has carried out the request."""
        return self._does(Cut(after_bytes))

    def drop(self) -> Self:
        """Loses the request: the broker does not get it, and nothing is sent on the connection any more."""
        return self._does(Drop())

    def hang_up(self) -> Self:
        """Closes the connection instead of an answer. The broker does not get the request."""
        return self._does(HangUp())

    def takes(self, request: SeenRequest[Any], selection: Selection) -> bool:
        """Whether the rule is used for a request, which then counts."""
        message: Any = request.message
        if self.fault is None or not isinstance(message, self.request_class):
            return False
        if selection.is_limited and not selection.selects(message, request.message.fields(version=request.version)):
            return False
        if self._where is not None and not self._where(message):
            return False
        with self._lock:
            if self._times is not None and self._used >= self._times:
                return False
            self._used += 1
            return True

    def give_back(self) -> None:
        """Takes back that the rule was used, because there was nothing to do."""
        with self._lock:
            self._used -= 1

    def _does(self, fault: Fault) -> Self:
        if self.fault is not None:
            raise ValueError(f"{self} already says what to do; write another when(...).{fault}")
        self.fault = fault
        return self

    def __str__(self) -> str:
        """The calls that made it."""
        words = [self.request_class.__name__]
        if self.topic is not None:
            words.append(f"topic={self.topic!r}")
        if self.partition is not None:
            words.append(f"partition={self.partition}")
        if self._where is not None:
            words.append("where=...")
        if self._times is not None:
            words.append(f"times={self._times}")
        action = "" if self.fault is None else f".{self.fault}"
        return f"when({', '.join(words)}){action}"


class ProxyRule(Rule[R]):
    """A rule of a proxy before a broker."""

    def duplicate(self) -> Self:
        """Sends the request to the broker twice, as after a retry whose first answer got lost."""
        return self._does(Duplicate())


def _error_code(code: str | int) -> ErrorCode:
    if isinstance(code, int):
        return ErrorCode(code)
    if code in ErrorCode.__members__:
        return ErrorCode[code]
    near = get_close_matches(code.upper(), ErrorCode.__members__, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]}?" if near else "; messagegen_kafka.ErrorCode has all names"
    raise ValueError(f"unknown error name {code!r}{hint}")


def _name(value: Any) -> str:
    return str(getattr(value, "__name__", repr(value)))


def _check(request_class: Any, topic: str | None, partition: int | None, times: int | None) -> None:
    """Raises ``TypeError`` or ``ValueError`` for what a rule can't be about."""
    if getattr(request_class, "KIND", None) != _REQUEST:
        name = _name(request_class)
        hint = f": {name.removesuffix('Response')}Request" if name.endswith("Response") else ", such as FetchRequest"
        raise TypeError(f"expected the class of a request{hint}, got {name}")
    if times is not None and times < 1:
        raise ValueError(f"expected times to be at least 1, got {times}; without it, the rule always holds")
    versions = request_class.VALID_VERSIONS
    name = request_class.__name__
    if topic is not None and not any(has_topics(request_class.fields(version=version)) for version in versions):
        raise ValueError(f"{name} has no topics: leave out topic={topic!r}")
    if partition is not None and not any(has_partitions(request_class.fields(version=version)) for version in versions):
        raise ValueError(f"{name} has no partitions: leave out partition={partition}")
