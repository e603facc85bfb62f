from __future__ import annotations

import pytest

from messagegen.spec.field_types import parse_type
from messagegen.spec.model import StructType
from messagegen.spec.report import RefusedError


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("strng", "write bool, int8"),
        ("", "write bool, int8"),
        ("Topic.Data", "write bool, int8"),
        ("Ünicode", "write bool, int8"),
        ("[]", "write bool, int8"),
        *((text, "use an array of structs") for text in ("[][]int32", "[]bytes", "[]records", "[] [] Row")),
    ],
)
def test_refuses_other_names(text: str, instead: str) -> None:
    with pytest.raises(RefusedError) as refused:
        parse_type(text)
    assert refused.value.instead.startswith(instead)


def test_a_capital_makes_it_the_name_of_a_struct() -> None:
    assert parse_type("Int32") == (StructType("Int32"), None)
