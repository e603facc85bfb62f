"""The format of specs is stable, and formatting does not change the meaning of a spec."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given

from messagegen.findings import SpecError
from messagegen.fmt import format_spec
from messagegen.fmt.layout import FIELD_ORDER, LAST, MESSAGE_ORDER
from messagegen.plan.text import plan_text
from messagegen.spec import parse, schema_text
from tests.conftest import Golden
from tests.support.messy import messy_specs
from tests.support.specs import checked_plan

FIXTURES = Path(__file__).parent.parent / "fixtures" / "fmt"
CASES = sorted(FIXTURES.glob("*.json"))


def formatted(text: str) -> str:
    return format_spec(text.encode(), "Made.json").decode()


def comments(text: str) -> list[str]:
    """Return the comments of a text. Its strings must not contain comment markers."""
    return sorted(found.strip() for found in re.findall(r"//.*|/\*(?s:.*?)\*/", text.replace("\r\n", "\n")))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_formatted_specs_equal_golden_files(case: Path, golden: Golden) -> None:
    golden(FIXTURES / "formatted" / case.name, formatted(case.read_text(encoding="utf-8")))


@given(messy_specs())
def test_formatting_is_stable_and_keeps_the_meaning_of_a_spec(text: str) -> None:
    after = formatted(text)
    assert formatted(after) == after
    assert comments(after) == comments(text)
    old, new = parse(text, "Made.json"), parse(after, "Made.json")
    assert [finding.rule for finding in new.findings] == [finding.rule for finding in old.findings]
    assert old.spec is not None
    assert new.spec is not None
    if not old.spec.valid_versions.empty:
        assert plan_text(checked_plan(new.spec)) == plan_text(checked_plan(old.spec))


def test_the_byte_order_mark_and_carriage_returns_are_removed() -> None:
    assert (
        format_spec(b'\xef\xbb\xbf{ "type":\r\n"data" } // end\r\n', "Made.json") == b'{\n  "type": "data"\n} // end\n'
    )


def test_invalid_properties_are_kept() -> None:
    assert formatted('{"tyep": 1, "fields": [{"name": 1}, 2, []]}') == (
        '{\n  "tyep": 1,\n  "fields": [\n    { "name": 1 },\n    2,\n    []\n  ]\n}\n'
    )


@pytest.mark.parametrize("data", [b"{", b"\xff", b"{} {}", b" " * (2**20 + 1)], ids=lambda data: repr(data[:5]))
def test_text_that_cannot_be_read_is_a_finding(data: bytes) -> None:
    with pytest.raises(SpecError) as caught:
        format_spec(data, "Made.json")
    assert [finding.rule for finding in caught.value.findings] == ["SPEC_TEXT_JSON"]


def test_every_property_has_a_place_in_the_order() -> None:
    schema = json.loads(schema_text())
    assert {*MESSAGE_ORDER, *LAST} - {"structAbout"} == set(schema["properties"])
    struct, field = (schema["$defs"][name]["properties"] for name in ("struct", "field"))
    assert {*FIELD_ORDER, *LAST} - {"commonStructs"} == set(struct) | set(field)
