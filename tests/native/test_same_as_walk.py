"""The engine reads, writes and refuses the same data as the reference walk, under any limits."""

from __future__ import annotations

import copy
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, memory_of, same, subjects
from tests.support.profiles import examples

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

# A seed chooses message, version and values, so that Hypothesis need not record each choice: messages are large.
SEEDS = st.integers(0, (1 << 64) - 1)


@cache
def all_subjects() -> list[Subject]:
    return [subject for folder in FOLDERS for subject in subjects(native.Engine, folder)]


def sample(seed: int) -> tuple[Subject, Random, bytes]:
    """Return a message in a version, the random source, and the bytes of the message."""
    random = Random(seed)
    subject = random.choice(all_subjects())
    return subject, random, subject.engine.encode(subject.version, made(subject, random))


def made(subject: Subject, random: Random, wrong: float = 0.0) -> Any:
    return Maker(random, wrong).message(subject.table.roots[subject.version])


def small_limits(random: Random, subject: Subject, size: int) -> Any:
    """Return limits that are close to the needs of a message of ``size`` bytes."""
    return subject.runtime("errors").Limits(
        array_length=random.choice((0, 1, 2, 40, 149, 150, 1 << 40)),
        tagged_field_count=random.choice((0, 1, 2, 3, 1 << 40)),
        memory_factor=random.choice((0, 1, 11, 12, 13, 20, 32)),
        memory_constant=random.choice((0, 100, 500, 1000, 2000, 5000, 20 * size, random.randrange(8 * size + 1))),
    )


def written(subject: Subject, message: Any, *, by_walk: bool) -> bytes | None:
    """Return the bytes of a message; ``None`` if it is refused."""
    try:
        if by_walk:
            encoded: bytes = subject.walk.walk_encode(subject.table, message, subject.version)
        else:
            encoded = subject.engine.encode(subject.version, message)
    except (subject.runtime("errors").EncodeError, native.Failure):
        return None
    return encoded


def check_decoding(subject: Subject, data: bytes, offset: int, limits: Any) -> Any:
    """Check that walk, straight-line Python and engine agree; return the result, or reason, path and offset."""
    try:
        by_walk = subject.walk.walk_decode(subject.table, data, offset, subject.version, limits)
    except subject.runtime("errors").DecodeError as error:
        by_walk = error.reason, error.path, error.offset
    try:
        by_engine = subject.engine.decode(subject.version, data, offset, limits)
    except native.Failure as failure:
        by_engine = failure.args
    assert same(by_engine, by_walk), subject
    lazily = lazily_by_engine(subject, data, offset, limits)
    assert same(lazily, by_walk), subject
    straight = by_straight_line(subject, data, offset, limits)
    assert straight is None or same(straight, by_walk), subject
    return by_engine


def lazily_by_engine(subject: Subject, data: bytes, offset: int, limits: Any) -> Any:
    """Decode lazily with the engine, and create all values; return reason, path and offset if it refuses."""
    try:
        found, end = subject.engine.decode_lazily(subject.version, data, offset, limits)
    except native.Failure as failure:
        return failure.args
    return copy.deepcopy(found), end


def by_straight_line(subject: Subject, data: bytes, offset: int, limits: Any) -> Any:
    """Return the straight-line reader's result; ``None`` if it leaves the decision to the walk."""
    codec = subject.cls.CODEC
    module = subject.runtime("base")
    try:
        return module.straight_line(codec, subject.version, data, offset, limits)
    except module.DECODE_FAILURES:
        return None


def test_engine_and_walk_agree_on_every_message_and_version() -> None:
    for number, subject in enumerate(all_subjects()):
        message = made(subject, Random(number))
        data = written(subject, message, by_walk=True)
        assert data is not None, subject
        assert written(subject, message, by_walk=False) == data, subject
        found = check_decoding(subject, data, 0, subject.runtime("errors").DEFAULT_LIMITS)
        # Like Apache's classes, both codecs write arrays of structs without bytes, but can't read them.
        assert len(found) > 2 or written(subject, found[0], by_walk=False) == data, subject


@examples(400)
@given(SEEDS, st.sampled_from([0.0, 0.1]))
def test_values_are_written_or_refused_alike(seed: int, wrong: float) -> None:
    subject = Random(seed).choice(all_subjects())
    message = made(subject, Random(seed), wrong)
    assert written(subject, message, by_walk=False) == written(subject, message, by_walk=True)


@examples(500)
@given(SEEDS)
def test_damaged_bytes_are_read_or_refused_alike(seed: int) -> None:
    subject, random, data = sample(seed)
    check_decoding(subject, damaged(random, data), 0, subject.runtime("errors").DEFAULT_LIMITS)


@examples(400)
@given(SEEDS)
def test_limits_hold_alike(seed: int) -> None:
    subject, random, data = sample(seed)
    limits = small_limits(random, subject, len(data))
    check_decoding(subject, data, 0, limits)
    check_decoding(subject, b"\xff" * 3 + data + b"rest", 3, limits)
    check_decoding(subject, damaged(random, data), 0, limits)


def test_engine_and_walk_refuse_at_the_same_memory_limit() -> None:
    """The engine and the walk count the same number of bytes: if the limit is one byte lower, both refuse."""
    for number, subject in enumerate(all_subjects()):
        data = subject.engine.encode(subject.version, made(subject, Random(number)))
        cost = memory_of(subject, data)
        limits = subject.runtime("errors").Limits
        assert check_decoding(subject, data, 0, limits(memory_factor=0, memory_constant=cost))[1] == len(data)
        if cost:
            assert "memory" in check_decoding(subject, data, 0, limits(memory_factor=0, memory_constant=cost - 1))[0]
