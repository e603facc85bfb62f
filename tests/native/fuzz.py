"""Throws damaged messages at the native engine: ``python -m tests.native.fuzz --most 1000000``.

Every answer is held against the reference walk for one message in ``--compare-every``; the process must survive, and its
memory must not grow.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import click

from tests.native.fuzzing import Fuzzer, fuzzer_options
from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, same, subjects

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
        answer = read(subject, hurt, native.Failure)
        fuzzer.refused += answer is None
        if number % compare_every == 0 and not same(answer, walked(subject, hurt)):
            sys.exit(f"{subject} differs from the walk for {hurt.hex()}")


def sample(subject: Subject, random: Random) -> tuple[Subject, bytes]:
    """A message of the subject as bytes."""
    message = Maker(random).message(subject.table.roots[subject.version])
    return subject, subject.engine.encode(subject.version, message)


def read(subject: Subject, data: bytes, failure: type[Exception]) -> object:
    """What the engine reads, written once more; ``None`` where it refuses."""
    try:
        answer = subject.engine.decode(subject.version, data, 0, data)
    except failure:
        return None
    # Tags may be read twice but not written.
    with suppress(failure):
        subject.engine.encode(subject.version, answer[0])
    return answer


def walked(subject: Subject, data: bytes) -> object:
    """What the reference walk reads; ``None`` where it refuses."""
    try:
        answer: object = subject.walk.walk_decode(subject.table, data, 0, subject.version)
    except subject.walk.DecodeError:
        return None
    return answer


if __name__ == "__main__":
    main()
