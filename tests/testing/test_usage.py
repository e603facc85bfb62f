"""The use counts of rules equal the counts of a model."""

from __future__ import annotations

import random
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_testing.usage import Usage


@given(
    after=st.integers(0, 5),
    times=st.none() | st.integers(1, 5),
    probability=st.floats(0, 1, exclude_min=True),
    seed=st.integers(),
    changes=st.lists(st.booleans(), max_size=30),
)
def test_uses_follow_the_selectors(
    after: int, times: int | None, probability: float, seed: int, changes: list[bool]
) -> None:
    """``changes`` has, for each request, whether the fault finds something to change."""
    usage = Usage(after=after, times=times, probability=probability, seed=seed)
    draws = random.Random(seed)
    expected = 0
    for position, is_changed in enumerate(changes):
        is_taken = position >= after and expected != times and draws.random() < probability
        assert usage.take() is is_taken
        if is_taken and is_changed:
            usage.note()
            expected += 1
        elif is_taken:
            usage.give_back()
        assert usage.used == expected
    usage.end()
    assert not usage.take()


@pytest.mark.parametrize(("times", "expected"), [(1000, 1000), (None, 8 * 500 - 100)])
def test_threads_share_the_limits_of_a_rule(times: int | None, expected: int) -> None:
    usage = Usage(after=100, times=times, probability=1, seed=0)

    def take() -> None:
        for _ in range(500):
            if usage.take():
                usage.note()

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert usage.used == expected
