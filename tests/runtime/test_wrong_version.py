"""Errors for bytes of a different version name the impossible value, and do not recommend a higher limit."""

from __future__ import annotations

from typing import Any

import pytest

from messagegen_kafka import ApiVersionsResponse as Shipped
from messagegen_kafka import Limits
from tests.native.columns import decode_columns
from tests.support.specs import OWN, field, made, package

pytestmark = pytest.mark.usefixtures("codecs")

IN_VERSION_0 = Shipped(error_code=35).encode(version=0)
UINT_MAX = b"\xff\xff\xff\xff\x0f"


def error_of(message: Any, data: bytes, version: int, **options: Any) -> str:
    with pytest.raises(ValueError, match=r"\(Made|\(ApiVersions") as caught:
        message.decode(data, version=version, **options)
    assert type(caught.value).__name__ == "DecodeError"
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(
    ("fields", "data", "text"),
    [
        ([], UINT_MAX, "invalid number of tagged fields, 4294967295; bytes left: 0; is this the right version?"),
        ([], b"\x03\1", "invalid number of tagged fields, 3; bytes left: 1; is this the right version?"),
        ([field("A", "string")], b"\x05ab", "invalid number of bytes, 4; bytes left: 2; is this the right version?"),
        ([field("A", "[]int8")], b"\x05ab", "invalid number of elements, 4; bytes left: 2; is this the right version?"),
        ([field("A", "int64")], b"\0", "the bytes end early: 8 needed, 1 left"),
        ([field("A", "uuid")], b"\0", "the bytes end early: 16 needed, 1 left"),
    ],
)
def test_a_count_beyond_the_remaining_bytes_suggests_a_different_version(
    fields: list[dict[str, object]], data: bytes, text: str, lazy: bool
) -> None:
    assert text in error_of(made(*fields, flexibleVersions="0+"), data, 0, lazy=lazy)


def test_columns_raise_the_same_error_for_a_wrong_version() -> None:
    pyarrow: Any = pytest.importorskip("pyarrow")
    message = made(flexibleVersions="0+")
    table = pyarrow.array(decode_columns(message.CODEC.plan, 0, pyarrow.array([UINT_MAX])))
    assert table.field("_error").to_pylist()[0]["message"] in error_of(message, UINT_MAX, 0)


def test_the_error_names_the_limit_if_enough_bytes_remain() -> None:
    message: Any = made(flexibleVersions="0+")
    limits = message.LIMITS.__class__(tagged_field_count=2)
    text = error_of(message, b"\x03\x05\0\x06\0\x07\0", 0, limits=limits)
    assert "3 tagged fields are more than 2; to allow more, pass limits=Limits(tagged_field_count=...)" in text
    assert Limits().tagged_field_count == limits.__class__().tagged_field_count


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_the_error_for_an_api_versions_response_in_version_0_has_a_hint(version: int) -> None:
    message: Any = package(OWN).ApiVersionsResponse
    assert message.decode(IN_VERSION_0, version=0).error_code == 35
    text = error_of(message, IN_VERSION_0, version)
    assert "error code 35 (UNSUPPORTED_VERSION)" in text
    assert "in version 0 (KIP-511)" in text


def test_other_errors_have_no_hint_about_version_0() -> None:
    message: Any = package(OWN).ApiVersionsResponse
    assert "KIP-511" not in error_of(message, b"\0\0\0", 3)
    assert "KIP-511" not in error_of(message, IN_VERSION_0[:-1], 0)
