"""Times that people write, against the table that all their readers share."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_kafka import parse_timestamp

TABLE: dict[str, Any] = json.loads((Path(__file__).parents[2] / "fixtures" / "timestamps.json").read_text("utf-8"))


@pytest.mark.parametrize("case", TABLE["valid"], ids=lambda case: str(case["text"]))
def test_a_time_is_the_first_timestamp_at_or_after_it(case: dict[str, Any]) -> None:
    assert parse_timestamp(case["text"]) == case["milliseconds"]


@pytest.mark.parametrize("case", TABLE["invalid"], ids=lambda case: repr(case["text"]))
def test_an_invalid_time_says_what_to_write(case: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(case['error'])}$"):
        parse_timestamp(case["text"])


@given(st.datetimes(min_value=datetime(1970, 1, 1)), st.integers(0, 10**9 - 1))  # noqa: DTZ001 - Hypothesis wants it so
def test_the_timestamp_is_at_or_after_the_time_and_less_than_a_millisecond_later(
    moment: datetime, nanoseconds: int
) -> None:
    whole = moment.replace(microsecond=0).isoformat()
    exact = parse_timestamp(f"{whole}Z") * 10**6 + nanoseconds
    assert 0 <= parse_timestamp(f"{whole}.{nanoseconds:09d}Z") * 10**6 - exact < 10**6
