"""The measures of runs on Spark, as values that can be saved and read again."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from benchmarks.results import read_values, save_values


@dataclass(frozen=True, slots=True)
class Measure:
    """The seconds of one contestant for ``amount`` rows or records, in the best round and in the median round.

    ``cpu`` is the lowest processor time of all its processes in a round, in seconds, or ``None`` if not measured.
    """

    part: str
    data: str
    contestant: str
    amount: int
    best: float
    median: float
    cpu: float | None = None

    @classmethod
    def of(cls, key: tuple[str, str, str], amount: int, seconds: Sequence[float], cpu: Sequence[float] = ()) -> Measure:
        """Return the measure of several rounds; ``key`` consists of part, data and contestant."""
        return cls(*key, amount, min(seconds), statistics.median(seconds), min(cpu, default=None))

    @property
    def rate(self) -> float:
        """Rows or records per second, in the best round."""
        return self.amount / self.best

    @property
    def median_rate(self) -> float:
        """Rows or records per second, in the median round."""
        return self.amount / self.median


@dataclass(frozen=True, slots=True)
class Measures:
    """All numbers of a run: the machine, the versions, the number of rounds, and the measures."""

    machine: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    rounds: int = 0
    measures: tuple[Measure, ...] = ()

    def find(self, part: str, data: str, contestant: str) -> Measure | None:
        """Return one measure, or ``None`` if it was not taken."""
        key = (part, data, contestant)
        return next((each for each in self.measures if (each.part, each.data, each.contestant) == key), None)

    def of(self, part: str) -> list[Measure]:
        """Return the measures of a part, in order of appearance."""
        return [each for each in self.measures if each.part == part]

    def with_older(self, older: Measures) -> Measures:
        """Return these measures, and the older measures of parts that are not measured here."""
        parts = {each.part for each in self.measures}
        kept = [each for each in older.measures if each.part not in parts]
        return replace(self, measures=(*kept, *self.measures))


def ratio(ours: Measure | None, theirs: Measure | None) -> float | None:
    """Return our rate divided by theirs, in the best rounds; ``None`` if one of the two was not measured."""
    return ours.rate / theirs.rate if ours and theirs else None


def names(measures: Iterable[Measure]) -> list[str]:
    """Return the contestants, in order of appearance."""
    return list(dict.fromkeys(measure.contestant for measure in measures))


def save(found: Measures, file: Path) -> None:
    """Write measures as JSON."""
    save_values(asdict(found), file)


def read(file: Path) -> Measures:
    """Read a file that ``save`` wrote. Raises ``ResultsError`` for any other file."""
    values = read_values(file)
    values["measures"] = tuple(Measure(**each) for each in values["measures"])
    return Measures(**values)
