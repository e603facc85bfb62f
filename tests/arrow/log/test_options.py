"""The options of ``kafka-log``: their meaning, and the errors for wrong values."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from messagegen_arrow import read_log
from messagegen_arrow.log.options import LogOptions
from messagegen_arrow.options import OptionError


@pytest.mark.parametrize(
    ("option", "text", "attribute", "value"),
    [
        ("mode", "permissive", "mode", "PERMISSIVE"),
        ("columns", "value,offset", "columns", ("value", "offset")),
        ("includeHeaders", "false", "include_headers", False),
    ],
)
def test_an_option_is_read(option: str, text: str, attribute: str, value: Any) -> None:
    """Options that only the engine uses are tested in the engine's own tests."""
    assert getattr(LogOptions.parse({option: text}), attribute) == value
    assert LogOptions().mode == LogOptions.parse({}).mode == "FAILFAST"


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("startingOfset", "5", "kafka-log has no option startingOfset; did you mean startingOffset?"),
        ("qqq", "5", "kafka-log has no option qqq; known options: assign, columns, endingOffset"),
        ("startingOffset", "-1", "option startingOffset: expected a whole number of at least 0, not '-1'"),
        ("startingOffset", "²", "option startingOffset: expected a whole number"),
        (
            "startingTimestamp",
            "soon",
            "option startingTimestamp: invalid time 'soon': write for example 2026-11-01T00:00Z",
        ),
        ("topics", " , ", "option topics: expected a list such as orders,payments"),
        ("topicsPattern", "(", "option topicsPattern: invalid regular expression '('"),
        ("partitions", "3-1", "option partitions: expected numbers and ranges such as 0,3,8-11, not '3-1'"),
        ("includeControl", "yes", "option includeControl: expected true or false, not 'yes'"),
        ("isolationLevel", "none", "option isolationLevel: expected read_uncommitted or read_committed, not 'none'"),
        (
            "maxPartitionBytes",
            "0",
            "option maxPartitionBytes: expected a number of bytes such as 67108864 or 64m, not '0'",
        ),
        ("maxBatchBytes", "2g", "option maxBatchBytes: expected a number of bytes up to 2147483647"),
        ("assign", "orders", 'option assign: expected JSON such as {"orders":[0,1],"payments":[2]}, not \'orders\''),
        ("assign", '{"orders":[0.5]}', 'option assign: expected JSON such as {"orders":[0,1],"payments":[2]}, not \''),
        (
            "startingOffsets",
            "soon",
            'option startingOffsets: expected earliest, latest, or JSON such as {"orders":{"0":23,',
        ),
        ("startingOffsets", '{"orders":[1]}', "option startingOffsets: expected earliest, latest, or JSON such as"),
        (
            "startingOffsets",
            '{"orders":{"0":-3}}',
            "option startingOffsets: expected earliest, latest, or JSON such as",
        ),
        ("endingOffsets", "earliest", "option endingOffsets: expected latest, or JSON such as"),
        ("endingOffsets", '{"orders":{"0":-2}}', "option endingOffsets: expected latest, or JSON such as"),
        (
            "kafka.bootstrap.servers",
            "a:1",
            "kafka-log reads files and does not connect to a broker; remove the option kafka.b",
        ),
        (
            "kafkaConsumer.pollTimeoutMs",
            "1",
            "kafka-log reads files and does not connect to a broker; remove the option",
        ),
        ("mode", "strict", "option mode: expected mode PERMISSIVE or FAILFAST or DROPMALFORMED, not 'strict'"),
    ],
)
def test_a_wrong_option_is_refused_with_advice(option: str, text: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        LogOptions.parse({option: text})
    assert str(caught.value).startswith(message)


_TIMES = json.loads((Path(__file__).parents[2] / "fixtures" / "timestamps.json").read_text("utf-8"))


@pytest.mark.parametrize("case", _TIMES["valid"], ids=lambda case: str(case["text"]))
def test_a_starting_time_is_rounded_up_to_milliseconds(case: dict[str, Any]) -> None:
    assert LogOptions.parse({"startingTimestamp": case["text"]}).bounds.min_timestamp == case["milliseconds"]


@pytest.mark.parametrize("case", _TIMES["invalid"], ids=lambda case: repr(case["text"]))
def test_the_error_for_an_invalid_time_names_valid_formats(case: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        LogOptions.parse({"startingTimestamp": case["text"]})
    assert str(caught.value) == f"option startingTimestamp: {case['error']}"


def test_a_datetime_without_a_zone_is_refused(tmp_path: Path) -> None:
    naive = datetime(2026, 11, 1)  # noqa: DTZ001 - that is what is refused
    with pytest.raises(OptionError, match=r"missing time zone in datetime\.datetime\(2026, 11, 1, 0, 0\): write"):
        read_log(tmp_path, starting_timestamp=naive)


def test_starting_bounds_are_inclusive_and_ending_bounds_exclusive() -> None:
    bounds = LogOptions.parse({"startingOffset": "3", "endingOffset": "9", "endingTimestamp": "100"}).bounds
    assert (bounds.min_offset, bounds.max_offset) == (3, 8)
    assert (bounds.min_timestamp, bounds.max_timestamp) == (-(1 << 63), 99)


def test_alternative_options_cannot_be_combined() -> None:
    for options, message in (
        (
            {"subscribe": "a", "assign": '{"a":[0]}'},
            "options assign and subscribe: give only one of assign, subscribe, subscribeP",
        ),
        ({"subscribe": "a", "TOPICS": "a"}, "options subscribe and topics mean the same; give only one of them"),
        (
            {"maxOffsetsPerTrigger": "1", "maxBytesPerTrigger": "1"},
            "options maxOffsetsPerTrigger and maxBytesPerTrigger can't be used together",
        ),
    ):
        with pytest.raises(OptionError) as caught:
            LogOptions.parse(options)
        assert str(caught.value).startswith(message)


def test_properties_that_spark_adds_to_a_table_are_ignored() -> None:
    """Spark 4.3 passes these for CREATE TABLE with OPTIONS, LOCATION, COMMENT and TBLPROPERTIES."""
    added = {"provider": "kafka-log", "owner": "me", "comment": "c", "external": "true", "k": "v"}
    own = {"path": "file:/logs", "location": "file:/logs", "option.startingoffset": "5", "startingoffset": "5"}
    assert LogOptions.parse({**added, **own}).bounds.min_offset == 5
    with pytest.raises(OptionError, match="no option startingofset"):
        LogOptions.parse({**added, "option.startingofset": "5", "startingofset": "5"})
