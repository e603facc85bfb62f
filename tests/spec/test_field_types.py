from __future__ import annotations

import pytest

from messagegen.spec.field_types import parse_type
from messagegen.spec.model import StructType
from messagegen.spec.report import RefusedError


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("strng", 'did you mean "string"?'),
        ("[]strng", 'did you mean "[]string"?'),
        ("", "write one of bool, int8"),
        ("Topic.Data", 'write "TopicData"'),
        ("[]Topic-Data", 'write "[]TopicData"'),
        ("Ünicode", "write one of bool, int8"),
        ("[]", "write one of []bool, []int8"),
        ("decimal", "write one of bool, int8"),
        ("boolean", 'write "bool"'),
        ("float", 'write "float64"'),
        ("integer", 'write "int32"'),
        ("str", 'write "string"'),
        ("[]str", 'write "[]string"'),
        ("string[]", 'write "[]string"'),
        ("Topic[]", 'write "[]Topic"'),
        ("array<long>", 'write "[]int64"'),
        ("List[str]", 'write "[]string"'),
        ("byte[]", 'write "bytes"'),
        ("[]byte", 'write "bytes"'),
        *((text, "use an array of structs") for text in ("[][]int32", "[]bytes", "[]records", "[] [] Row")),
    ],
)
def test_unknown_types_are_refused_with_advice(text: str, instead: str) -> None:
    with pytest.raises(RefusedError) as refused:
        parse_type(text)
    assert refused.value.instead.startswith(instead)


def test_a_type_with_a_capital_letter_is_a_struct() -> None:
    assert parse_type("Int32") == (StructType("Int32"), None)


@pytest.mark.parametrize(
    ("start", "repeated", "end"),
    [("", "[]", ""), ("x", "[]", ""), ("", "list<", ""), ("", "list<", ">"), ("X", "-", "")],
)
def test_long_unknown_types_are_refused_with_a_short_error(start: str, repeated: str, end: str) -> None:
    with pytest.raises(RefusedError) as refused:
        parse_type(f"{start}{repeated * 100_000}{end}")
    assert len(refused.value.message) < 200
