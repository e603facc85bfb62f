"""The arguments that ``decode`` and ``decode_from`` accept, and the errors for all other arguments."""

from __future__ import annotations

from array import array
from typing import Any

import pytest

from tests.support.specs import field, made


@pytest.fixture
def message(codecs: str) -> Any:
    assert codecs
    return made(field("Number", "int32"), field("Data", "bytes"))


def test_decode_refuses_text_and_numbers(message: Any) -> None:
    wrong: tuple[Any, ...] = ("abc", 8, None)
    for data in wrong:
        with pytest.raises(TypeError, match="bytes, a bytearray or a memoryview can be decoded, not "):
            message.decode(data, version=0)
        with pytest.raises(TypeError, match="bytes, a bytearray or a memoryview can be decoded, not "):
            message.decode_from(data, version=0)


def test_a_version_that_is_not_an_int_is_refused(message: Any) -> None:
    data = message().encode(version=0)
    versions: tuple[Any, ...] = ("0", False, None, 0.0)
    for version in versions:
        with pytest.raises(ValueError, match="expected an int as the version of "):
            message.decode(data, version=version)
        with pytest.raises(ValueError, match="expected an int as the version of "):
            message().encode(version=version)


def test_offsets_count_bytes_even_if_items_are_larger(message: Any) -> None:
    items = array("i", [0] * 4)
    assert message.decode_from(memoryview(items), 4, version=0) == (message(), 12)
    assert message.decode_from(items, 4, version=0)[1] == 12


def test_later_changes_of_the_buffer_do_not_change_a_decoded_message(message: Any) -> None:
    buffer = bytearray(message(data=b"before").encode(version=0))
    found, _ = message.decode_from(buffer, version=0)
    buffer[-6:] = b"after!"
    buffer.append(0)
    assert found.data == b"before"


@pytest.mark.parametrize("size", [1, 4000, 4090, 70_000, 300_000])
def test_messages_in_a_stream_are_read_one_after_the_other(message: Any, size: int) -> None:
    one = message(number=1, data=b"x" * size)
    stream = bytearray(one.encode(version=0) * 3)
    offset = 0
    for _ in range(3):
        found, offset = message.decode_from(memoryview(stream), offset, version=0)
        assert found == one
    assert offset == len(stream)
    with pytest.raises(ValueError, match="invalid number of bytes") as caught:
        message.decode_from(memoryview(stream)[:-1], offset - size - 8, version=0)
    assert caught.value.offset == offset - size - 4  # type: ignore[attr-defined]
