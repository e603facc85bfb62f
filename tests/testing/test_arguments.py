"""Wrong arguments of rules are refused as soon as the rule is written."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any, Final

import pytest

from messagegen_kafka import FetchRequest, MetadataRequest, MetadataResponse
from messagegen_kafka.fetch_request import FetchPartition, FetchTopic
from messagegen_testing import KafkaFaults, Rule, scripted_broker
from tests.testing.support.asking import Asker

_NOT_WHOLE = [-1, 0.5, 2.0, True, "1", math.nan]


async def coroutine(*_: object) -> bool:
    return False


def generator(*_: object) -> Iterator[bool]:
    yield False


async def async_generator(*_: object) -> AsyncIterator[bool]:
    yield False


class AsyncCall:
    async def __call__(self, *_: object) -> bool:
        return False


_WITHOUT_RESULT: Final = [coroutine, generator, async_generator, partial(coroutine, 1), AsyncCall()]

_WRONG_SELECTORS: Final[dict[str, list[Any]]] = {
    "topic": [1, b"orders"],
    "partition": [*_NOT_WHOLE, 1.0, 1 << 31],
    "client_id": [1, b"billing"],
    "where": [True, "orders", *_WITHOUT_RESULT],
    "after": [*_NOT_WHOLE, None],
    "times": [*_NOT_WHOLE, 0, 1.5],
    "probability": [0, -0.1, 1.1, math.nan, math.inf, "1", True, None],
    "seed": [*_NOT_WHOLE, None],
}

_WRONG_ARGUMENTS: Final[dict[str, list[Any]]] = {
    "error": [None, 1.5, True, -2, 32768, 40000],
    "answer": [None, MetadataRequest(), MetadataResponse, *_WITHOUT_RESULT],
    "edit": [None, MetadataResponse(), *_WITHOUT_RESULT],
    "throttle": [*_NOT_WHOLE, None, 1 << 31],
    "delay": [-1, -0.1, math.nan, math.inf, "1", True, None],
    "cut": [*_NOT_WHOLE, None],
}


def test_all_selectors_and_faults_are_tested_with_wrong_arguments() -> None:
    selectors = inspect.signature(KafkaFaults.when).parameters.keys() - {"self", "event_class"}
    faults = {
        name for name, method in vars(Rule).items() if getattr(method, "__annotations__", {}).get("return") == "Self"
    }
    with_arguments = {
        name
        for name in faults
        if not name.startswith("_") and len(inspect.signature(getattr(Rule, name)).parameters) > 1
    }
    assert selectors == _WRONG_SELECTORS.keys()
    assert with_arguments == _WRONG_ARGUMENTS.keys()


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in _WRONG_SELECTORS.items() for value in values]
)
def test_wrong_selectors_are_refused(name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        scripted_broker().when(FetchRequest, **{name: value})
    found = str(caught.value)
    assert found.startswith(f"{name}: expected ")
    assert f", found {value!r}" in found


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in _WRONG_ARGUMENTS.items() for value in values]
)
def test_wrong_arguments_of_faults_are_refused(name: str, value: Any) -> None:
    rule = scripted_broker().when(MetadataRequest)
    with pytest.raises((TypeError, ValueError)) as caught:
        rule.cut(after_bytes=value) if name == "cut" else getattr(rule, name)(value)
    found = str(caught.value)
    assert found.startswith("after_bytes: expected " if name == "cut" else f"{name}: expected ")
    assert f", found {value!r}" in found
    assert rule.fault is None


@pytest.mark.parametrize("code", [-2, 32768, 40000])
def test_refused_error_codes_are_reported_with_the_valid_range(code: int) -> None:
    expected = f"error: expected an error code from -1 to 32767, found {code}; write a name or number of messagegen_"
    with pytest.raises(ValueError, match=re.escape(expected)):
        scripted_broker().when(MetadataRequest).error(code)


@pytest.mark.parametrize("code", [-1, 0, 999, 32767])
def test_all_codes_that_brokers_can_send_are_accepted(code: int) -> None:
    with scripted_broker({"orders": 1}) as broker:
        broker.when(FetchRequest).error(code)
        wanted = FetchTopic(topic="orders", partitions=(FetchPartition(partition=0),))
        with Asker(broker.bootstrap) as asker:
            answer = asker.ask(FetchRequest(topics=(wanted,)), version=12)
    assert answer.error_code == code or answer.responses[0].partitions[0].error_code == code
