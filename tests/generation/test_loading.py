"""Classes that are loaded directly from specs."""

from __future__ import annotations

from pathlib import Path

import pytest

import messagegen
from messagegen.generation.loading import load_specs
from tests.support.specs import OWN, PURPOSE_MADE, field, spec


def test_load_returns_a_package_with_the_classes() -> None:
    messages = messagegen.load(OWN)
    request = messages.ListOffsetsRequest(replica_id=-1)
    assert messages.ListOffsetsRequest.decode(request.encode(version=1), version=1) == request


def test_two_loads_return_independent_packages() -> None:
    one, other = load_specs([spec(field("A", "int8"))]), load_specs([spec(field("B", "int8"))])
    assert (one.Made(a=1).encode(version=0), other.Made(b=2).encode(version=0)) == (b"\x01", b"\x02")
    assert one.DecodeError is not other.DecodeError
    with pytest.raises(one.DecodeError):
        one.Made.decode(b"", version=0)


def test_load_adds_the_error_codes_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "errors.json"
    file.write_text('{ "errors": [{ "code": 0, "name": "NONE" }, { "code": 9, "name": "LATE", "retriable": true }] }')
    messages = messagegen.load(PURPOSE_MADE, messages=["Tagged"], error_codes=file)
    assert messages.ErrorCode(9).retriable
    assert messages.ErrorCode is not messagegen.load(PURPOSE_MADE, error_codes=file).ErrorCode
