"""Files of error codes: accepted files, and the positions of findings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.jsonc import Position
from messagegen.spec import ErrorCodesSpec, check_beside_error_codes, parse_error_codes
from tests.support.specs import spec

NONE = {"code": 0, "name": "NONE"}
KEYS = st.sampled_from(["errors", "code", "name", "retriable", "about", "x"])
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=12,
)


def read(*errors: dict[str, object]) -> ErrorCodesSpec:
    parsed = parse_error_codes(json.dumps({"errors": [NONE, *errors]}), "errors.json")
    assert parsed.spec is not None, parsed.findings
    return parsed.spec


def test_error_codes_are_read_with_all_properties_in_file_order() -> None:
    text = """// with a comment
    { "errors": [
        { "code": 7, "name": "REQUEST_TIMED_OUT", "retriable": true, "about": "Too late." },
        { "code": 0, "name": "NONE" }
    ] }"""
    parsed = parse_error_codes(text.encode(), "errors.json")
    assert parsed.findings == ()
    assert parsed.spec is not None
    late, none = parsed.spec.errors
    assert (late.code, late.name, late.retriable, late.about) == (7, "REQUEST_TIMED_OUT", True, "Too late.")
    assert (none.code, none.name, none.retriable, none.about) == (0, "NONE", False, "")
    assert late.place.of("name") == Position(3, 30)
    assert parsed.spec.file == "errors.json"


@pytest.mark.parametrize("name", ["", "a", "1A", "A__B", "A_", "_A", "A-B", "Ä", "A\n", "class"])
def test_invalid_names_are_refused(name: str) -> None:
    parsed = parse_error_codes(json.dumps({"errors": [NONE, {"code": 1, "name": name}]}), "errors.json")
    assert [finding.rule for finding in parsed.findings] == ["PROPERTY_TYPE"]
    assert parsed.spec is None


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        (
            [{"code": 3, "name": "A"}, {"code": 3, "name": "A"}],
            [("ERROR_CODE_UNIQUE", "errors[1].code"), ("ERROR_CODE_UNIQUE", "errors[1].name")],
        ),
        (
            [{"code": True, "name": "B"}, {"name": "C", "about": 5}],
            [
                ("PROPERTY_TYPE", "errors[0].code"),
                ("PROPERTY_REQUIRED", "errors[1].code"),
                ("PROPERTY_TYPE", "errors[1].about"),
            ],
        ),
    ],
)
def test_all_findings_of_a_stage_are_reported_together(errors: list[object], expected: list[tuple[str, str]]) -> None:
    findings = parse_error_codes(json.dumps({"errors": [*errors, NONE]}), "x.json").findings
    assert [(finding.rule, finding.json_path) for finding in findings] == expected


@given(ANY_JSON)
def test_any_json_yields_a_model_or_findings(value: object) -> None:
    parsed = parse_error_codes(json.dumps(value), "x.json")
    assert (parsed.spec is None) == bool(parsed.findings)


def test_messages_whose_names_clash_with_error_codes_are_reported() -> None:
    specs = [spec(name="ErrorCodes"), spec(name="Error_Code"), spec(name="ErrorCodesRequest")]
    found = check_beside_error_codes(specs)
    assert [finding.rule for finding in found] == ["MESSAGE_NAME_UNIQUE", "MESSAGE_NAME_UNIQUE"]
