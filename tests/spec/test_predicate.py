"""The predicates accept the same values as ``jsonschema``."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from messagegen.jsonc import JsonError, parse_json, plain
from messagegen.spec import schema_text
from messagegen.spec.predicate import predicate
from messagegen.spec.structure import ERROR_CODES, MESSAGE_SPEC
from tests.spec import bad_specs
from tests.support.profiles import examples
from tests.support.specs import PURPOSE_MADE

INTEGERS: Final = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
NUMBERS: Final = (0, 1, 3, 4, -1, 1.0, 1.5, 32767, 32768, -32768, -32769, 2**31 - 1, 2**31, float("inf"))
TEXTS: Final = ("", " ", "x", "1", "0+", "0-3", "none", "0+\n", "Name", "Name\n", "int32", " [] bytes ", "varint64")
WORDS: Final = ("broker", "data", "request", "true", "TRUE", "fixed32", "-32768", "32768", "4", "A" * 100, "A" * 101)
PARTS: Final[tuple[Any, ...]] = (
    [],
    ["broker"],
    {},
    {"0+": "fixed32"},
    {"0+": 1},
    {"x": 1},
    [{}],
    [[]],
    {"name": "A", "type": "int8"},
)
ODD: Final = st.sampled_from([None, True, False, *NUMBERS, *TEXTS, *WORDS, *PARTS])
SOURCES: Final = {
    MESSAGE_SPEC: (PURPOSE_MADE, bad_specs.FOLDER),
    ERROR_CODES: (Path(__file__).parents[2] / "error_codes", bad_specs.ERROR_CODES),
}
"""Folders of files that a schema accepts or rejects."""


@cache
def values(schema: str) -> list[Any]:
    """Return the values of all files that are JSON, the shortest first."""
    found = []
    for path in (path for folder in SOURCES[schema] for path in folder.rglob("*.json")):
        try:
            found.append(plain(parse_json(path.read_bytes()).root.value))
        except JsonError:
            continue
    return sorted(found, key=lambda value: len(json.dumps(value)))


def expected(schema: dict[str, Any], value: Any) -> bool:
    return bool(cast("Any", extend)(Draft202012Validator, type_checker=INTEGERS)(schema).is_valid(value))


def containers(value: Any) -> list[Any]:
    """Return all objects and arrays in a value."""
    if not isinstance(value, (dict, list)):
        return []
    inside = value.values() if isinstance(value, dict) else value
    return [value, *(each for one in inside for each in containers(one))]


@pytest.mark.parametrize("name", SOURCES)
def test_the_files_of_tests_are_judged_like_by_jsonschema(name: str) -> None:
    schema = json.loads(schema_text(name))
    accepts = predicate(schema)
    judged = [accepts(value) for value in values(name)]
    assert judged == [expected(schema, value) for value in values(name)]
    assert {*judged} == {True, False}


@pytest.mark.parametrize("name", SOURCES)
@examples(200)
@given(data=st.data())
def test_changed_files_are_judged_like_by_jsonschema(name: str, data: st.DataObject) -> None:
    schema = json.loads(schema_text(name))
    value = copy.deepcopy(data.draw(st.sampled_from([one for one in values(name) if containers(one)])))
    place = data.draw(st.sampled_from(containers(value)))
    if isinstance(place, dict):
        known = [*place, *schema["properties"], *schema.get("$defs", {}).get("field", schema)["properties"], "0+", "x"]
        key = data.draw(st.sampled_from(known))
        if key in place and data.draw(st.booleans()):
            del place[key]
        else:
            place[key] = copy.deepcopy(data.draw(ODD))
    else:
        place.insert(data.draw(st.integers(0, len(place))), copy.deepcopy(data.draw(ODD)))
    assert predicate(schema)(value) == expected(schema, value)


@pytest.mark.parametrize("value", [None, True, 1, "text", [], [{}]], ids=str)
@pytest.mark.parametrize("name", SOURCES)
def test_files_without_an_object_are_rejected(name: str, value: object) -> None:
    assert not predicate(json.loads(schema_text(name)))(value)


def test_unknown_keywords_are_not_ignored() -> None:
    with pytest.raises(NotImplementedError, match=r"^keywords without a predicate: multipleOf$"):
        predicate({"type": "integer", "multipleOf": 2})
