"""What the table of costs says of an object is never less than what the allocator of CPython gives for it."""

from __future__ import annotations

import sys
import uuid

import pytest

from messagegen.runtime import ARRAY, FACTOR, TAG_CHARGE, costs
from tests.support.specs import PURPOSE_MADE, package, plans


def blocks(*objects: object) -> int:
    """The bytes of objects that no other object shares, header of the garbage collector included, in whole blocks."""
    return sum(-(-sys.getsizeof(each) // 16) * 16 for each in objects)


@pytest.mark.parametrize("value", [-6, 257, 2**30, -(2**31), 2**60 - 1, 2**60, -(2**63)])
def test_ints(value: int) -> None:
    assert costs.of_int(value, 32 if -(2**31) <= value < 2**31 else 64) >= blocks(value)


def test_floats_and_uuids() -> None:
    one = uuid.UUID(int=2**127)
    assert blocks(1.5) <= costs.FLOAT
    assert blocks(one, one.int) <= costs.UUID


TEXTS = (
    "ab",
    "x" * 15,
    "x" * 16,
    "\u0100",
    "a\u0100",
    "\U0001f600",
    "x" * 40 + "\u00e9",
    "x\u0100" * 9,
    "x\U0001f600" * 9,
)


@pytest.mark.parametrize("text", [*TEXTS, *("x" * count + "\U0001f600" for count in range(20))], ids=ascii)
def test_strings(text: str) -> None:
    assert costs.of_string(text.encode()) >= blocks(text)


@pytest.mark.parametrize("length", range(2, 40))
def test_bytes(length: int) -> None:
    assert costs.of_bytes(length) >= blocks(bytes(length))


@pytest.mark.parametrize("count", range(1, 70))
def test_arrays(count: int) -> None:
    """While an array is read its elements stand in a list, too; the list itself is one for each level of nesting."""
    items = [None for _ in range(count)]
    growing = sys.getsizeof(items) - sys.getsizeof([])
    assert ARRAY + costs.NUMBER_PLACE * count >= blocks(tuple(items))
    assert ARRAY + costs.PLACE * count + 64 >= blocks(tuple(items)) + growing


@pytest.mark.parametrize("name", plans(PURPOSE_MADE))
def test_structs(name: str) -> None:
    codec = getattr(package(PURPOSE_MADE), name).CODEC
    for layout in codec.parsed_plan().layouts:
        assert costs.of_struct(len(layout.fields)) >= blocks(object.__new__(layout.cls))


def test_the_charge_of_an_unknown_tag_is_its_cost_beyond_its_bytes() -> None:
    assert costs.PLACE + costs.TAG + costs.of_int(300) + costs.of_bytes(2) - 5 * FACTOR == TAG_CHARGE
