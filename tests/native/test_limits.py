"""Straight-line Python, the engine and the walk accept and refuse the same under any limits, and say the same."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, same, subjects
from tests.support.profiles import examples

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

SEEDS = st.integers(0, (1 << 64) - 1)


@cache
def all_subjects() -> list[Subject]:
    return [subject for folder in FOLDERS for subject in subjects(native.Engine, folder)]


def limits_of(subject: Subject) -> Any:
    """The runtime module of a subject's package."""
    return import_module(f"{subject.walk.__name__.rpartition('.')[0]}.limits")


def small_limits(random: Random, subject: Subject, size: int) -> Any:
    """Limits near what a message of so many bytes needs."""
    return limits_of(subject).Limits(
        array_length=random.choice((0, 1, 2, 40, 149, 150, 1 << 40)),
        tagged_field_count=random.choice((0, 1, 2, 3, 1 << 40)),
        memory_factor=random.choice((0, 1, 5, 9, 10, 11, 20)),
        memory_constant=random.choice((0, 100, 500, 1000, 2000, 5000, 20 * size, random.randrange(8 * size + 1))),
    )


def by_walk(subject: Subject, data: bytes, offset: int, limits: Any) -> Any:
    try:
        return subject.walk.walk_decode(subject.table, data, offset, subject.version, None, limits)
    except subject.walk.DecodeError as error:
        return error.reason, error.path, error.offset


def by_engine(subject: Subject, data: bytes, offset: int, limits: Any) -> Any:
    try:
        return subject.engine.decode(subject.version, data, offset, data, limits.packed)
    except native.Failure as failure:
        return failure.args


def by_straight_line(subject: Subject, data: bytes, offset: int, limits: Any) -> Any:
    """What the straight-line reader gives; ``None`` where it leaves the verdict to the walk."""
    codec = subject.cls.CODEC
    module = import_module(f"{subject.walk.__name__.rpartition('.')[0]}.base")
    engine, codec.engine = codec.engine, None
    try:
        return codec.read(subject.version, data, offset, data, limits)
    except module.DECODE_FAILURES:
        return None
    finally:
        codec.engine = engine


def check(subject: Subject, data: bytes, offset: int, limits: Any) -> None:
    walked = by_walk(subject, data, offset, limits)
    assert same(by_engine(subject, data, offset, limits), walked), subject
    straight = by_straight_line(subject, data, offset, limits)
    assert straight is None or same(straight, walked), subject


@examples(400)
@given(SEEDS)
def test_messages_under_small_limits(seed: int) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    data = subject.engine.encode(subject.version, Maker(random).message(subject.table.roots[subject.version]))
    limits = small_limits(random, subject, len(data))
    check(subject, data, 0, limits)
    check(subject, b"\xff" * 3 + data + b"rest", 3, limits)


@examples(400)
@given(SEEDS)
def test_damaged_messages_under_small_limits(seed: int) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    data = subject.engine.encode(subject.version, Maker(random).message(subject.table.roots[subject.version]))
    limits = small_limits(random, subject, len(data))
    check(subject, damaged(random, data), 0, limits)


@examples(400)
@given(SEEDS)
def test_damaged_messages_under_the_default_limits(seed: int) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    data = subject.engine.encode(subject.version, Maker(random).message(subject.table.roots[subject.version]))
    check(subject, damaged(random, data), 0, limits_of(subject).DEFAULT_LIMITS)


def test_the_last_byte_of_memory_decides_alike() -> None:
    """The engine and the walk count the same number of bytes: with one less both refuse."""
    for number, subject in enumerate(all_subjects()):
        random = Random(number)
        data = subject.engine.encode(subject.version, Maker(random).message(subject.table.roots[subject.version]))
        cost = subject.walk.walk_cost(subject.table, data, subject.version)
        enough = limits_of(subject).Limits(memory_factor=0, memory_constant=cost)
        check(subject, data, 0, enough)
        assert by_engine(subject, data, 0, enough)[1] == len(data)
        one_less = limits_of(subject).Limits(memory_factor=0, memory_constant=cost - 1)
        check(subject, data, 0, one_less)
        assert "memory" in by_engine(subject, data, 0, one_less)[0]
