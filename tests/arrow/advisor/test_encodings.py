"""The predicted lengths of values equal the lengths that codecs write."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from messagegen_arrow.advisor.encodings import ENCODINGS, total_bytes
from tests.arrow.support.advisor_data import load_class, spec_of
from tests.support.strategies import integers

FIELDS = ", ".join(
    f'{{ "name": "{encoding}", "type": "int64", "versions": "0", "encoding": "{encoding}" }}' for encoding in ENCODINGS
)
MESSAGE = load_class(spec_of(FIELDS))
EMPTY = MESSAGE().size(version=0)


@given(integers(64), st.sampled_from(ENCODINGS))
@example(2**63 - 1, "upacked64")
@example(-(2**63), "packed64")
def test_predicted_lengths_equal_encoded_lengths(value: int, encoding: str) -> None:
    expected = total_bytes(encoding, np.array([value], np.int64))
    if expected is None:
        with pytest.raises(ValueError, match="does not fit"):
            MESSAGE(**{encoding: value}).encode(version=0)
        return
    nothing = total_bytes(encoding, np.zeros(1, np.int64))
    assert nothing is not None
    assert MESSAGE(**{encoding: value}).size(version=0) - EMPTY == expected - nothing
