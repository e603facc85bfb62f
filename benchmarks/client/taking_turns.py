"""Contestants in turn, round by round."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.measures import Measure


@dataclass(frozen=True, slots=True)
class Contestant:
    """What is timed for so many entities or partitions; the call gets the number of the round."""

    amount: int
    call: Callable[[int], object]


def take_turns(
    part: str, contestants: Mapping[tuple[str, str], Contestant], rounds: int, progress: Callable[[str], None]
) -> list[Measure]:
    """Seconds of every contestant, named by data and contestant, after a round that does not count."""
    seconds: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for turn in range(rounds + 1):
        for (data, name), contestant in contestants.items():
            progress(f"round {turn} of {rounds}: {data}, {name}")
            started = time.perf_counter()
            contestant.call(turn)
            if turn:
                seconds[data, name].append(time.perf_counter() - started)
    return [Measure.of((part, *key), contestant.amount, seconds[key]) for key, contestant in contestants.items()]
