from __future__ import annotations

import json
import math
from base64 import b64encode
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.columns.base64_text import base64_column
from messagegen_arrow.columns.json_text import json_column


@given(st.lists(st.none() | st.binary(max_size=20)), st.integers(0, 3))
def test_base64_is_that_of_the_standard_library(values: list[bytes | None], start: int) -> None:
    array = pa.array(values, pa.binary()).slice(start)
    encoded = base64_column(array)
    encoded.validate(full=True)
    assert encoded.to_pylist() == [None if each is None else b64encode(each).decode() for each in values[start:]]


@given(
    st.lists(
        st.none()
        | st.fixed_dictionaries(
            {
                "text": st.none() | st.text(),
                "numbers": st.none() | st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)),
                "flag": st.none() | st.booleans(),
                "share": st.none() | st.floats(allow_nan=False, allow_infinity=False),
                "inner": st.none() | st.fixed_dictionaries({"name": st.text()}),
            }
        )
    )
)
def test_json_of_columns_is_json(rows: list[dict[str, Any] | None]) -> None:
    type_ = pa.struct(
        [
            ("text", pa.string()),
            ("numbers", pa.list_(pa.int64())),
            ("flag", pa.bool_()),
            ("share", pa.float64()),
            ("inner", pa.struct([("name", pa.string())])),
        ]
    )
    found = json_column(pa.array(rows, type_), {}).to_pylist()
    assert [each and json.loads(each) for each in found] == rows


def test_floats_have_a_point_and_odd_ones_are_words() -> None:
    array = pa.array([{"x": value} for value in (1.0, 1e6, -0.5, math.nan, math.inf, -math.inf)])
    found = [json.loads(each)["x"] for each in json_column(array, {}).to_pylist()]
    assert found == [1.0, 1e6, -0.5, "NaN", "Infinity", "-Infinity"]
    assert all(isinstance(each, float | str) for each in found)
