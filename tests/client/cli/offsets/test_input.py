"""What the options of ``kafka-offsets`` mean."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messagegen_client.cli.offsets.input import OptionError, iso, named_partitions, parse_time, parse_topics

from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.offsets.specs import OffsetSpec

NOW = datetime(2026, 11, 2, tzinfo=UTC)
NOVEMBER = 1793491200000


@pytest.mark.parametrize(
    ("text", "timestamp"),
    [
        ("2026-11-01T00:00Z", NOVEMBER),
        ("2026-11-01T00:00:00.000Z", NOVEMBER),
        ("2026-11-01 01:00+01:00", NOVEMBER),
        (" 2026-11-01T00:00Z ", NOVEMBER),
        ("2026-11-01T00:00:00.0001Z", NOVEMBER + 1),
        ("1793491200000", NOVEMBER),
        ("0", 0),
        ("-24h", NOVEMBER),
        ("-1d", NOVEMBER),
        ("-1440m", NOVEMBER),
        ("-86400s", NOVEMBER),
        ("-86400000ms", NOVEMBER),
        ("-0s", NOVEMBER + 86400000),
        ("-1w", NOVEMBER - 6 * 86400000),
        ("20261101", 20261101),
    ],
)
def test_times(text: str, timestamp: int) -> None:
    wanted = parse_time(text, NOW)
    assert (wanted.spec, wanted.timestamp) == (OffsetSpec.for_timestamp(timestamp), timestamp)
    assert wanted.text == text.strip()


@pytest.mark.parametrize(
    ("texts", "spec"),
    [
        (("latest", "-1"), OffsetSpec.latest()),
        (("earliest", "-2"), OffsetSpec.earliest()),
        (("max-timestamp", "-3"), OffsetSpec.max_timestamp()),
        (("earliest-local", "-4"), OffsetSpec.earliest_local()),
        (("latest-tiered", "-5"), OffsetSpec.latest_tiered()),
        (("earliest-pending-upload", "-6"), OffsetSpec.earliest_pending_upload()),
    ],
)
def test_places(texts: tuple[str, str], spec: OffsetSpec) -> None:
    for text in texts:
        assert parse_time(text, NOW).spec == spec
        assert parse_time(text, NOW).timestamp is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "2026-11-01T00:00",
            "missing time zone in '2026-11-01T00:00'; write 2026-11-01T00:00Z for UTC, or 2026-11-01T00:00\\+01:00",
        ),
        ("2026-11-01", "missing time zone in .*; write 2026-11-01T00:00Z"),
        ("2026-11-01T00:00:01", "write 2026-11-01T00:00:01Z"),
        ("2026-13-01T00:00Z", "invalid time .*; write for example .* or one of earliest, latest"),
        ("yesterday", "invalid time"),
        ("", "invalid time"),
        ("-7", "invalid time"),
        ("-2y", "invalid time"),
        ("2h", "invalid time"),
        ("--", "invalid time"),
        ("1.5", "invalid time"),
        ("²", "invalid time"),
        ("1969-12-31T00:00Z", "it is negative or before 1970"),
        ("-3000w", "it is negative or before 1970"),
        ("-999999999999999w", "is too long ago"),
        ("9223372036854775808", "the maximum is 9223372036854775807"),
        ("9" * 5000, "the maximum is 9223372036854775807"),
    ],
)
def test_what_is_no_time_says_what_to_write(text: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        parse_time(text, NOW)


@given(st.text(max_size=30))
def test_any_text_is_a_time_or_an_error_with_advice(text: str) -> None:
    advice = ""
    try:
        assert parse_time(text, NOW).spec.timestamp >= -6
    except OptionError as problem:
        advice = str(problem)
    assert not advice or "write" in advice


@given(st.integers(0, 2**63 - 1))
def test_timestamps_are_shown_as_they_can_be_given_back(timestamp: int) -> None:
    assert parse_time(iso(timestamp), NOW).timestamp == timestamp


def test_timestamps_beyond_the_calendar_are_numbers() -> None:
    assert iso(NOVEMBER) == "2026-11-01T00:00:00.000Z"
    assert iso(2**63 - 1) == str(2**63 - 1)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["orders"], {"orders": None}),
        (["b,a"], {"b": None, "a": None}),
        (["b", "a,b"], {"b": None, "a": None}),
        (["orders:3"], {"orders": (3,)}),
        (["orders:0-3"], {"orders": (0, 1, 2, 3)}),
        (["orders:2-3,orders:0", "orders:3"], {"orders": (2, 3, 0)}),
        (["orders:1,orders"], {"orders": None}),
        (["orders,orders:1"], {"orders": None}),
        ([" a , b:1 "], {"a": None, "b": (1,)}),
    ],
)
def test_topics(texts: list[str], expected: dict[str, tuple[int, ...] | None]) -> None:
    assert parse_topics(texts) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "invalid topic ''; write NAME, NAME:3 for a partition, or NAME:0-3 for a range"),
        ("a,,b", "invalid topic ''"),
        ("a:", "invalid topic"),
        ("a:x", "invalid topic"),
        ("a:-1", "invalid topic"),
        ("a:1-", "invalid topic"),
        ("a:3-1", "is reversed; write a:1-3"),
        ("a:0-9999999999", "more than 100,000 partitions; write a for all"),
    ],
)
def test_what_is_no_topic_says_what_to_write(text: str, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        parse_topics([text])


def test_partitions_that_are_named() -> None:
    assert named_partitions({"a": None, "b": (2, 0)}) == [TopicPartition("b", 2), TopicPartition("b", 0)]


def test_now_is_any_clock() -> None:
    assert parse_time("-1h", NOW + timedelta(hours=1)).timestamp == parse_time("-0s", NOW).timestamp
