"""The pytest fixtures. The other modules are loaded when a test first uses a fixture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import pytest

if TYPE_CHECKING:
    from messagegen_testing.proxy import KafkaFaults
    from messagegen_testing.scripted import ScriptedBroker

P = ParamSpec("P")
T = TypeVar("T")


@pytest.fixture
def kafka_faults() -> Iterator[Callable[..., KafkaFaults]]:
    """Start proxies with faults: ``kafka_faults("localhost:9092")``. They end with the test.

    The arguments are those of ``messagegen_testing.kafka_faults``. A rule that was never used is an error.
    """
    from messagegen_testing import proxy  # noqa: PLC0415

    with ExitStack() as started:
        yield _starter(proxy.kafka_faults, started)


@pytest.fixture
def scripted_broker() -> Iterator[Callable[..., ScriptedBroker]]:
    """Start brokers whose answers the test defines: ``scripted_broker({"orders": 2})``. They end with the test.

    The arguments are those of ``messagegen_testing.scripted_broker``. A request without an answer is an error, and so
    is a rule that was never used.
    """
    from messagegen_testing import scripted  # noqa: PLC0415

    with ExitStack() as started:
        yield _starter(scripted.scripted_broker, started)


def _starter(make: Callable[P, AbstractContextManager[T]], started: ExitStack) -> Callable[P, T]:
    """Return a function that calls ``make`` and enters the result; ``started`` exits it."""

    def start(*args: P.args, **settings: P.kwargs) -> T:
        return started.enter_context(make(*args, **settings))

    return start
