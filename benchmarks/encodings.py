"""What a value costs to encode and to decode in each encoding of KIP-625: the table that the encoding advisor reckons with.

``python -m benchmarks.encodings`` measures the native engine and pure Python, each in a process of its own, and rewrites the table
of the package (``--out`` writes another file, for ``messagegen-advise --costs``).

A value's cost is a difference: messages with 32 integer fields, or with an array of 1,000 integers, against the same messages
with none, both with values that have the length in question as a varint: fixed encodings are measured with the values of each
length, too, because Python has small numbers ready and makes all others. Of many rounds, in which all
encodings take turns, the best counts, for nothing makes code faster than it is; decoding makes Python objects, as it does for
whoever uses generated classes.
"""

from __future__ import annotations

import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.processes import has_native, run_python
from benchmarks.results import machine
from messagegen import load
from messagegen_arrow.advisor import costs, encodings
from messagegen_arrow.advisor.costs import Cost, CostTable, Engine, Place

_TABLE: Final = Path(costs.__file__).with_name("costs.json")
_VALUES: Final[dict[Place, int]] = {"field": 32, "element": 1000}
_SAMPLE_NANOSECONDS: Final = 300_000
"""Long enough for the clock, and short enough that most samples are not interrupted."""


@dataclass(slots=True)
class _Cell:
    """One call to measure: how many values it handles, how often it is made for a sample, and the samples."""

    key: tuple[Place, str, int]
    operation: str
    call: Callable[[], object]
    calls: int = 1
    samples: list[float] = field(default_factory=list)

    def warm(self) -> None:
        """Finds how many calls make a sample long enough for the clock."""
        while (taken := self._time()) < _SAMPLE_NANOSECONDS:
            self.calls = max(self.calls + 1, int(self.calls * min(10, 1.2 * _SAMPLE_NANOSECONDS / taken)))

    def sample(self) -> None:
        self.samples.append(self._time() / self.calls)

    def _time(self) -> int:
        call = self.call
        start = time.perf_counter_ns()
        for _ in range(self.calls):
            call()
        return time.perf_counter_ns() - start


def _specs(folder: Path) -> None:
    for place, count in _VALUES.items():
        for encoding in encodings.ENCODINGS:
            fields = _array(encoding) if place == "element" else _fields(encoding, count)
            _write(folder, f"{place.title()}{encoding.title()}", fields)
    _write(folder, "FieldNone", [])


def _write(folder: Path, name: str, fields: list[dict[str, str]]) -> None:
    spec = {"type": "data", "name": name, "validVersions": "0", "flexibleVersions": "0+", "fields": fields}
    (folder / f"{name}.json").write_text(json.dumps(spec), encoding="utf-8")


def _array(encoding: str) -> list[dict[str, str]]:
    type_ = f"[]int{encoding[-2:]}"
    return [{"name": "Values", "type": type_, "versions": "0+", "elementEncoding": encoding}]


def _fields(encoding: str, count: int) -> list[dict[str, str]]:
    type_ = f"int{encoding[-2:]}"
    return [{"name": f"F{n}", "type": type_, "versions": "0+", "encoding": encoding} for n in range(count)]


def _cells(package: Any) -> Iterator[_Cell]:
    for place, count in _VALUES.items():
        for encoding in encodings.ENCODINGS:
            cls = getattr(package, f"{place.title()}{encoding.title()}")
            for bytes_ in sorted(set(costs.varint_bytes(encoding)) - {0}):
                values = _values(encoding, bytes_, count)
                if place == "element":
                    message = cls(values=tuple(values))
                else:
                    message = cls(**{f"f{n}": value for n, value in enumerate(values)})
                yield from _both((place, encoding, bytes_), cls, message)
        base = package.FieldNone if place == "field" else package.ElementFixed32
        yield from _both((place, "none", 0), base, base())


def _both(key: tuple[Place, str, int], cls: Any, message: Any) -> Iterator[_Cell]:
    data = message.encode(version=0)
    yield _Cell(key, "encode", lambda: message.encode(version=0))
    yield _Cell(key, "decode", lambda: cls.decode(data, version=0))


def _values(encoding: str, bytes_: int, count: int) -> list[int]:
    """Different values of that length, for equal ones could be found again instead of made."""
    starts = [
        (start, end)
        for start, end, length in zip(
            encodings.CLASS_STARTS,
            (*encodings.CLASS_STARTS[1:], 1 << 63),
            costs.varint_bytes(encoding),
            strict=True,
        )
        if length == bytes_
    ]
    # The longest upacked values are negative ones and, within the width, large ones: both have the same bytes to write.
    ranges = [pair for pair in starts if pair[0] >= 0] or starts
    low, high = ranges[0][0], ranges[-1][1]
    return [low + (high - low) * n // count for n in range(count)]


def measure_here(rounds: int) -> dict[str, dict[str, list[float]]]:
    """Nanoseconds a value, by place, encoding and length in one word, for the engine of this process."""
    with tempfile.TemporaryDirectory(prefix="messagegen-encodings-") as scratch:
        _specs(Path(scratch))
        cells = list(_cells(load(scratch)))
    gc.disable()
    for cell in cells:
        cell.warm()
    for _ in range(rounds):
        for cell in cells:
            cell.sample()
    best = {(*cell.key, cell.operation): min(cell.samples) for cell in cells}
    found: dict[str, dict[str, list[float]]] = {}
    for (place, encoding, bytes_, operation), nanoseconds in best.items():
        if encoding != "none":
            alone = nanoseconds - best[place, "none", 0, operation]
            found.setdefault(f"{place} {encoding} {bytes_}", {})[operation] = [max(0.0, alone / _VALUES[place])]
    return found


def measure(rounds: int) -> CostTable:
    """Both engines, the native one where it is installed."""
    nanoseconds: dict[tuple[Engine, Place, str, int], Cost] = {}
    engines: tuple[Engine, ...] = ("native", "python") if has_native() else ("python",)
    for engine in engines:
        output = run_python("-m", "benchmarks.encodings", "--here", "--rounds", str(rounds), pure=engine == "python")
        for word, found in json.loads(output).items():
            place, encoding, bytes_ = word.split(" ")
            nanoseconds[engine, place, encoding, int(bytes_)] = Cost(found["encode"][0], found["decode"][0])
    return CostTable(nanoseconds, {**machine(), "rounds": str(rounds)})


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--rounds", default=60, show_default=True, type=click.IntRange(1), help="How often everybody has a turn.")
@click.option("--out", default=_TABLE, type=click.Path(dir_okay=False, path_type=Path), help="Where the table goes.")
@click.option("--here", is_flag=True, hidden=True)
def main(rounds: int, out: Path, here: bool) -> None:
    """Measure what integers cost in each encoding, and write the table that the encoding advisor reckons with."""
    if here:
        sys.stdout.write(json.dumps(measure_here(rounds)))
        return
    out.write_text(measure(rounds).to_json(), encoding="utf-8")
    click.echo(f"wrote {out}")


if __name__ == "__main__":
    main()
