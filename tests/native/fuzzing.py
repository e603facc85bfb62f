"""The common parts of all fuzzers: a printed seed, a limit of rounds or time, and a check of memory growth."""

from __future__ import annotations

import math
import secrets
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from random import Random
from time import perf_counter, process_time
from typing import Any

import click

from tests.native.random_messages import HAS_STATM, resident

_GROWTH = 64 << 20
_WARM = 500
"""The number of rounds after which the sizes of allocators and caches are stable."""
_REPORT_SECONDS = 30.0


class Fuzzer:
    """A run of a fuzzer: ``random`` is seeded, and the fuzzer counts refused inputs in ``refused``."""

    def __init__(self, what: str, most: int, seconds: float | None, seed: int) -> None:
        self.random = Random(seed)
        self.refused = 0
        self._what = what
        self._most = most
        self._seconds = seconds
        self._seed = seed

    def rounds(self) -> Iterator[int]:
        """Yield the numbers of rounds. End the process if the run leaks more memory than allowed."""
        click.echo(f"{self._what}: --seed {self._seed}", err=True)
        start = reported = perf_counter()
        # Measure CPU time, so that a run on a busy machine does the same amount of work.
        end = math.inf if self._seconds is None else process_time() + self._seconds
        memory, number = None, 0
        while number < self._most and process_time() < end:
            yield number
            number += 1
            if number == _WARM and HAS_STATM:
                memory = resident()
            if perf_counter() - reported > _REPORT_SECONDS:
                reported = perf_counter()
                click.echo(f"{number} {self._what}, {self.refused} refused, {reported - start:.0f} s", err=True)
        grown = 0 if memory is None else resident() - memory
        click.echo(f"{number} {self._what}, {self.refused} refused, memory grew by {grown >> 10} KiB")
        if grown > _GROWTH:
            sys.exit("that is more than the same input may leave behind")


def fuzzer_options(what: str, most: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a fuzzer's options to a function that takes a ``Fuzzer`` and further options."""

    def decorate(run: Callable[..., None]) -> Callable[..., None]:
        @click.option("--most", default=most, show_default=True, help=f"How many {what}.")
        @click.option("--seconds", type=float, help="The CPU time after which no other round begins.")
        @click.option(
            "--seed", type=int, help="The same seed makes the same input; default: a new one, which is printed."
        )
        @wraps(run)
        def command(most: int, seconds: float | None, seed: int | None, **more: Any) -> None:
            run(Fuzzer(what, most, seconds, secrets.randbits(32) if seed is None else seed), **more)

        return command

    return decorate
