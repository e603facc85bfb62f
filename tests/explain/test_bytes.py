"""Parts cover every byte exactly once, up to the last byte, and have the values that decoding returns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.explain import Explanation, explain
from messagegen.runtime.errors import DecodeError
from messagegen.runtime.walk import walk_decode
from tests.explain.support import check_tiles, flat, messages_of
from tests.support.profiles import examples
from tests.support.specs import OWN, PURPOSE_MADE, Subject, subjects
from tests.support.strategies import damaged, messages

SUBJECTS = subjects(PURPOSE_MADE, OWN)


def explained(subject: Subject, data: bytes) -> Explanation:
    plan = messages_of(subject.folder).plan(subject.plan.name)
    return explain(data, [(plan, subject.version)], sensitive=True)


@pytest.mark.slow
@examples(80)
@given(subject=st.sampled_from(SUBJECTS), data=st.data())
def test_parts_cover_every_byte_exactly_once(subject: Subject, data: st.DataObject) -> None:
    message = data.draw(messages(subject))
    found = explained(subject, message.encode(version=subject.version))
    assert found.problem is None
    check_tiles(found)
    ((decoded, version),) = found.messages
    assert decoded.encode(version=version) == found.data


@examples(20)
@given(subject=st.sampled_from(SUBJECTS), data=st.data())
def test_parts_of_truncated_bytes_equal_the_first_parts_of_the_whole_bytes(
    subject: Subject, data: st.DataObject
) -> None:
    encoded = data.draw(messages(subject)).encode(version=subject.version)
    whole = flat(explained(subject, encoded))
    for length in range(min(len(encoded), 150)):
        found = explained(subject, encoded[:length])
        check_tiles(found)
        assert found.problem is not None
        parts = flat(found)
        assert parts == whole[: len(parts)]


@pytest.mark.slow
@examples(80)
@given(subject=st.sampled_from(SUBJECTS), data=st.data())
def test_explain_and_the_reference_codec_report_the_same_error_for_damaged_bytes(
    subject: Subject, data: st.DataObject
) -> None:
    encoded = data.draw(damaged(data.draw(messages(subject)).encode(version=subject.version)))
    found = explained(subject, encoded)
    check_tiles(found)
    expected = refusal(subject, encoded)
    if expected is not None:
        assert found.problem is not None
        assert (found.problem.reason, found.problem.path, found.problem.offset) == expected
    else:
        assert (found.problem is None) == (flat(found)[-1][0] == found.parts[-1].name)


def refusal(subject: Subject, data: bytes) -> tuple[str, str, int] | None:
    """Return the reason, path and offset of the reference codec's error, or ``None`` if the codec accepts the bytes."""
    try:
        walk_decode(messages_of(subject.folder).plan(subject.plan.name), data, 0, subject.version)
    except DecodeError as error:
        return error.reason, error.path, error.offset
    return None
