"""Checks rule arguments. Errors begin with the name of the argument."""

from __future__ import annotations

import inspect
import math
from typing import Any

HIGHEST_INT32 = 0x7FFFFFFF

_WITHOUT_RESULT = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)


def whole_number(
    name: str, value: Any, lowest: int, hint: str = "", *, highest: int | None = None, what: str = "a whole number"
) -> None:
    """Raise ``TypeError`` unless the value is an integer, and ``ValueError`` if it is outside the range."""
    numbers = f"of at least {lowest}" if highest is None else f"from {lowest} to {highest}"
    expected = f"{name}: expected {what} {numbers}, found {value!r}{hint}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(expected)
    if value < lowest or (highest is not None and value > highest):
        raise ValueError(expected)


def seconds(name: str, value: Any) -> None:
    """Raise ``TypeError`` unless the value is a number, and ``ValueError`` if it is negative, infinite or NaN."""
    expected = f"{name}: expected a number of at least 0, found {value!r}"
    _number(value, expected)
    if not 0 <= value < math.inf:
        raise ValueError(expected)


def probability(name: str, value: Any) -> None:
    """Raise ``TypeError`` unless the value is a number, and ``ValueError`` unless it is above 0 and at most 1."""
    expected = f"{name}: expected a number above 0 and at most 1, found {value!r}"
    _number(value, expected)
    if not 0 < value <= 1:
        raise ValueError(expected)


def function(name: str, value: Any) -> None:
    """Raise ``TypeError`` if the value is not callable, or if it is a coroutine function or a generator function."""
    if not callable(value):
        raise TypeError(f"{name}: expected a function, found {value!r}")
    if any(is_kind(each) for is_kind in _WITHOUT_RESULT for each in (value, type(value).__call__)):
        raise TypeError(f"{name}: expected a function that returns its result, found {value!r}; use no async or yield")


def text(name: str, value: Any) -> None:
    """Raise ``TypeError`` unless the value is a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a string, found {value!r}")


def _number(value: Any, expected: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(expected)
