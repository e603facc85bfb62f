"""Throws damaged messages at the columns, and odd columns at their encoder: ``python -m tests.native.fuzz_columns``.

Whatever is decoded is valid for Arrow in full, and encoding it again gives what decodes to the same columns; the
process must survive, and its memory must not grow.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import click

from tests.native.columns import decode_columns, encode_columns
from tests.native.fuzzing import Fuzzer, fuzzer_options
from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, subjects

_POOL = 2_000
_LONGEST = 2_000
_LIMITS = (None, None, (50, 3, 3, 200), (1 << 40, 1 << 40, 100, 1 << 20))


@click.command(help=__doc__)
@fuzzer_options("batches of messages", 20_000)
def main(fuzzer: Fuzzer) -> None:
    """Runs until all batches were decoded and encoded, or something is wrong."""
    import messagegen_native as native  # noqa: PLC0415 - the help needs no engine
    import pyarrow as pa  # noqa: PLC0415 - likewise

    random = fuzzer.random
    found = [one for folder in FOLDERS for one in subjects(native.Engine, folder)]
    pool = [(one, sample(random, one)) for one in random.choices(found, k=_POOL)]
    pool = [(one, data) for one, data in pool if len(data) <= _LONGEST]
    for _ in fuzzer.rounds():
        subject, data = random.choice(pool)
        rows = [random.choice([data, damaged(random, data), None]) for _ in range(random.randint(1, 6))]
        fuzzer.refused += decode_and_encode(pa, random, subject, rows)


def sample(random: Random, subject: Subject) -> bytes:
    """Return a message of the subject."""
    data: bytes = subject.engine.encode(subject.version, Maker(random).message(subject.table.roots[subject.version]))
    return data


def decode_and_encode(pa: Any, random: Random, subject: Subject, rows: list[bytes | None]) -> int:
    """Decode rows and encode them again, and return the number of rows that are not messages."""
    plan, version = subject.cls.CODEC.plan, subject.version
    versions = pa.array([random.choice([version, version, version, 99, None]) for _ in rows], pa.int16())
    unknown = random.random() < 0.5
    batch = decode_columns(
        plan,
        random.choice([version, versions]),
        pa.array(rows, random.choice([pa.binary(), pa.large_binary(), pa.binary_view()])),
        unknown_tagged_fields=unknown,
        uuid_as=random.choice(["binary", "string"]),
        limits=random.choice(_LIMITS),
    )
    decoded = pa.array(batch)
    decoded.validate(full=True)
    errors = decoded.field("_error")
    encoded = pa.array(encode_columns(plan, version, odd(pa, random, decoded)))
    encoded.validate(full=True)
    if len(encoded) == 0:
        return 0
    again = pa.array(decode_columns(plan, version, encoded.field("value"), unknown_tagged_fields=unknown))
    again.validate(full=True)
    if again.field("_error").null_count != len(again):
        sys.exit(f"{subject}: what was encoded is no message: {encoded.field('value').to_pylist()}")
    return len(rows) - int(errors.null_count)


def odd(pa: Any, random: Random, rows: Any) -> Any:
    """Return the rows unchanged, as a slice, or with columns from other rows."""
    kind = random.randrange(4)
    if kind == 0:
        return rows.slice(random.randrange(len(rows) + 1))
    if kind == 1:
        order = pa.array([random.randrange(len(rows)) for _ in range(random.randint(0, 4))], pa.int64())
        return rows.take(order)
    if kind == 2:
        columns = rows.flatten()
        order = pa.array(random.sample(range(len(rows)), len(rows)), pa.int64())
        mixed = [column.take(order) if random.random() < 0.5 else column for column in columns]
        return pa.StructArray.from_arrays(mixed, fields=list(rows.type))
    return rows


if __name__ == "__main__":
    main()
