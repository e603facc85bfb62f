from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, same, subjects
from tests.support.profiles import examples

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

# A seed chooses message, version and values: what it makes is large, and Hypothesis need not remember each choice.
SEEDS = st.integers(0, (1 << 64) - 1)


@cache
def all_subjects() -> list[Subject]:
    return [subject for folder in FOLDERS for subject in subjects(native.Engine, folder)]


def subject_and_random(seed: int) -> tuple[Subject, Random]:
    random = Random(seed)
    return random.choice(all_subjects()), random


def walked(subject: Subject, message: Any) -> bytes | None:
    try:
        encoded: bytes = subject.walk.walk_encode(subject.table, message, subject.version)
    except subject.walk.EncodeError:
        return None
    return encoded


def encoded(subject: Subject, message: Any) -> bytes | None:
    try:
        data: bytes = subject.engine.encode(subject.version, message)
    except native.Failure:
        return None
    return data


def both_decoded(subject: Subject, data: bytes, offset: int = 0) -> tuple[Any, Any]:
    try:
        by_walk = subject.walk.walk_decode(subject.table, data, offset, subject.version)
    except subject.walk.DecodeError:
        by_walk = None
    try:
        by_engine = subject.engine.decode(subject.version, data, offset, data)
    except native.Failure:
        by_engine = None
    return by_walk, by_engine


def test_every_message_and_version_encodes_and_decodes_as_the_walk_does() -> None:
    for number, subject in enumerate(all_subjects()):
        message = Maker(Random(number)).message(subject.table.roots[subject.version])
        data = walked(subject, message)
        assert data is not None, subject
        assert encoded(subject, message) == data, subject
        by_walk, by_engine = both_decoded(subject, data)
        assert same(by_walk, by_engine), subject
        # Like Apache's classes, neither reads arrays of structs without bytes, which both write.
        assert by_engine is None or encoded(subject, by_engine[0]) == data, subject


@examples(300)
@given(SEEDS)
def test_what_is_written_is_what_the_walk_writes(seed: int) -> None:
    subject, random = subject_and_random(seed)
    message = Maker(random).message(subject.table.roots[subject.version])
    assert encoded(subject, message) == walked(subject, message)


@examples(300)
@given(SEEDS)
def test_odd_values_are_written_or_refused_as_by_the_walk(seed: int) -> None:
    subject, random = subject_and_random(seed)
    message = Maker(random, wrong=0.1).message(subject.table.roots[subject.version])
    assert encoded(subject, message) == walked(subject, message)


@examples(500)
@given(SEEDS)
def test_damaged_bytes_are_read_or_refused_as_by_the_walk(seed: int) -> None:
    subject, random = subject_and_random(seed)
    message = Maker(random).message(subject.table.roots[subject.version])
    data = subject.engine.encode(subject.version, message)
    by_walk, by_engine = both_decoded(subject, damaged(random, data))
    assert same(by_walk, by_engine)


@examples(100)
@given(SEEDS)
def test_a_message_is_read_from_the_middle_of_a_buffer(seed: int) -> None:
    subject, random = subject_and_random(seed)
    message = Maker(random).message(subject.table.roots[subject.version])
    data = subject.engine.encode(subject.version, message)
    by_walk, by_engine = both_decoded(subject, b"\xff" * 3 + data + b"the rest", 3)
    assert by_engine[1] == 3 + len(data)
    assert same(by_walk, by_engine)
