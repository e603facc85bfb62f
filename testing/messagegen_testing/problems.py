"""The reasons why a test fails although its own assertions hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class UnusedRuleError(AssertionError):
    """A rule was never used: the client did not send such a request."""


class UnansweredRequestError(AssertionError):
    """A scripted broker got a request without an answer."""


class UnreadableRequestWarning(UserWarning):
    """A proxy passed a request on as it came, because its bytes can't be read; no rule was asked."""


class FunctionError(Exception):
    """A function of the test raised ``error``, which the test gets at its end."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def call(function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Return the result of a function of the test. Raises ``FunctionError`` for whatever it raises.

    ``pytest.fail()`` and ``sys.exit()`` raise no ``Exception``; a ``SystemExit`` would end the event loop.
    """
    try:
        return function(*args, **named)
    except BaseException as error:
        raise FunctionError(error) from error
