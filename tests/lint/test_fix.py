"""Fixing changes spelling and nothing else."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from messagegen.lint import RULE_NAMES, fix, lint
from messagegen.plan.text import plan_text
from messagegen.spec import parse
from tests.support.messy import SPECS, messy_text, spec_value
from tests.support.specs import checked_plan

SPELLINGS: dict[str, tuple[object, ...]] = {
    "ignorable": (False, "false", "true", 1, None),
    "mapKey": (False, None, ""),
    "zeroCopy": (False, "FALSE"),
    "sensitive": ("true", False),
    "entityType": ("unknown", None),
    "nullableVersions": ("none", "", None, "0-32767"),
    "taggedVersions": ("none", None),
    "flexibleVersions": (None,),
    "default": ("", "0", 0, "+0", "false", "-1", "0x10", "null", "-0.0", "007", None),
    "type": ("double", "varint32", "[]unsigned_varint64", " int32", {"0+": "int32"}, "float64"),
    "versions": ("0-32767", " 0+", 0),
    "tag": ("0", 0.0),
    "about": ("", 12, None),
}


@st.composite
def odd_specs(draw: st.DrawFn) -> str:
    """The text of a spec, in which some properties have odd spellings or say nothing."""
    value = spec_value(draw(st.sampled_from(SPECS)))
    fields = _fields(value)
    for _ in range(draw(st.integers(1, 6))):
        if fields:
            field, name = draw(st.sampled_from(fields)), draw(st.sampled_from(sorted(SPELLINGS)))
            field[name] = draw(st.sampled_from(SPELLINGS[name]))
    return messy_text(value, draw(st.randoms(use_true_random=False)))


def _fields(value: Any) -> list[Any]:
    lists = [value.get(name, []) for name in ("fields", "commonStructs")]
    # One field may stand for a list of one.
    lists = [items if isinstance(items, list) else [items] for items in lists]
    return [found for items in lists for item in items for found in (item, *_fields(item))]


@given(st.lists(odd_specs(), min_size=10, max_size=10))
def test_keeps_the_plan_and_leaves_nothing_to_fix(texts: list[str]) -> None:
    for text in texts:
        before = parse(text, "Made.json").spec
        if before is None:
            continue
        fixed = fix({"Made.json": text.encode()}, RULE_NAMES.select())
        data = fixed.texts.get("Made.json", text.encode())
        after = parse(data, "Made.json").spec
        # NaN is not equal to itself, and the two zeros of floats are equal.
        assert repr(after) == repr(before)
        assert after is not None
        assert not [one.finding for one in lint({"Made.json": data}, RULE_NAMES.select()) if one.edits]
        if not before.valid_versions.empty:
            assert plan_text(checked_plan(after)) == plan_text(checked_plan(before))


@given(odd_specs())
def test_a_spec_with_an_error_stays_as_it_is(text: str) -> None:
    broken = text.replace('"validVersions"', '"validVersion"')
    assume(json.dumps("validVersion") in broken)
    assert fix({"Made.json": broken.encode()}, RULE_NAMES.select()).texts == {}
