"""The quick test of structure says the same as ``jsonschema``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from messagegen.spec import ERROR_CODES, MESSAGE_SPEC, schema_text
from messagegen.spec.schema import compile_schema
from tests.support.messy import SPECS, spec_value

SCHEMA = json.loads(schema_text(MESSAGE_SPEC))
QUICK, SLOW = compile_schema(SCHEMA), Draft202012Validator(SCHEMA)
WORDS = sorted(set(SCHEMA["properties"]) | set(SCHEMA["$defs"]["field"]["properties"]))
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, -1, 1.0, 1.5, 10**9, "", "0+", "3-1", "none", "true", "null", "x" * 101, "broker", "Name",
     "Name\n", "9name", [], {}, ["broker"], [None], [[]], {"0+": "int32"}, {"0+": 1}, {"x": "fixed32"}, {"name": "A", "type": "int8"}]
)  # fmt: skip


@st.composite
def damaged_specs(draw: st.DrawFn) -> Any:
    """The value of a spec in which some values are others, and some properties are missing or new."""
    value = spec_value(draw(st.sampled_from(SPECS)))
    for _ in range(draw(st.integers(0, 3))):
        holders = [value, *_objects(value)]
        holder = draw(st.sampled_from(holders))
        name = draw(st.sampled_from(sorted(holder) + WORDS))
        if draw(st.booleans()):
            holder[name] = draw(ODD)
        else:
            holder.pop(name, None)
    return value


def _objects(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [found for item in value for found in _objects(item)]
    if isinstance(value, dict):
        return [value, *(found for item in value.values() for found in _objects(item))]
    return []


@given(st.lists(damaged_specs(), min_size=20, max_size=20))
def test_agrees_with_jsonschema(values: list[Any]) -> None:
    for value in values:
        assert QUICK(value) == SLOW.is_valid(value), value


@given(st.lists(ODD, min_size=5, max_size=5))
def test_agrees_on_what_is_no_spec(values: list[Any]) -> None:
    for value in values:
        assert QUICK(value) == SLOW.is_valid(value), value


@pytest.mark.parametrize(
    "path",
    sorted((Path(__file__).parent.parent / "fixtures" / "bad_error_codes").glob("[!s]*.json")),
    ids=lambda path: path.stem,
)
def test_agrees_on_error_codes(path: Path) -> None:
    schema = json.loads(schema_text(ERROR_CODES))
    value = spec_value(path)
    assert compile_schema(schema)(value) == Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize("schema", [{"oneOf": []}, {"properties": {}}])
def test_refuses_keywords_that_it_does_not_know(schema: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"keyword|properties"):
        compile_schema(schema)
