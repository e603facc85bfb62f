"""Properties that hold for every message, in every version and with every value."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from tests.support.agreement import check_damaged, check_decoding, check_encoding, check_json, runtime
from tests.oracle.jars import SPEC_ARTIFACTS
from tests.support.specs import OWN, PURPOSE_MADE, Subject, package, plans, subjects
from tests.support.strategies import damaged, messages

SUBJECTS = subjects(OWN, PURPOSE_MADE)
MEGABYTE = 1 << 20


def _is_between(subject: Subject) -> bool:
    """Whether the message has older and newer versions. It seldom fails alone, so ``make test`` leaves it out."""
    versions = subject.plan.valid_versions
    return versions.lowest < subject.version < versions.highest


every_subject = pytest.mark.parametrize(
    "subject",
    [pytest.param(each, id=str(each), marks=[pytest.mark.slow] if _is_between(each) else []) for each in SUBJECTS],
)


@every_subject
@given(data=st.data())
def test_all_codecs_agree_and_lose_nothing(subject: Subject, data: st.DataObject) -> None:
    message = data.draw(messages(subject))
    check_decoding(subject, check_encoding(subject, message), message)


@every_subject
@given(data=st.data())
def test_all_codecs_write_the_same_bytes_for_equivalent_types(subject: Subject, data: st.DataObject) -> None:
    encoded = check_encoding(subject, data.draw(messages(subject, stand_ins=True)))
    check_decoding(subject, encoded, subject.cls.decode(encoded, version=subject.version))
    assert subject.cls.decode(encoded, version=subject.version).encode(version=subject.version) == encoded


@every_subject
@settings(max_examples=max(1, settings().max_examples // 4))
@given(data=st.data())
def test_json_loses_nothing(subject: Subject, data: st.DataObject) -> None:
    check_json(subject, data.draw(messages(subject, unknown_tags=False)))


@every_subject
@given(data=st.data())
def test_damaged_bytes_are_decoded_by_all_codecs_or_by_none(subject: Subject, data: st.DataObject) -> None:
    encoded = data.draw(messages(subject)).encode(version=subject.version)
    check_damaged(subject, data.draw(damaged(encoded)))


@every_subject
@settings(max_examples=max(2, settings().max_examples // 4))
@given(data=st.data())
def test_messages_that_are_cut_anywhere_are_refused(subject: Subject, data: st.DataObject) -> None:
    encoded = data.draw(messages(subject)).encode(version=subject.version)
    for length in range(min(len(encoded), 100)):
        check_damaged(subject, encoded[:length])
        with pytest.raises(ValueError, match=f"{subject.plan.name} version"):
            subject.cls.decode(encoded[:length], version=subject.version)


def peak_of(work: Callable[[], object]) -> int:
    """Return the peak memory of ``work`` in bytes, above the memory that was in use before."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def attempt(subject: Subject, data: bytes) -> None:
    """Decode ``data``, and ignore a ``DecodeError``."""
    with suppress(runtime(subject.cls, "errors").DecodeError):
        subject.cls.decode(data, version=subject.version)


@every_subject
def test_lengths_beyond_the_buffer_take_little_memory(subject: Subject) -> None:
    frames = [
        bytes(zeros) + claim * 3
        for zeros in range(10)
        for claim in (b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff\x0f", b"\xff")
    ]
    attempt(subject, frames[0])

    def attempt_all() -> None:
        for frame in frames:
            attempt(subject, frame)

    assert peak_of(attempt_all) < MEGABYTE


@pytest.mark.parametrize(
    "subject", [one for one in SUBJECTS if one.plan.name in {"MetadataResponse", "Tagged", "Encodings"}], ids=str
)
@given(data=st.data())
def test_memory_is_bounded_by_the_length_of_the_input(subject: Subject, data: st.DataObject) -> None:
    encoded = data.draw(messages(subject)).encode(version=subject.version)
    tampered = data.draw(damaged(encoded))
    assert peak_of(lambda: attempt(subject, tampered)) < 200_000 + 1000 * len(tampered)


@pytest.mark.slow
@pytest.mark.java
@pytest.mark.random
@pytest.mark.parametrize("artifact", SPEC_ARTIFACTS)
def test_codecs_of_all_official_specs_agree_and_lose_nothing(artifact: str, official: Path) -> None:
    found = plans(official / artifact).values()
    checked = [Subject(official, plan, version) for plan in found for version in plan.valid_versions]
    assert checked
    for subject in checked:
        _check_whole(subject)


def _check_whole(subject: Subject) -> None:
    @settings(max_examples=max(1, settings().max_examples // 4))
    @given(data=st.data())
    def check(data: st.DataObject) -> None:
        note(str(subject))
        message = data.draw(messages(subject))
        encoded = check_encoding(subject, message)
        check_decoding(subject, encoded, message)
        check_encoding(subject, data.draw(messages(subject, stand_ins=True)))
        check_json(subject, data.draw(messages(subject, unknown_tags=False)))
        check_damaged(subject, data.draw(damaged(encoded)))

    check()
