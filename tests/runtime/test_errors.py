"""The error classes: their texts, base classes, and pickling."""

from __future__ import annotations

import pickle

import pytest

from messagegen.runtime.errors import DecodeError, EncodeError, MessageError, UnsupportedVersionError

ERRORS = [
    (
        EncodeError("Made", 3, "topics[1].name", "null is not allowed here"),
        "topics[1].name: null is not allowed here (Made version 3)",
    ),
    (EncodeError("Made", 0, "", "wrong"), "Made: wrong (Made version 0)"),
    (DecodeError("Made", 3, "topics[1].name", "bad", 17), "topics[1].name: bad (Made version 3, byte 17)"),
    (DecodeError("Made", 3, "", "the bytes end early", 0), "Made: the bytes end early (Made version 3, byte 0)"),
    (UnsupportedVersionError("Made", 9, range(2, 6)), "unknown version 9; Made has versions 2-5"),
]
each = pytest.mark.parametrize(("error", "text"), ERRORS)


@each
def test_error_texts_name_the_path_and_the_reason(error: MessageError, text: str) -> None:
    assert str(error) == text


@each
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_errors_are_pickled_completely(error: MessageError, text: str, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert vars(again) == vars(error)
    assert str(again) == text
