"""Throws damaged keys and values at the grouping of records: ``python -m tests.native.fuzz_prefixes --most 100000``.

What the engine finds must be what Python finds; the process must survive, and its memory must not grow.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import click
import numpy as np
import pyarrow as pa

from tests.arrow.support.reference.prefixes import Prefixes, read_prefixes
from tests.native.fuzzing import Fuzzer, fuzzer_options
from tests.native.random_messages import damaged

_FRAMINGS: Any = ("coordinator", "control", "metadata", "remote-log-metadata")
_TYPES = (pa.binary(), pa.large_binary(), pa.binary_view())
_MOST_ROWS = 40


@click.command(help=__doc__)
@fuzzer_options("batches of records", 20_000)
def main(fuzzer: Fuzzer) -> None:
    """Runs until all batches were grouped or something is wrong."""
    import messagegen_native as native  # noqa: PLC0415 - the help needs no engine

    random = fuzzer.random
    for _ in fuzzer.rounds():
        framing = random.choice(_FRAMINGS)
        count = random.randrange(_MOST_ROWS)
        keys, values = [[part(random) for _ in range(count)] for _ in range(2)]
        expected = read_prefixes(framing, pa.array(keys, pa.binary()), pa.array(values, pa.binary()))
        groups, batch = native.record_groups(framing, column(random, keys), column(random, values))
        number = pa.array(batch)
        number.validate(full=True)
        found = [groups[each] for each in number.field(0).to_pylist()]
        if found != rows_of(expected) or len(set(groups)) != len(groups):
            sys.exit(f"{framing}: {found} in place of {rows_of(expected)} for {keys} and {values}")
        fuzzer.refused += sum(problem != 0 for problem, *_ in found)


def part(random: Random) -> bytes | None:
    """A key or value: null, as brokers write it, or damaged."""
    kind = random.randrange(8)
    if kind == 0:
        return None
    numbers = [random.choice([0, 1, 2, 3, 127, 128, 300, 65_535, 65_536, 1 << 31, 1 << 34]) for _ in range(3)]
    data = b"".join(random.choice([varint, int16])(number) for number in numbers) + random.randbytes(
        random.randrange(4)
    )
    return damaged(random, data) if kind < 4 else data


def varint(number: int) -> bytes:
    """An unsigned varint, also one that is too long."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def int16(number: int) -> bytes:
    """The low 16 bits."""
    return (number & 0xFFFF).to_bytes(2, "big")


def column(random: Random, rows: list[bytes | None]) -> Any:
    """The rows as a part of an Arrow array of some type of bytes."""
    before, after = [[part(random) for _ in range(random.randrange(3))] for _ in range(2)]
    return pa.array([*before, *rows, *after], random.choice(_TYPES)).slice(len(before), len(rows))


def rows_of(found: Prefixes) -> list[tuple[int, ...]]:
    """What the engine says of each row."""
    known = found.problem == 0
    parts = (found.key_version, found.number, found.version, found.skip)
    return list(zip(found.problem.tolist(), *(np.where(known, each, 0).tolist() for each in parts), strict=True))


if __name__ == "__main__":
    main()
