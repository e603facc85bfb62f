from __future__ import annotations

import pytest

from messagegen.spec.field_types import (
    ElementTypeError,
    parse_type,
)
from messagegen.spec.model import StructType
from messagegen.spec.report import RefusedError


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("Int32", None),
        ("strng", 'did you mean "string"?'),
        ("uint64", 'did you mean "int64"?'),
        ("varint", 'did you mean "varint32"?'),
        ("int", 'did you mean "int32"?'),
        ("long", 'did you mean "int64"?'),
        ("", "write one of bool"),
        ("Topic.Data", "use letters, digits and underscores only"),
        ("Ünicode", "use letters, digits and underscores only"),
    ],
)
def test_refuses_other_names(text: str, instead: str | None) -> None:
    if instead is None:
        # A capital makes it the name of a struct, whatever it resembles.
        assert parse_type(text) == (StructType(text), None)
        return
    with pytest.raises(RefusedError) as refused:
        parse_type(text)
    assert refused.value.instead.startswith(instead)


@pytest.mark.parametrize("text", ["[]", "[][]int32", "[]bytes", "[]records", "[] [] Row"])
def test_refuses_arrays_that_kafka_does_not_have(text: str) -> None:
    with pytest.raises(ElementTypeError):
        parse_type(text)
