"""Columns that fit no message are not encoded."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from messagegen_arrow import default_catalog, encode_arrow
from messagegen_arrow.columns.encoding import encode_columns


def encoded(plan: str, rows: Any, version: Any) -> tuple[list[Any], list[Any]]:
    values, errors = encode_columns(plan, rows, version)
    return values.to_pylist(), errors.to_pylist()


def row(**columns: Any) -> Any:
    return pa.array([columns])


@pytest.mark.parametrize(
    ("columns", "version", "error"),
    [
        ({"offset": None}, 1, ("null is not allowed here", "offset")),
        ({"metadata": None}, 1, ("null is not allowed here", "metadata")),
        ({"leaderEpoch": 1 << 40}, 3, (f"{1 << 40} does not fit in int32", "leaderEpoch")),
        ({"topicId": "too short"}, 4, ("a uuid is 22 letters of base64url", "topicId")),
        ({"topicId": b"too short"}, 4, ("a uuid has 16 bytes", "topicId")),
        ({"_error": {"message": "x"}}, 4, ("the row has an _error, so it is no message", "")),
    ],
)
def test_unwritable_values_get_an_error_with_a_path(columns: Any, version: int, error: tuple[str, str]) -> None:
    plan = default_catalog().message("OffsetCommitValue").plan
    values, errors = encoded(plan, row(**columns), version)
    assert values == [None]
    assert errors == [{"message": error[0], "path": error[1]}]


@pytest.mark.parametrize(
    ("columns", "error", "text"),
    [
        (
            {"ofset": 1},
            ValueError,
            "unknown column ofset; the fields of OffsetCommitValue are offset, leaderEpoch",
        ),
        ({"offset": "1"}, TypeError, "offset needs integers, not"),
        ({"metadata": 1}, TypeError, "metadata needs string, large_string or string_view, not"),
        ({"topicId": 1}, TypeError, "topicId needs binary of 16 bytes, or a string, not"),
    ],
)
def test_unknown_columns_and_columns_of_wrong_types_are_refused(columns: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        encoded(default_catalog().message("OffsetCommitValue").plan, row(**columns), 4)


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"topics": 1}, "topics needs a list, not"),
        ({"topics": [1]}, "topics needs a struct, not"),
        ({"topics": [{"partitions": [{"leaderId": "x"}]}]}, "topics.partitions.leaderId needs integers, not"),
        ({"_unknownTaggedFields": 1}, "_unknownTaggedFields needs a map of integers to binary, not"),
    ],
)
def test_nested_columns_of_wrong_types_are_refused(columns: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        encoded(default_catalog().message("MetadataResponse").plan, row(**columns), 12)


def test_two_columns_for_the_same_field_are_refused() -> None:
    with pytest.raises(ValueError, match="OffsetCommitValue has two columns for the field leaderEpoch"):
        encode_arrow(row(leaderEpoch=1, leader_epoch=1), "OffsetCommitValue", 3)


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(LookupError, match="OffsetCommitValue has versions 0 to 4, not 5"):
        encode_arrow(row(offset=1), "OffsetCommitValue", 5)
