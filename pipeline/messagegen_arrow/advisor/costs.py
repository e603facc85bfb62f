"""The time to encode and decode a value in each encoding: a table of measurements for both engines.

``python -m benchmarks.encodings`` measures it on another machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from messagegen_arrow.advisor.encodings import CLASSES, ENCODINGS, LENGTHS, split
from messagegen_arrow.advisor.statistics import FieldStatistics

Engine = Literal["native", "python"]
"""What encodes and decodes: the native engine, or only generated Python."""

Place = Literal["field", "element"]
PLACES: Final[tuple[Place, ...]] = get_args(Place)
"""A field of a struct, or an element of an array. Python reads all fixed elements of an array at once."""

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Cost:
    """Nanoseconds."""

    encode: float = 0.0
    decode: float = 0.0

    @property
    def both(self) -> float:
        """Encoding once and decoding once."""
        return self.encode + self.decode

    def __add__(self, other: Self) -> Cost:
        return Cost(self.encode + other.encode, self.decode + other.decode)

    def __sub__(self, other: Self) -> Cost:
        return Cost(self.encode - other.encode, self.decode - other.decode)

    def times(self, count: int) -> Cost:
        """The cost of ``count`` values."""
        return Cost(self.encode * count, self.decode * count)


@dataclass(frozen=True, slots=True)
class CostTable:
    """Nanoseconds a value by engine, place, encoding and length as a varint in bytes (see ``varint_bytes``)."""

    nanoseconds: Mapping[tuple[Engine, Place, str, int], Cost]
    machine: Mapping[str, str]
    """The machine of the measurement."""

    def has(self, engine: Engine) -> bool:
        """Whether the engine was measured."""
        return any(key[0] == engine for key in self.nanoseconds)

    def of(self, statistics: FieldStatistics, engine: Engine, place: Place, encoding: str) -> Cost:
        """The cost of all values that fit the encoding."""
        found = Cost()
        for class_ in range(CLASSES):
            count = statistics.counts[class_]
            if count and LENGTHS[encoding][class_]:
                found += self.nanoseconds[engine, place, encoding, varint_bytes(encoding)[class_]].times(count)
        return found

    def to_json(self) -> str:
        """The table as text that ``from_json`` reads."""
        nested: dict[str, Any] = {}
        for (engine, place, encoding, bytes_), cost in self.nanoseconds.items():
            lengths = nested.setdefault(engine, {}).setdefault(place, {}).setdefault(encoding, {})
            lengths[str(bytes_)] = [round(cost.encode, 2), round(cost.decode, 2)]
        value = {
            "format": FORMAT,
            "unit": "nanoseconds a value, [encode, decode], by engine, place, encoding and length as a varint in bytes",
            "machine": dict(self.machine),
            "nanoseconds": nested,
        }
        # A line for each encoding reads better than one for each number.
        text = json.dumps(value, indent=1)
        return _joined(text) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Reads the result of ``to_json``. Raises ``ValueError`` for anything else, and for an incomplete table."""
        try:
            value = json.loads(text)
            if value["format"] != FORMAT:
                raise ValueError(f"expected format {FORMAT}, not {value['format']}")
            found = {
                (engine, place, encoding, int(bytes_)): Cost(float(encode), float(decode))
                for engine, places in value["nanoseconds"].items()
                for place, encodings in places.items()
                for encoding, lengths in encodings.items()
                for bytes_, (encode, decode) in lengths.items()
            }
            table = cls(found, dict(value["machine"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a table of costs: {type(error).__name__} {error}") from error
        for engine in {key[0] for key in found}:
            missing = [key for key in keys_of(engine) if key not in found]
            if missing:
                raise ValueError(f"the table of costs lacks {' '.join(map(str, missing[0]))}; measure it again")
        return table

    @classmethod
    def load(cls, file: Path) -> Self:
        """Reads a file that ``benchmarks.encodings`` wrote. Raises ``OSError``, and ``ValueError`` that names the file."""
        try:
            return cls.from_json(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error


def varint_bytes(encoding: str) -> tuple[int, ...]:
    """The length as a varint by class of values, which determines the cost; 0 if values of the class do not fit.

    Larger values also take longer in fixed encodings, because Python caches small integers and creates all others. So the cost of
    fixed encodings depends on the packed length of the value, too; otherwise small values would seem cheaper in packed encodings.
    """
    form, width = split(encoding)
    return LENGTHS[f"packed{width}" if form == "fixed" else encoding]


def keys_of(engine: Engine) -> list[tuple[Engine, Place, str, int]]:
    """The costs of one engine."""
    return [
        (engine, place, encoding, bytes_)
        for place in PLACES
        for encoding in ENCODINGS
        for bytes_ in sorted(set(varint_bytes(encoding)) - {0})
    ]


@cache
def default_costs() -> CostTable:
    """The table that comes with the package."""
    return CostTable.from_json(files("messagegen_arrow.advisor").joinpath("costs.json").read_text(encoding="utf-8"))


def _joined(text: str) -> str:
    """JSON with the pairs of numbers, and what holds them, on one line each."""
    lines: list[str] = []
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip(" "))
        if depth > 4 and lines:
            lines[-1] += (" " if lines[-1].endswith(",") else "") + line.strip()
        elif depth == 4 and line.strip() in {"}", "},"} and lines:
            lines[-1] += line.strip()
        else:
            lines.append(line)
    return "\n".join(lines)
