"""Whatever one puts into a field: straight-line Python, the engine and the walk write the same bytes or say the same."""

from __future__ import annotations

from functools import cache, partial
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.hostile_values import hostile_values
from tests.native.random_messages import FOLDERS, Maker, Subject, subjects
from tests.support.profiles import examples

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

LONGEST_ERROR = 1200
SEEDS = st.integers(0, (1 << 64) - 1)


@cache
def all_subjects() -> list[Subject]:
    return [subject for folder in FOLDERS for subject in subjects(native.Engine, folder)]


def verdicts(subject: Subject, make: Any) -> list[object]:
    """What each of the three makes of a message of its own; what encoding does may change the message."""
    codec = subject.cls.CODEC
    found = [verdict(lambda: subject.walk.walk_encode(subject.table, make(), subject.version))]
    kept = codec.engine
    try:
        for engine in (None, subject.engine):
            codec.engine = engine
            found.append(verdict(lambda: make().encode(version=subject.version)))
    finally:
        codec.engine = kept
    return found


def verdict(encode: Any) -> object:
    try:
        return encode()
    except Exception as error:  # noqa: BLE001 - that they are the same is the question
        return type(error).__name__, str(error)


def check(subject: Subject, make: Any, what: object) -> None:
    walked, pure, engine = verdicts(subject, make)
    assert pure == walked, (subject, what)
    assert engine == walked, (subject, what)
    assert isinstance(walked, bytes) or len(str(walked)) < LONGEST_ERROR, (subject, what)


@examples(400)
@given(SEEDS, st.sampled_from([0.03, 0.15]))
def test_messages_with_wrong_values_anywhere(seed: int, wrong: float) -> None:
    subject = Random(seed).choice(all_subjects())
    layout = subject.table.roots[subject.version]
    classes = subject.cls.CODEC.classes

    def make() -> Any:
        return Maker(Random(seed), wrong, classes).message(layout)

    check(subject, make, seed)


def test_every_wrong_value_in_every_field_of_the_purpose_made_messages() -> None:
    """At their highest versions, which have most fields; nested structs are the other test's."""
    for subject in {subject.cls: subject for subject in subjects(native.Engine, FOLDERS[1])}.values():
        count = len(hostile_values(subject.cls.CODEC.classes))
        for name in (*subject.table.roots[subject.version].fields, "unknown_tagged_fields"):
            for number in range(count):
                check(subject, partial(with_hostile_value, subject.cls, name, number), (name, number))


def with_hostile_value(cls: Any, name: str, number: int) -> Any:
    message = cls()
    setattr(message, name, hostile_values(cls.CODEC.classes)[number])
    return message
