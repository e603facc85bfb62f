"""``to_json`` accepts the values that ``encode`` accepts, and refuses all others with the same error."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.random_messages import FOLDERS, Maker, Subject, subjects
from tests.support.profiles import examples
from tests.support.specs import field, made

pytestmark = pytest.mark.usefixtures("codecs")

DIGITS_400 = 10**400
EVERY_SECOND = memoryview(b"abcdef")[::2]
SQUARE = memoryview(b"abcd").cast("B", (2, 2))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("type_", "value", "expected"),
    [
        ("float64", DIGITS_400, None),
        ("float64", 3, 3.0),
        ("int32", DIGITS_400, None),
        ("int32", 1 << 31, None),
        ("int32", True, 1),
        ("int32", 1.5, None),
        ("bool", 1, None),
        ("bytes", EVERY_SECOND, "YWNl"),
        ("bytes", SQUARE, "YWJjZA=="),
        ("bytes", memoryview(b"abcdefgh").cast("q"), "YWJjZGVmZ2g="),
        ("bytes", bytearray(b"a"), "YQ=="),
        ("bytes", "text", None),
        ("string", "\ud800", None),
        ("string", "x" * 32768, None),
        ("string", b"x", None),
        ("uuid", "00000000-0000-0000-0000-000000000000", None),
        ("[]int8", [1, True], [1, 1]),
        ("[]int8", range(2), None),
        ("[]int8", (1, 200), None),
        ("varint32", 1 << 31, None),
        ("varint32", True, 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_to_json_and_encode_take_the_same_values(type_: str, value: Any, expected: object) -> None:
    message = made(field("A", type_))(a=value)
    if expected is not None:
        assert repr(message.to_json(version=0)) == repr({"a": expected})
        assert message.encode(version=0)
        return
    errors = []
    for write in (message.encode, message.to_json):
        with pytest.raises(ValueError, match="a") as caught:
            write(version=0)
        assert type(caught.value).__name__ == "EncodeError"
        errors.append(str(caught.value))
    assert len(set(errors)) == 1


@cache
def all_subjects() -> list[Subject]:
    return [subject for folder in FOLDERS for subject in subjects(lambda *_: None, folder)]


def written(write: Any) -> Any:
    """Return the result of ``write``, or the text of its ``EncodeError``."""
    try:
        return write()
    except ValueError as error:
        return f"{type(error).__name__}: {error}"


@examples(400)
@given(seed=st.integers(0, (1 << 64) - 1))
def check_any_values(seed: int) -> None:
    random = Random(seed)
    subject = random.choice(all_subjects())
    message = Maker(random, 0.05).message(subject.table.roots[subject.version])
    data = written(lambda: message.encode(version=subject.version))
    value = written(lambda: message.to_json(version=subject.version))
    if isinstance(data, str) or isinstance(value, str):
        assert value == data
        assert data.startswith("EncodeError: ")
        return
    again = subject.cls.from_json(json.loads(json.dumps(value)), version=subject.version)
    assert again.to_json(version=subject.version).__repr__() == repr(value)


@pytest.mark.slow
def test_to_json_and_encode_take_the_same_values_in_every_message() -> None:
    check_any_values()
