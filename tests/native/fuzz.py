"""Throws damaged messages at the native engine: ``python -m tests.native.fuzz --most 1000000``.

Every answer is held against the reference walk for one message in ``--compare-every``; the process must survive, and
its memory must not grow.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import click

from tests.native.fuzzing import Fuzzer, fuzzer_options
from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, same, subjects, touch

_POOL = 4_000
_LONGEST = 4_000


@click.command(help=__doc__)
@fuzzer_options("messages", 100_000)
@click.option(
    "--compare-every", default=10, show_default=True, help="How many messages for one that the walk reads too."
)
@click.option(
    "--specs", multiple=True, type=click.Path(path_type=Path, exists=True), help="Folders of specs; repeatable."
)
def main(fuzzer: Fuzzer, compare_every: int, specs: tuple[Path, ...]) -> None:
    """Runs until all messages were read or something is wrong."""
    import messagegen_native as native  # noqa: PLC0415 - the help needs no engine

    random = fuzzer.random
    found = [one for folder in specs or FOLDERS for one in subjects(native.Engine, folder)]
    pool = [sample(random.choice(found), random) for _ in range(_POOL)]
    pool = [(subject, data) for subject, data in pool if len(data) <= _LONGEST]
    for number in fuzzer.rounds():
        subject, data = random.choice(pool)
        hurt = damaged(random, data)
        limits = random.choice((None, random_limits(random, subject, len(hurt))))
        answer = read(subject, hurt, limits, native.Failure)
        fuzzer.refused += answer is None
        lazily = read_lazily(random, subject, hurt, limits, native.Failure)
        if not same(answer, lazily):
            sys.exit(f"{subject} differs when it is decoded lazily with {limits} for {hurt.hex()}")
        if number % compare_every == 0 and not same(answer, walked(subject, hurt, limits)):
            sys.exit(f"{subject} differs from the walk with {limits} for {hurt.hex()}")


def sample(subject: Subject, random: Random) -> tuple[Subject, bytes]:
    """Return a message of the subject as bytes."""
    message = Maker(random).message(subject.table.roots[subject.version])
    return subject, subject.engine.encode(subject.version, message)


def random_limits(random: Random, subject: Subject, size: int) -> Any:
    """Return limits that are close to the needs of a message of ``size`` bytes."""
    return subject.runtime("errors").Limits(
        array_length=random.choice((0, 1, 2, 149, 150, 1 << 40)),
        tagged_field_count=random.choice((0, 1, 2, 1 << 40)),
        memory_factor=random.choice((0, 1, 11, 12, 13, 20, 32)),
        memory_constant=random.randrange(8 * size + 1000),
    )


def read(subject: Subject, data: bytes, limits: Any, failure: type[Exception]) -> object:
    """Decode with the engine within limits, encode the message again, and return it; ``None`` if the bytes are refused.

    Without limits, the default limits apply.
    """
    try:
        answer = subject.engine.decode(subject.version, data, 0, limits)
    except failure:
        return None
    # A decoded message can always be encoded.
    subject.engine.encode(subject.version, answer[0])
    return answer


def read_lazily(random: Random, subject: Subject, data: bytes, limits: Any, failure: type[Exception]) -> object:
    """Decode lazily, read some values, and encode the message again; ``None`` if the engine refuses the bytes."""
    try:
        answer: Any = subject.engine.decode_lazily(subject.version, data, 0, limits)
    except failure:
        return None
    touch(random, answer[0])
    with suppress(failure):
        subject.engine.encode(random.choice(subject.cls.VALID_VERSIONS), answer[0])
    touch(random, answer[0])
    with suppress(failure):
        subject.engine.encode(subject.version, answer[0])
    return answer


def walked(subject: Subject, data: bytes, limits: Any) -> object:
    """Decode with the reference walk within limits; ``None`` if the walk refuses the bytes."""
    given = () if limits is None else (limits,)
    try:
        answer: object = subject.walk.walk_decode(subject.table, data, 0, subject.version, *given)
    except subject.runtime("errors").DecodeError:
        return None
    return answer


if __name__ == "__main__":
    main()
