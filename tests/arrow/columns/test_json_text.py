from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from messagegen_arrow.columns.json_text import json_column


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
def test_json_of_columns_has_the_same_values(rows: list[dict[str, Any] | None]) -> None:
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
