"""Our error codes have the same numbers, names and retriable flags as Kafka's enum."""

from __future__ import annotations

import pytest

from messagegen_kafka import ErrorCode
from tests.oracle import Oracle

pytestmark = pytest.mark.java


def test_error_codes_equal_the_constants_of_kafka(oracle: Oracle) -> None:
    expected = {(error["code"], error["name"], error["retriable"]) for error in oracle.error_codes()}
    assert {(int(code), code.name, code.retriable) for code in ErrorCode} == expected
    assert len(expected) == 138


def test_error_descriptions_differ_from_the_messages_of_kafka(oracle: Oracle) -> None:
    theirs = {error["message"] for error in oracle.error_codes()}
    assert not theirs & {code.about for code in ErrorCode}
