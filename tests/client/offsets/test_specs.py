"""Target times and special offsets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_client.offsets.specs import OffsetSpec, milliseconds

MILLISECOND = timedelta(milliseconds=1)
FIRST = datetime(1970, 1, 1)  # noqa: DTZ001 - the strategy adds time zones


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (0, 0),
        (2**63 - 1, 2**63 - 1),
        (datetime(1970, 1, 1, tzinfo=UTC), 0),
        (datetime(2026, 11, 1, tzinfo=UTC), 1793491200000),
        (datetime(2026, 11, 1, 1, tzinfo=timezone(timedelta(hours=1))), 1793491200000),
        (datetime(1970, 1, 1, 0, 0, 0, 1, tzinfo=UTC), 1),
        (datetime(1970, 1, 1, 0, 0, 0, 1000, tzinfo=UTC), 1),
        (datetime(1970, 1, 1, 0, 0, 0, 1001, tzinfo=UTC), 2),
    ],
)
def test_times_are_milliseconds(time: int | datetime, expected: int) -> None:
    assert milliseconds(time) == expected
    assert OffsetSpec.for_timestamp(time).timestamp == expected


@given(st.datetimes(min_value=FIRST, timezones=st.timezones()).filter(lambda moment: moment.timestamp() >= 0))
def test_a_datetime_is_rounded_up_to_a_millisecond(moment: datetime) -> None:
    count = milliseconds(moment)
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    assert epoch + count * MILLISECOND >= moment > epoch + (count - 1) * MILLISECOND


@pytest.mark.parametrize(
    ("time", "reason"),
    [
        (-1, "it is negative"),
        (-2, "it is negative"),
        (2**63, "the maximum is 9223372036854775807"),
        (True, "whole number"),
        (1.0, "whole number"),
        ("0", "whole number"),
        (None, "whole number"),
        (datetime(2026, 11, 1), "missing time zone in"),  # noqa: DTZ001 - that is what is refused
        (datetime(1969, 12, 31, 23, 59, tzinfo=UTC), "before 1970"),
    ],
)
def test_an_invalid_target_time_is_an_error(time: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        OffsetSpec.for_timestamp(time)


def test_special_offsets_have_the_numbers_of_the_protocol() -> None:
    places = [
        OffsetSpec.latest(),
        OffsetSpec.earliest(),
        OffsetSpec.max_timestamp(),
        OffsetSpec.earliest_local(),
        OffsetSpec.latest_tiered(),
        OffsetSpec.earliest_pending_upload(),
    ]
    assert [place.timestamp for place in places] == [-1, -2, -3, -4, -5, -6]
    assert [place.always_there for place in places] == [True, True, False, False, False, False]
