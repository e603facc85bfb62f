"""The number of steps is proportional to the number of bytes, whatever the bytes.

Steps are lines of Python and calls of C functions. They are counted, because times vary.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from messagegen import load
from tests.support.steps import steps_of
from tests.support.varints import uvarint

NESTED = """{
  "type": "data", "name": "Nested", "validVersions": "0-1", "flexibleVersions": "1+", "fields": [
    { "name": "Rows", "type": "[]Row", "versions": "0+", "about": "Rows.", "fields": [
      { "name": "Cells", "type": "[]Cell", "versions": "0", "about": "Cells, which have no bytes.", "fields": [] },
      { "name": "Copies", "type": "[]int32", "versions": "1+", "about": "Numbers." },
      { "name": "Others", "type": "[]int32", "versions": "1+", "about": "Mostly the same numbers." },
      { "name": "Name", "type": "string", "versions": "1+", "about": "A name." }
    ] }
  ]
}"""


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("specs")
    (folder / "Nested.json").write_text(NESTED, encoding="utf-8")
    package = load(folder)
    package.Nested.CODEC.engine = None
    return package


def check(
    read: Callable[[bytes, Any], object], make: Callable[[int], bytes], limits_of: Callable[[bytes], Any]
) -> None:
    """Compare the steps for an input and for twice the input; growing lists and chunks may add a third."""
    once, twice = make(SIZE), make(2 * SIZE)
    # Objects that are loaded on first use are not counted.
    with suppress(ValueError):
        read(once, limits_of(once))
    steps = [steps_of(lambda data=data: read(data, limits_of(data))) for data in (once, twice)]  # type: ignore[misc]
    assert steps[0] > SIZE / 4
    assert steps[1] / steps[0] < 1.35 * len(twice) / len(once)


SIZE = 600


@pytest.fixture(params=[0, 2, 20, 100])
def limits_of(request: pytest.FixtureRequest, messages: Any) -> Callable[[bytes], Any]:
    """A memory limit as a multiple of the size: exceeded immediately, later, after counting, or never."""
    multiple: int = request.param
    return lambda data: messages.Nested.LIMITS.__class__(memory_constant=multiple * len(data) + 1000)


def without_bytes(rows: int) -> bytes:
    """Return arrays that each claim one empty struct for each remaining byte, so their total is quadratic."""
    return b"".join(number.to_bytes(4, "big") for number in (rows, *range(4 * (rows - 1), -1, -4)))


def unknown_tags(count: int) -> bytes:
    return uvarint(1) + uvarint(count) + b"".join(uvarint(100 + number) + b"\0" for number in range(count))


def tagged_rows(count: int) -> bytes:
    """Return rows with unknown tagged fields, too many to be accepted."""
    return uvarint(count + 1) + (b"\1\1\1" + b"\3" + b"\x64\1x" + b"\x65\0" + b"\x66\0") * count + b"\0"


def equal_arrays(count: int) -> bytes:
    """Return pairs of rows. In the first of a pair, both arrays are equal; in the other, the second array is empty."""
    numbers = b"\3" + bytes(7) + b"\1"
    return uvarint(count + 1) + (numbers + numbers + b"\1\0" + numbers + b"\1" + b"\1\0") * count + b"\0"


def long_names(count: int) -> bytes:
    return uvarint(count + 1) + (b"\1\1" + b"\x03\xc4\x80" + b"\0") * count + b"\0"


@pytest.mark.parametrize("make", [unknown_tags, tagged_rows, equal_arrays, long_names])
def test_flexible_messages_take_linear_time(
    messages: Any, make: Callable[[int], bytes], limits_of: Callable[[bytes], Any]
) -> None:
    check(lambda data, limits: messages.Nested.decode(data, version=1, limits=limits), make, limits_of)


def test_structs_without_bytes_take_linear_time(messages: Any, limits_of: Callable[[bytes], Any]) -> None:
    check(lambda data, limits: messages.Nested.decode(data, version=0, limits=limits), without_bytes, limits_of)
