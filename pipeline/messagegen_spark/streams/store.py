"""The output of a stream: a unit for each micro-batch, with the state of the history after it.

    OUTPUT/_job.json                       what the stream is; written when it is first started
    OUTPUT/_checkpoint/ID/                 Spark's checkpoint: what each micro-batch reads
    OUTPUT/unit=000000012/...parquet       the rows of a micro-batch
    OUTPUT/unit=000000012/_unit.json       what was counted in it
    OUTPUT/unit=000000012/_state.json.gz   the state of the history after it

One rename brings rows, counts and state, so each micro-batch is there whole or not at all. A micro-batch that Spark repeats, because the
process died before Spark took note of it, is passed over if its unit is there, and otherwise begins with the state before it.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from messagegen_arrow.histories.states import State
from messagegen_spark.jobs.unit_store import LocalUnits, OutputError, UnitCounts, unit_store
from messagegen_spark.jobs.units import Unit

_CHECKPOINT: Final = "_checkpoint"
_STATE: Final = "_state.json.gz"
_KEPT_STATES: Final = 2
"""The state before the last unit is kept too: Spark repeats the last micro-batch if it took no note of it, and its unit may be gone by then."""
_ADVICE: Final = "put back what it was, or name a new output to start again"
"""Spark does a micro-batch once: what is lost of a unit does not come again."""


class StreamStore:
    """Where the micro-batches of a stream go; made by ``stream_store``."""

    def __init__(self, folder: Path, units: LocalUnits) -> None:
        self._folder = folder
        self.units = units
        """The units, and the id of the stream."""
        self.checkpoint = folder / _CHECKPOINT / units.id
        """The folder of Spark's checkpoint."""

    def last(self) -> int | None:
        """The number of the last micro-batch that is done, ``None`` if none is."""
        numbers = self._numbers()
        return max(numbers) if numbers else None

    def state_before(self, number: int) -> State | None:
        """The state that a micro-batch begins with; ``None`` for the first one. Raises ``OutputError`` if it or its unit is gone."""
        if number == 0:
            return None
        # Spark counts micro-batches without gaps, and each of them becomes a unit, with or without rows.
        place = self.units.place(unit_of(number - 1))
        if not place.is_dir():
            raise OutputError(f"{place} is gone, and Spark does not repeat it: put it back, or name a new output")
        path = place / _STATE
        try:
            state: State = json.loads(gzip.decompress(path.read_bytes()))
        except (OSError, EOFError, ValueError) as problem:
            raise OutputError(f"{path} can't be read ({problem}): {_ADVICE}") from problem
        return state

    def commit(self, number: int, write: Callable[[Unit, Path], None], counts: UnitCounts, state: State) -> None:
        """Makes a micro-batch part of the output; ``write`` puts its rows into a folder that it makes."""
        unit = unit_of(number)
        with self.units.staged(unit) as staged:
            write(unit, staged)
            if not staged.is_dir():
                raise OutputError(f"nothing was written to {staged}")
            _write_state(staged / _STATE, state)
            self.units.commit(unit, staged, counts)
        self._forget_states(number)

    def counts(self) -> Iterator[UnitCounts]:
        """The counts of the micro-batches that are done. Raises ``OutputError`` where they are damaged."""
        for number in self._numbers():
            yield self.units.counts(unit_of(number), _ADVICE)

    def _numbers(self) -> list[int]:
        names = (place.name.partition("=")[2] for place in self._folder.glob("unit=*"))
        return sorted(int(name) for name in names if name.isdecimal())

    def _forget_states(self, number: int) -> None:
        before = [each for each in self._numbers() if each <= number]
        for each in before[-2 * _KEPT_STATES : -_KEPT_STATES]:
            (self.units.place(unit_of(each)) / _STATE).unlink(missing_ok=True)


@contextmanager
def stream_store(folder: Path, job: str, arguments: Mapping[str, Any]) -> Iterator[StreamStore]:
    """The output folder of a stream, made or found again, for this process alone.

    Raises ``OutputError`` where the folder has anything else, where another process works there, and where micro-batches are there
    without the checkpoint that says what they have read.
    """
    with unit_store(folder, job, arguments, ()) as units:
        store = StreamStore(folder, units)
        if store.last() is not None and not store.checkpoint.is_dir():
            raise OutputError(
                f"{folder} has units, but its checkpoint {store.checkpoint} is gone, so nobody knows what was read: "
                "put it back, or name another output"
            )
        yield store


def unit_of(number: int) -> Unit:
    """The unit of a micro-batch. What it reads is known to Spark alone."""
    return Unit(f"{number:09}", (), 0)


def _write_state(path: Path, state: State) -> None:
    with path.open("wb") as file:
        file.write(gzip.compress(json.dumps(state, separators=(",", ":")).encode(), compresslevel=1, mtime=0))
        file.flush()
        os.fsync(file.fileno())
