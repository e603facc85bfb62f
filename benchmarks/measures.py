"""What runs on Spark measure, as values that can be saved and read again."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from benchmarks.results import read_values, save_values


@dataclass(frozen=True, slots=True)
class Measure:
    """What one contestant took for ``amount`` rows or records: seconds of wall time, the best round and the median one.

    ``cpu`` is seconds of processor time of all its processes in the round that took least of it, ``None`` if that was
    not measured.
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
        """The measure of several rounds; ``key`` is part, data and contestant."""
        return cls(*key, amount, min(seconds), statistics.median(seconds), min(cpu, default=None))

    @property
    def rate(self) -> float:
        """How many a second, in the best round."""
        return self.amount / self.best

    @property
    def median_rate(self) -> float:
        """How many a second, in the median round."""
        return self.amount / self.median


@dataclass(frozen=True, slots=True)
class Measures:
    """All numbers of a run: where, of what, how many rounds, and the measures themselves."""

    machine: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    rounds: int = 0
    measures: tuple[Measure, ...] = ()

    def find(self, part: str, data: str, contestant: str) -> Measure | None:
        """One measure, if it was taken."""
        key = (part, data, contestant)
        return next((each for each in self.measures if (each.part, each.data, each.contestant) == key), None)

    def of(self, part: str) -> list[Measure]:
        """The measures of a part, in order of appearance."""
        return [each for each in self.measures if each.part == part]

    def with_older(self, older: Measures) -> Measures:
        """These, with the parts that were not measured now taken from an older run."""
        parts = {each.part for each in self.measures}
        kept = [each for each in older.measures if each.part not in parts]
        return replace(self, measures=(*kept, *self.measures))


def ratio(ours: Measure | None, theirs: Measure | None) -> float | None:
    """How many times as many a second as theirs, by the best rounds; ``None`` if one of them was not measured."""
    return ours.rate / theirs.rate if ours and theirs else None


def names(measures: Iterable[Measure]) -> list[str]:
    """The contestants, in order of appearance."""
    return list(dict.fromkeys(measure.contestant for measure in measures))


def save(found: Measures, file: Path) -> None:
    """Writes measures as JSON."""
    save_values(asdict(found), file)


def read(file: Path) -> Measures:
    """Reads what ``save`` wrote; raises ``ResultsError`` for anything else."""
    values = read_values(file)
    values["measures"] = tuple(Measure(**each) for each in values["measures"])
    return Measures(**values)
