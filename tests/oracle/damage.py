"""Makes damaged input from a seed: bytes that no encoder writes, and JSON that a version can't represent."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tests.oracle.mini_reader import MiniField, MiniSpec
from tests.oracle.values import Sample

_HUGE_LENGTHS: Final = tuple(
    bytes.fromhex(length)
    for length in ("7fffffff", "80000000", "ffffffff", "7fff", "ffffffff07", "ffffffff0f", "8080808010", "ff" * 11)
)
_ODD_VALUES: Final[tuple[Any, ...]] = (True, 7, 1.5, "text", [1], {})
_ODD_BYTES: Final = (0x00, 0x01, 0x02, 0x7F, 0x80, 0xFE, 0xFF)


def mutate(encoded: str, *, seed: str = "", count: int = 4) -> Iterator[tuple[str, str]]:
    """Yield pairs of (description of the damage, damaged bytes in hex) for a message's bytes in hex."""
    source, whole = random.Random(f"{seed}/{encoded}"), bytes.fromhex(encoded)
    kinds = ["truncated", "flipped", "extended", "huge length"] if whole else ["extended"]
    for index in range(count):
        kind = kinds[index % len(kinds)]
        yield kind, _DAMAGE[kind](source, whole).hex()


def _truncated(source: random.Random, whole: bytes) -> bytes:
    return whole[: source.randrange(len(whole))]


def _flipped(source: random.Random, whole: bytes) -> bytes:
    damaged, place = bytearray(whole), source.randrange(len(whole))
    others = (*_ODD_BYTES, damaged[place] ^ (1 << source.randrange(8)))
    damaged[place] = source.choice([byte for byte in others if byte != damaged[place]])
    return bytes(damaged)


def _extended(source: random.Random, whole: bytes) -> bytes:
    return whole + source.randbytes(source.randint(1, 5))


def _huge_length(source: random.Random, whole: bytes) -> bytes:
    place = source.randrange(len(whole))
    length = source.choice(_HUGE_LENGTHS)
    # Overwriting keeps later bytes in place; inserting shifts them.
    return whole[:place] + length + whole[place + source.choice((0, len(length))) :]


_DAMAGE: Final[dict[str, Callable[[random.Random, bytes], bytes]]] = {
    "truncated": _truncated,
    "flipped": _flipped,
    "extended": _extended,
    "huge length": _huge_length,
}


@dataclass(frozen=True, slots=True)
class _Place:
    """A field of one struct in a message's JSON, and the struct's JSON object."""

    field: MiniField
    holder: dict[str, Any]


def spoil(spec: MiniSpec, good: Sample, *, seed: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield pairs of (description of the mistake, JSON) for a valid value, one for each kind of mistake."""
    for what, change in _SPOILERS.items():
        source = random.Random(f"{seed}/{spec.name}/{good.version}/{what}")
        json = copy.deepcopy(good.json)
        places = list(_places(spec, spec.fields, json))
        source.shuffle(places)
        if any(change(spec, place, good.version, source) for place in places):
            yield what, json


def _places(spec: MiniSpec, fields: tuple[MiniField, ...], json: dict[str, Any]) -> Iterator[_Place]:
    for one in fields:
        yield _Place(one, json)
        if one.is_struct and json.get(one.name) is not None:
            held = json[one.name]
            for element in held if one.array else [held]:
                yield from _places(spec, spec.struct_fields(one), element)


def _leave_out(spec: MiniSpec, place: _Place, version: int, source: random.Random) -> bool:
    if version not in place.field.versions or version in place.field.tagged:
        return False
    del place.holder[place.field.name]
    return True


def _null(spec: MiniSpec, place: _Place, version: int, source: random.Random) -> bool:
    if place.field.name not in place.holder or version in place.field.nullable:
        return False
    place.holder[place.field.name] = None
    return True


def _other_type(spec: MiniSpec, place: _Place, version: int, source: random.Random) -> bool:
    if place.field.name not in place.holder:
        return False
    present = type(place.holder[place.field.name])
    others = [value for value in _ODD_VALUES if type(value) is not present]
    place.holder[place.field.name] = source.choice(others)
    return True


def _out_of_range(spec: MiniSpec, place: _Place, version: int, source: random.Random) -> bool:
    limits = place.field.integer_limits(version)
    if limits is None or place.field.array or place.field.name not in place.holder:
        return False
    lowest, highest = limits
    # Java accepts 128 to 256 as an int8.
    place.holder[place.field.name] = source.choice((lowest - 1, highest + (200 if highest == 127 else 1)))
    return True


def _too_long(spec: MiniSpec, place: _Place, version: int, source: random.Random) -> bool:
    if place.field.array or place.field.base(version) != "string" or place.field.name not in place.holder:
        return False
    place.holder[place.field.name] = source.choice(("x" * 32768, "é" * 16384))
    return True


def _version_lacks(ignorable: bool) -> Callable[[MiniSpec, _Place, int, random.Random], bool]:
    def change(spec: MiniSpec, place: _Place, version: int, source: random.Random) -> bool:
        one = place.field
        if version in one.versions or one.ignorable is not ignorable or not one.versions:
            return False
        if one.array or one.is_struct or not one.types[0][1].startswith("int"):
            return False
        place.holder[one.name] = 1 if one.default_json(version) != 1 else 2
        return True

    return change


_SPOILERS: Final[dict[str, Callable[[MiniSpec, _Place, int, random.Random], bool]]] = {
    "field left out": _leave_out,
    "null in a field that is not nullable": _null,
    "value of another type": _other_type,
    "integer out of range": _out_of_range,
    "string too long": _too_long,
    "value in a version without the field": _version_lacks(ignorable=False),
    "value in a version without the ignorable field": _version_lacks(ignorable=True),
}
