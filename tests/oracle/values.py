"""Makes values in Kafka's JSON form for a spec and a version: boundaries and random values.

The values depend only on the arguments: the same spec, version and seed produce the same values on every machine.
"""

from __future__ import annotations

import base64
import math
import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tests.oracle.mini_reader import MiniField, MiniSpec

Mode = Literal["empty", "lowest", "highest", "mixed", "long"]
"""Everything empty, zero or null; every integer at its minimum; at its maximum; a mixture; long strings and arrays."""

_ALPHABETS: Final = (
    "abcdefghijklmnopqrstuvwxyz0123456789-_.",
    "éßñøžΩЖ",
    "日本語中文한국어€",
    "😀🚀𝒳🂡",
    '\x00\x01\n\t\x7f"\\/\u2028\ufeff',
)
_LENGTHS: Final = (0, 1, 2, 5, 13, 63, 64, 126, 127, 128, 129)
_LONG_LENGTHS: Final = (255, 256, 1000, 16382, 16383, 16384)
_LONG_ARRAYS: Final = (126, 127, 128, 129)
_FLOATS: Final = (
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1e-7,
    math.pi,
    123456789.125,
    9007199254740993.0,
    1e21,
    1e22,
    5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    math.nan,
    math.inf,
    -math.inf,
)
_UUIDS: Final = (bytes(16), bytes(15) + b"\1", b"\xff" * 16, b"\xfb\xef\xbe" * 5 + b"\xfb")
_FREE_TAGS: Final = (0, 1, 2, 5, 100, 126, 127, 128, 16383, 16384, 2**21, 2**28)
_NULL_CHANCE: Final[dict[Mode, float]] = {"empty": 1.0, "lowest": 0.0, "highest": 0.0, "mixed": 0.25, "long": 0.1}


@dataclass(frozen=True, slots=True)
class Sample:
    """One value of a message: its JSON, and its unknown tagged fields by path (as in ``Question.unknown``)."""

    version: int
    json: dict[str, Any]
    unknown: dict[str, list[tuple[int, str]]]


@dataclass(slots=True)
class _Maker:
    """Makes one value; ``budget`` is the approximate number of bytes that it may still take."""

    spec: MiniSpec
    version: int
    random: random.Random
    mode: Mode
    budget: int
    places: list[tuple[str, int]] = field(default_factory=list)

    def sample(self) -> Sample:
        json = self.struct(self.spec.fields, "")
        wanted = self.random.choice((0, 0, 1, 2)) if self.mode == "mixed" and self.version in self.spec.flexible else 0
        chosen = self.random.sample(self.places, min(wanted, len(self.places)))
        return Sample(self.version, json, {path: self.free_tags(lowest) for path, lowest in sorted(chosen)})

    def free_tags(self, lowest: int) -> list[tuple[int, str]]:
        tags = {lowest + self.random.choice(_FREE_TAGS) for _ in range(self.random.choice((1, 1, 2, 3)))}
        return [(tag, self.random.randbytes(self.random.choice((0, 1, 3, 16))).hex()) for tag in sorted(tags)]

    def struct(self, fields: Sequence[MiniField], path: str) -> dict[str, Any]:
        tags = [one.tag for one in fields if one.tag is not None]
        self.places.append((path, max(tags, default=-1) + 1))
        found: dict[str, Any] = {}
        for one in fields:
            if self.version not in one.versions or self.leaves_out(one):
                continue
            if self.mode == "mixed" and self.random.random() < 0.1 and not one.is_struct and one.base(0) != "records":
                # Null can be the default only if every version of the field is nullable, so it is valid here, too.
                found[one.name] = one.default_json(self.version)
            else:
                found[one.name] = self.value(one, f"{path}.{one.name}" if path else one.name)
        return found

    def leaves_out(self, one: MiniField) -> bool:
        if self.version not in one.tagged:
            return False
        return self.mode == "empty" or (self.mode in ("mixed", "long") and self.random.random() < 0.3)

    def value(self, one: MiniField, path: str) -> Any:
        if self.version in one.nullable and self.random.random() < _NULL_CHANCE[self.mode]:
            return None
        if one.array:
            return [self.element(one, f"{path}[{index}]") for index in range(self.array_length(one, path))]
        return self.element(one, path)

    def element(self, one: MiniField, path: str) -> Any:
        self.budget -= 8
        if one.is_struct:
            return self.struct(self.spec.struct_fields(one), path)
        limits = one.integer_limits(self.version)
        return self.scalar(one.base(self.version)) if limits is None else self.integer(*limits)

    def array_length(self, one: MiniField, path: str) -> int:
        if self.mode == "empty":
            return 0
        if self.budget <= 0:
            return self.random.choice((0, 0, 1))
        if self.mode == "long" and not one.is_struct:
            return self.random.choice(_LONG_ARRAYS)
        if self.mode in ("lowest", "highest"):
            return 1
        return self.random.choice((0, 1, 2, 3) if "[" in path else (1, 1, 2, 4))

    def integer(self, lowest: int, highest: int) -> int:
        if self.mode in ("lowest", "highest"):
            return lowest if self.mode == "lowest" else highest
        if self.mode == "empty":
            return 0
        edges = {
            0,
            1,
            63,
            64,
            127,
            128,
            lowest,
            lowest + 1,
            highest - 1,
            highest,
            -1,
            -64,
            -65,
            2**31,
            -(2**31) - 1,
            2**53 + 1,
        }
        if self.random.random() < 0.5:
            return self.random.choice(sorted(edge for edge in edges if lowest <= edge <= highest))
        # Draw the number of bits first: nearly all uniform numbers would have the maximum length.
        bits = self.random.randrange(1, (highest - lowest).bit_length() + 1)
        return max(lowest, min(highest, self.random.getrandbits(bits) + self.random.choice((0, lowest))))

    def scalar(self, base: str) -> Any:
        plain = self.mode == "empty"
        match base:
            case "bool":
                return False if plain else self.mode == "highest" or self.random.random() < 0.5
            case "float64":
                return 0.0 if plain else self.double()
            case "uuid":
                return _uuid(_UUIDS[0] if plain else self.random.choice((*_UUIDS, self.random.randbytes(16))))
            case "string":
                return self.text(self.length())
            case "bytes" | "records":
                return base64.b64encode(self.binary(self.length())).decode()
        raise ValueError(f"no values for type {base}")

    def double(self) -> float:
        if self.random.random() < 0.7:
            return self.random.choice(_FLOATS)
        (number,) = struct.unpack(">d", self.random.randbytes(8))
        return float(number) if math.isfinite(number) else 1.25

    def length(self) -> int:
        if self.mode == "empty":
            return 0
        if self.budget < 300:
            length = self.random.choice((0, 1, 2))
        elif self.mode == "long":
            length = self.random.choice(_LONG_LENGTHS)
        else:
            length = self.random.choice(_LENGTHS) if self.random.random() < 0.3 else self.random.randrange(1, 20)
        self.budget -= length
        return length

    def text(self, size: int) -> str:
        """Return a string of ``size`` bytes in UTF-8, so that a length in characters would be wrong."""
        alphabet = self.random.choice((_ALPHABETS[0], *_ALPHABETS, "".join(_ALPHABETS)))
        if size > max(_LENGTHS):
            alphabet = self.random.choice("xé語😀")
        text, left = [], size
        while left:
            character = self.random.choice(alphabet)
            if len(character.encode()) > left:
                character = "z"
            text.append(character)
            left -= len(character.encode())
        return "".join(text)

    def binary(self, size: int) -> bytes:
        return self.random.randbytes(size) if size <= max(_LENGTHS) else bytes([self.random.randrange(256)]) * size


def sample(spec: MiniSpec, version: int, mode: Mode, *, seed: str = "", budget: int = 4000) -> Sample:
    """Return one value of ``spec`` in ``version``; ``budget`` is the approximate maximum of its size in bytes."""
    source = random.Random(f"{seed}/{spec.name}/{version}/{mode}")
    return _Maker(spec, version, source, mode, budget).sample()


def samples(spec: MiniSpec, version: int, *, seed: str = "", mixed: int = 3, budget: int = 4000) -> Iterator[Sample]:
    """Yield the boundary values of ``spec`` in ``version``, then ``mixed`` random values."""
    for mode in ("empty", "lowest", "highest", "long"):
        yield sample(spec, version, mode, seed=seed, budget=budget)
    for index in range(mixed):
        yield sample(spec, version, "mixed", seed=f"{seed}/{index}", budget=budget)


def _uuid(binary: bytes) -> str:
    return base64.urlsafe_b64encode(binary).decode().rstrip("=")
