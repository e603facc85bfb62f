"""The fixtures of pytest. The rest is loaded when a test first uses one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from messagegen_testing.proxy import KafkaFaults
    from messagegen_testing.scripted import ScriptedBroker


@pytest.fixture
def kafka_faults() -> Iterator[Callable[..., KafkaFaults]]:
    """Starts proxies with faults: ``kafka_faults("localhost:9092")``. They end with the test.

    The arguments are those of ``messagegen_testing.kafka_faults``. A rule that was never used is an error.
    """
    from messagegen_testing import proxy  # noqa: PLC0415

    with ExitStack() as started:

        def start(*args: object, **settings: object) -> KafkaFaults:
            return started.enter_context(proxy.kafka_faults(*args, **settings))  # type: ignore[arg-type]

        yield start


@pytest.fixture
def scripted_broker() -> Iterator[Callable[..., ScriptedBroker]]:
    """Starts brokers that the test scripts: ``scripted_broker({"orders": 2})``. They end with the test.

    The arguments are those of ``messagegen_testing.scripted_broker``. A request without an answer is an error, and so
    is a rule that was never used.
    """
    from messagegen_testing import scripted  # noqa: PLC0415

    with ExitStack() as started:

        def start(*args: object, **settings: object) -> ScriptedBroker:
            return started.enter_context(scripted.scripted_broker(*args, **settings))  # type: ignore[arg-type]

        yield start
