"""Reasons why a test fails although its own assertions hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class UnusedRuleError(AssertionError):
    """A rule was never used: the client sent no request that it selects."""


class UnansweredRequestError(AssertionError):
    """A scripted broker received a request that neither the broker nor a rule answers."""


class UnreadableRequestWarning(UserWarning):
    """A proxy passed a request on unchanged and without rules, because its bytes can't be read."""


class FunctionError(Exception):
    """A function of the test raised ``error``, which is reported at the end of the test."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def call(function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Return the result of a function of the test. If the function raises anything, raise ``FunctionError``.

    This includes the exceptions of ``pytest.fail()`` and ``sys.exit()``, which are not subclasses of
    ``Exception``: a ``SystemExit`` would end the event loop.
    """
    try:
        return function(*args, **named)
    except BaseException as error:
        raise FunctionError(error) from error
