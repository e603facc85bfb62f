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
    """A proxy passed a request on unchanged and without rules, because its bytes can't be read."""


class FunctionError(Exception):
    """A function of the test raised ``error``, which is reported at the end of the test."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def call(function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Return the result of a function of the test. Raises ``FunctionError`` for any exception of the function.

    This includes ``pytest.fail()`` and ``sys.exit()``, which raise no ``Exception``: a ``SystemExit`` would end the
    event loop.
    """
    try:
        return function(*args, **named)
    except BaseException as error:
        raise FunctionError(error) from error
