"""``messagegen_kafka.ErrorCode``, as clients use it with the error codes in responses."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import ErrorCode
from tests.support.imports import loaded_by

CODES = {int(code) for code in ErrorCode}


def test_codes_are_integers_with_names() -> None:
    assert ErrorCode(6) is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert ErrorCode["NOT_LEADER_OR_FOLLOWER"] == 6
    assert (ErrorCode.NOT_LEADER_OR_FOLLOWER.retriable, ErrorCode.INVALID_REQUEST.retriable) == (True, False)
    assert not ErrorCode.NONE
    assert ErrorCode.UNKNOWN_SERVER_ERROR.value == -1


@pytest.mark.parametrize("code", ErrorCode)
def test_each_code_has_a_sentence_about_its_meaning(code: ErrorCode) -> None:
    assert code.about[0].isupper()
    assert code.about.endswith(".")


@given(st.integers(-(2**15), 2**15 - 1).filter(lambda code: code not in CODES))
def test_unknown_codes_of_newer_brokers_become_members(code: int) -> None:
    unknown = ErrorCode(code)
    assert (unknown == code, hash(unknown) == hash(code), int(unknown)) == (True, True, code)
    assert unknown.name.startswith("UNKNOWN_CODE_")
    assert unknown.name.isidentifier()
    assert not unknown.retriable
    assert "not known" in unknown.about
    assert unknown == ErrorCode(code)
    again = pickle.loads(pickle.dumps(unknown))
    assert (again, again.name, copy.deepcopy(unknown)) == (unknown, unknown.name, unknown)
    assert {int(known) for known in ErrorCode} == CODES


def test_error_codes_are_imported_on_first_use() -> None:
    assert "ErrorCode" in messagegen_kafka.__all__
    message = loaded_by("from messagegen_kafka import ListOffsetsRequest")
    assert "messagegen_kafka.error_codes" not in message
    own = loaded_by("from messagegen_kafka import ErrorCode")
    own = {name for name in own if name.startswith("messagegen_kafka.")}
    assert own == {"messagegen_kafka.error_codes"}
