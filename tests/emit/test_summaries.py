"""Facts about fields in their docstrings."""

from __future__ import annotations

from typing import Any, Final

import pytest

from messagegen.emit.summaries import facts
from tests.support.specs import field, plan_of

VERSIONS: Final = {"validVersions": "0-9", "flexibleVersions": "3+"}


def said(name: str, type_: str, versions: str = "0+", **others: Any) -> str:
    plan = plan_of(field(name, type_, versions, **others), **VERSIONS)
    return facts(plan, plan.structs[0].fields[0])


@pytest.mark.parametrize(
    ("type_", "versions", "others", "text"),
    [
        ("int32", "0+", {}, ""),
        ("int32", "0-9", {"ignorable": True}, ""),
        ("int32", "4+", {}, "Versions 4+."),
        ("int32", "0-3", {"ignorable": True}, "Versions 0-3; ignorable."),
        ("int32", "3", {"default": "-1"}, "Version 3."),
        ("int32", "9", {}, "Versions 9+."),
        ("string", "0+", {"nullableVersions": "5+"}, "May be null in versions 5+."),
        ("string", "2+", {"nullableVersions": "2+", "default": "null"}, "Versions 2+; may be null."),
        ("int8", "3+", {"taggedVersions": "3+", "tag": 0}, "Versions 3+; tag 0."),
        ("int8", "0+", {"taggedVersions": "4+", "tag": 0}, "Tag 0 in versions 4+."),
    ],
)
def test_docstrings_state_the_versions_and_nullability_and_tag_of_a_field(
    type_: str, versions: str, others: dict[str, Any], text: str
) -> None:
    assert said("A", type_, versions, **others) == text
