"""Lengths and classes of values, held against the codecs that write them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from messagegen_arrow.advisor.encodings import (
    CLASS_STARTS,
    CLASSES,
    ENCODINGS,
    LENGTHS,
    PLUS_ONE_LENGTHS,
    class_of,
    encoding_of_codec,
    first_longer,
    length,
    lengths_of,
    signed_bytes,
    split,
)
from messagegen_arrow.advisor.specs.patch import load_class
from tests.arrow.support.advisor_data import spec_of
from tests.support.strategies import integers

FIELDS = ", ".join(
    f'{{ "name": "{encoding}", "type": "int64", "versions": "0", "encoding": "{encoding}" }}' for encoding in ENCODINGS
)
MESSAGE = load_class(spec_of(FIELDS))
EMPTY = MESSAGE().size(version=0)
LARGE = st.one_of(
    integers(64), st.sampled_from([start + step for start in CLASS_STARTS for step in (-1, 0, 1)])
).filter(lambda value: -(1 << 63) <= value < 1 << 63)


@given(LARGE, st.sampled_from(ENCODINGS))
@example(2**63 - 1, "upacked64")
@example(-(2**63), "packed64")
def test_lengths_are_those_of_the_codecs(value: int, encoding: str) -> None:
    expected = length(encoding, value)
    if expected is None:
        with pytest.raises(ValueError, match="does not fit"):
            MESSAGE(**{encoding: value}).encode(version=0)
        return
    size = MESSAGE(**{encoding: value}).size(version=0)
    nothing = length(encoding, 0)
    assert nothing is not None
    assert size - EMPTY == expected - nothing


@given(LARGE)
def test_no_encoding_tells_values_of_a_class_apart(value: int) -> None:
    class_ = class_of(value)
    assert {encoding: LENGTHS[encoding][class_] or None for encoding in ENCODINGS} == {
        encoding: length(encoding, value) for encoding in ENCODINGS
    }
    fits = next(bytes_ for bytes_ in range(1, 9) if -(1 << 8 * bytes_ - 1) <= value < 1 << 8 * bytes_ - 1)
    assert signed_bytes(class_) == fits


@given(integers(32))
def test_the_number_plus_one(value: int) -> None:
    wrapped = (value + 1 + 2**31) % 2**32 - 2**31
    assert PLUS_ONE_LENGTHS[32][class_of(value)] == length("upacked32", wrapped)


@given(LARGE, st.sampled_from(ENCODINGS), st.integers(1, 10))
def test_first_longer_is_the_first(value: int, encoding: str, limit: int) -> None:
    found = first_longer(encoding, value, limit)
    step = 1 if value >= 0 else -1
    if found is None:
        end = 2**63 - 1 if step > 0 else -(2**63)
        assert (length(encoding, end) or 99) <= limit
        return
    assert (length(encoding, found) or 99) > limit
    assert found == value or (length(encoding, found - step) or 99) <= limit


def test_names() -> None:
    assert CLASSES < 70
    assert encoding_of_codec("int16") == "fixed16"
    assert encoding_of_codec("packed64") == "packed64"
    assert split("upacked32") == ("upacked", 32)
    assert set(lengths_of("uint16")) == {2}
    with pytest.raises(ValueError, match="those of KIP-625 are fixed16, packed16"):
        split("varint32")
