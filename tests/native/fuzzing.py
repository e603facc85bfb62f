"""What all fuzzers share: a seed that is printed, an end by number or by time, and memory that must not grow."""

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
"""After so many rounds, allocators and caches hold what they keep."""
_REPORT_SECONDS = 30.0


class Fuzzer:
    """A run: ``random`` of its seed, and ``refused``, which the fuzzer counts."""

    def __init__(self, what: str, most: int, seconds: float | None, seed: int) -> None:
        self.random = Random(seed)
        self.refused = 0
        self._what = what
        self._most = most
        self._seconds = seconds
        self._seed = seed

    def rounds(self) -> Iterator[int]:
        """The numbers of rounds. Ends the process where the run left more memory behind than it may."""
        click.echo(f"{self._what}: --seed {self._seed}", err=True)
        start = reported = perf_counter()
        # On a busy machine, a run does as much as on an idle one.
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
    """The options of a fuzzer, which takes a ``Fuzzer`` and what else it has."""

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
