"""Deadlines, and pauses between attempts."""

from __future__ import annotations

import asyncio

import pytest

from messagegen_client.errors import BrokerConnectionError, KafkaTimeoutError
from messagegen_client.transport.deadlines import Backoff, Deadline
from tests.client.support.event_loop import in_loop


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_a_timeout_must_be_positive(seconds: float) -> None:
    with pytest.raises(ValueError, match="a timeout must be a positive number of seconds"):
        Deadline.after(seconds)


@in_loop
async def test_a_timeout_error_names_the_stage_of_the_call_and_the_last_error() -> None:
    before = BrokerConnectionError("no clouds")

    async def wait() -> None:
        async with Deadline.after(0.01).limit("describing") as progress:
            progress.stage = "waiting for rain"
            progress.last_error = before
            progress.outcome_unknown = True
            await asyncio.Event().wait()

    with pytest.raises(KafkaTimeoutError) as caught:
        await wait()
    assert str(caught.value) == (
        "describing: timed out after 0.01 s while waiting for rain; last error: no clouds; "
        "the outcome is unknown: the broker may have carried out the request, or may still do so"
    )
    assert caught.value.outcome_unknown
    assert caught.value.__cause__ is before


@pytest.mark.parametrize("error", [TimeoutError("of the body"), KafkaTimeoutError("of a call inside"), OSError("any")])
@in_loop
async def test_errors_raised_before_the_deadline_are_unchanged(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        async with Deadline.after(10).limit("describing"):
            raise error
    assert caught.value is error


class Clock(Deadline):
    """A deadline with a clock that moves only during pauses."""

    left = 2.5

    def remaining(self) -> float:
        return Clock.left


@pytest.mark.parametrize(("first", "highest"), [(0.1, 1.0), (0.05, 10.0), (5.0, 5.0)])
def test_each_pause_takes_at_most_half_of_the_remaining_time(first: float, highest: float) -> None:
    Clock.left = 2.5
    backoff = Backoff(first, highest, Clock(0, 2.5))
    attempts = 0
    while (pause := backoff.next()) is not None:
        assert pause <= Clock.left / 2
        Clock.left -= pause
        attempts += 1
    assert 0 < Clock.left <= 0.05
    assert attempts < 20


def test_pauses_double_up_to_the_maximum_with_20_percent_jitter() -> None:
    Clock.left = 1000
    backoff = Backoff(0.1, 1.0, Clock(0, 1000))
    for number in range(12):
        middle = min(0.1 * 2**number, 1.0)
        assert middle * 0.8 <= (backoff.next() or 0) <= middle * 1.2
