"""Throws damaged log segments at the reader of logs: ``python -m tests.native.fuzz_records --most 100000``.

Each is read with and without checksums, in pieces and at once; both must agree, the process must survive, and its
memory must not grow.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import click

from tests.native.fuzzing import Fuzzer, fuzzer_options
from tests.native.random_messages import damaged
from tests.native.record_batches import CODECS, HEADER_SIZE, Batch, Record, in_order, log
from tests.native.record_logs import read

_POOL = 500
_MOST_BYTES = 1 << 20


@click.command(help=__doc__)
@fuzzer_options("logs", 20_000)
def main(fuzzer: Fuzzer) -> None:
    """Runs until all logs were read or something is wrong."""
    random = fuzzer.random
    pool = [sample(random) for _ in range(_POOL)]
    for _ in fuzzer.rounds():
        data = hurt(random, random.choice(pool))
        options: dict[str, Any] = {"verifyChecksum": random.choice(["true", "false"]), "maxBatchBytes": _MOST_BYTES}
        whole = read(data, **options)
        if read(data, maxRecordsPerBatch=random.randint(1, 5), **options) != whole:
            sys.exit(f"the pieces differ from the whole with {options} for {data.hex()}")
        fuzzer.refused += sum(row["_error"] is not None for row in whole)


def sample(random: Random) -> bytes:
    """Return a log of a few small batches."""
    return log(in_order([batch(random) for _ in range(random.randint(1, 4))]))[0]


def batch(random: Random) -> Batch:
    """Return a batch with a random codec."""
    records = tuple(
        Record(delta, random.randrange(-(1 << 20), 1 << 20), blob(random), blob(random), headers(random))
        for delta in range(random.randint(0, 6))
    )
    return Batch(records, codec=random.choice(CODECS), snappy_block=random.choice([0, 16]))


def headers(random: Random) -> tuple[tuple[bytes, bytes | None], ...]:
    """Return a few headers, or none."""
    return tuple((b"key", blob(random)) for _ in range(random.choice([0, 0, 1, 3])))


def blob(random: Random) -> bytes | None:
    """Return ``None``, or bytes that compress somewhat."""
    return random.choice([None, random.randbytes(random.randrange(20)) * random.randint(1, 4)])


def hurt(random: Random, data: bytes) -> bytes:
    """Damage bytes anywhere, or after the header of the first batch, to test decompressors and records."""
    if len(data) > HEADER_SIZE and random.random() < 0.5:
        return data[:HEADER_SIZE] + damaged(random, data[HEADER_SIZE:])
    return damaged(random, data)


if __name__ == "__main__":
    main()
