"""The advice of findings works: if it is applied to the bad spec of the finding, no finding remains.

Values to write and properties to remove are applied literally. For prose, such as "rename one of them",
``BY_HAND`` contains the edit. A new bad spec whose advice is prose fails until it has an edit.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from messagegen.findings import Finding
from messagegen.jsonc import parse_json, plain
from messagegen.spec import parse, parse_error_codes
from tests.spec.bad_specs import ERROR_CODES, FOLDER
from tests.support.advice import edits

CASES = [*sorted(FOLDER.glob("*.json")), *sorted(ERROR_CODES.glob("*.json"))]
UNTRIED = {"spec_text_json_nesting", "layout_fields_limited"}
"""Specs that are too large for a repair by one edit."""
STEPS = 3
FIELD = '{ "name": "Count", "type": "int32", "versions": "0+"'
BY_HAND: dict[str, tuple[str, str]] = {
    "error_code_none": ("NO_ERROR", "NONE"),
    "error_code_none_elsewhere": ('{ "code": 1, "name": "NONE" }', '{ "code": 0, "name": "NONE" }'),
    "error_code_none_missing": ('"errors": [', '"errors": [{ "code": 0, "name": "NONE" },'),
    "error_code_unique": ('"code": 7, "name": "BROKER', '"code": 8, "name": "BROKER'),
    "error_code_unique_error_name_unique": ('"name": "REQUEST_TIMED_OUT" }', '"name": "BROKER_NOT_AVAILABLE" }'),
    "property_type_error_file": (
        '[\n  { "code": 0, "name": "NONE" }\n]',
        '{ "errors": [{ "code": 0, "name": "NONE" }] }',
    ),
    "property_written_once_error": ('"errors": [{ "code": 0, "name": "NONE" }],', ""),
    "spec_text_json_error": ('"NONE" }\n', '"NONE" },\n'),
    "default_fits_type_array": (', "default": "[1]"', ""),
    "default_fits_type_bytes": (', "default": "AAAA"', ""),
    "default_fits_type_struct": (', "default": "{}"', ""),
    "field_name_unique": ('"name": "Count", "type": "int64"', '"name": "Sum", "type": "int64"'),
    "field_name_unique_common": ('"name": "Count", "type": "int64"', '"name": "Sum", "type": "int64"'),
    "field_name_unique_field_json_key_unique": ('"name": "count"', '"name": "Sum"'),
    "field_name_unique_inner": ('"name": "Count", "type": "int64"', '"name": "Sum", "type": "int64"'),
    "field_type_known_array_element_type_array": (
        '"[][]int32", "versions": "0+"',
        '"[]Row", "versions": "0+", "fields": [{ "name": "Cells", "type": "[]int32", "versions": "0+" }]',
    ),
    "field_type_known_array_element_type_bytes": (
        '"[]bytes", "versions": "0+"',
        '"[]Row", "versions": "0+", "fields": [{ "name": "Cell", "type": "bytes", "versions": "0+" }]',
    ),
    "field_type_known_array_element_type_records": (
        '"[]records", "versions": "0+"',
        '"[]Row", "versions": "0+", "fields": [{ "name": "Cell", "type": "records", "versions": "0+" }]',
    ),
    "fields_only_in_structs_struct_about_with_fields": ('"structAbout"', '"about"'),
    "fields_only_in_structs_struct_about_with_fields_common": ('"structAbout"', '"about"'),
    "header_version_fits_header_version": ('"2+": 2', '"2+": 1'),
    "header_version_fits_header_version_flexible": ('"0-2": 1', '"0-2": 2'),
    "header_version_fits_header_version_flexible_response": ('"0+": 0', '"0+": 1'),
    "header_version_fits_header_versions_never_decrease": ('"2+": 1', '"2+": 2'),
    "message_valid_versions_closed": ('"validVersions": "0+"', '"validVersions": "0-3"'),
    "property_known_foreign": (', "unit": "ms"', ""),
    "property_type_version_range_key": ('"from 2"', '"2+"'),
    "property_written_once": ('"versions": "0-1", ', ""),
    "property_written_once_same": ('"versions": "0+", "about"', '"about"'),
    "spec_text_json_bad_escape": ("C:\\data", "C:\\\\data"),
    "spec_text_json_bare_fraction": (".5", '".5"'),
    "spec_text_json_bracket_too_many": ("}}", "}"),
    "spec_text_json_colon_for_comma": ('"Count": ', '"Count", '),
    "spec_text_json_control_character": ("one\ttwo", "one\\ttwo"),
    "spec_text_json_equals_sign": ('"type" =', '"type":'),
    "spec_text_json_hash_comment": ("# the", "// the"),
    "spec_text_json_hexadecimal": ("0x7f", '"0x7f"'),
    "spec_text_json_leading_comma": (", { ", "{ "),
    "spec_text_json_leading_plus": ("+7", '"+7"'),
    "spec_text_json_leading_zero": ("007", '"7"'),
    "spec_text_json_merge_conflict": (
        '<<<<<<< HEAD\n  "validVersions": "0-3",\n=======\n  "validVersions": "0-4",\n>>>>>>> add-a-field\n',
        '  "validVersions": "0-4",\n',
    ),
    "spec_text_json_minus_infinity": ("-Infinity", '"-Infinity"'),
    "spec_text_json_missing_colon": ('"name" "Count"', '"name": "Count"'),
    "spec_text_json_missing_comma": ('"name": "Count"\n', '"name": "Count",\n'),
    "spec_text_json_missing_comma_in_list": (FIELD + " }\n", FIELD + " },\n"),
    "spec_text_json_missing_value": ('"type": ,', '"type": "int32",'),
    "spec_text_json_nan": ("NaN", '"NaN"'),
    "spec_text_json_no_value": ('"ignorable"', '"versions": "0+"'),
    "spec_text_json_number_as_name": ("{ 0: ", '{ "0+": '),
    "spec_text_json_one_value_closing_bracket": ("\n}\n}\n", "\n}\n"),
    "spec_text_json_one_value_empty": (
        "// Nothing but a comment.",
        '{ "type": "data", "name": "Example", "validVersions": "0", "flexibleVersions": "0+" }',
    ),
    "spec_text_json_one_value_two": ('{ "name": "Second" }', ""),
    "spec_text_json_python_literal": ("True", "true"),
    "spec_text_json_single_quotes": ("'Count'", '"Count"'),
    "spec_text_json_single_quotes_around_name": ("'name'", '"name"'),
    "spec_text_json_stray_sign": ("@int32", '"int32"'),
    "spec_text_json_trailing_comma": ('"0+", }', '"0+" }'),
    "spec_text_json_trailing_comma_in_list": ("},\n  ]", "}\n  ]"),
    "spec_text_json_true_as_name": ("true:", '"name":'),
    "spec_text_json_two_colons": ("::", ":"),
    "spec_text_json_two_commas": (",,", ","),
    "spec_text_json_unclosed_comment": ("/* The end", "/* The end */"),
    "spec_text_json_unclosed_list": (FIELD + " }\n", FIELD + " } ] }\n"),
    "spec_text_json_unclosed_object": (FIELD + "\n", FIELD + " }\n"),
    "spec_text_json_unclosed_spec": ("  ]\n", "  ] }\n"),
    "spec_text_json_unclosed_string": ('"Count,', '"Count",'),
    "spec_text_json_undefined": ("undefined", "null"),
    "spec_text_json_unquoted_name": ("{ name:", '{ "name":'),
    "spec_text_json_unquoted_text": ('"name": Count', '"name": "Count"'),
    "spec_text_json_unusual_blank": ("\xa0", " "),
    "spec_text_json_utf8": ("\ufffd", "a"),
    "spec_text_json_utf8_surrogate": ("\\ud83d", "\N{GRINNING FACE}"),
    "spec_text_json_wrong_bracket": ('"0+" ]', '"0+" }'),
    "struct_defined_nowhere": ('"versions": "0+" }', '"versions": "0+", "fields": [] }'),
    "struct_name_unique_common": (
        ',\n    { "name": "Cursor", "versions": "0+", "fields": [\n      ' + FIELD + " }\n    ]}\n  ],",
        "\n  ],",
    ),
    "struct_name_unique_inline": ('"MoreRows", "type": "[]Row"', '"MoreRows", "type": "[]OtherRow"'),
    "struct_name_unique_reference": (
        '"name": "LastRow", "type": "Row"',
        '"name": "LastRow", "type": "Other", "fields": []',
    ),
    "struct_name_unique_struct_name_not_message_name_common": (
        '{ "name": "Example", "versions": "0+", "fields": [\n      ' + FIELD + " }\n    ]}\n  ],\n"
        '  "fields": [\n    { "name": "Rows", "type": "[]Example"',
        '{ "name": "Row", "versions": "0+", "fields": [' + FIELD + " }]}\n  ],\n"
        '  "fields": [\n    { "name": "Rows", "type": "[]Row"',
    ),
    "struct_name_unique_struct_name_not_message_name": ('"[]Example"', '"[]Row"'),
    "struct_nesting": (
        '"type": "Level51", "versions": "0+" }] },\n    { "name": "Level51", "versions": "0+", "fields": ['
        + FIELD
        + " }] }",
        '"type": "bytes", "versions": "0+" }] }',
    ),
    "struct_nesting_struct_not_recursive_circle": ('"[]Cursor"', '"bytes"'),
    "struct_nesting_struct_not_recursive_self": ('"[]Cursor"', '"bytes"'),
    "struct_not_inside_common_struct": (
        '"[]Row", "versions": "0+", "fields": [\n        ' + FIELD + " }\n      ]}\n    ]}",
        '"[]Row", "versions": "0+" }]},\n    { "name": "Row", "versions": "0+", "fields": [' + FIELD + " }]}",
    ),
    "struct_not_inside_common_struct_reference": (
        ']}\n  ],\n  "fields": [\n    { "name": "At", "type": "Cursor", "versions": "0+" },\n'
        '    { "name": "Rows", "type": "[]Row", "versions": "0+", "fields": [\n      ' + FIELD + " }\n    ]}\n",
        ']},\n    { "name": "Row", "versions": "0+", "fields": [' + FIELD + " }]}\n  ],\n"
        '  "fields": [\n    { "name": "At", "type": "Cursor", "versions": "0+" }\n',
    ),
    "struct_not_inside_common_struct_struct_defined": (
        '"commonStructs": [',
        '"commonStructs": [{ "name": "Curser", "versions": "0+", "fields": [] },',
    ),
    "struct_not_inside_common_struct_struct_defined_far": (
        '"commonStructs": [',
        '"commonStructs": [{ "name": "TopicPartition", "versions": "0+", "fields": [] },',
    ),
    "struct_present_where_used": ('"Cursor", "versions": "0+" }', '"Cursor", "versions": "2+" }'),
    "struct_present_where_used_common": ('"Page", "versions": "1+"', '"Page", "versions": "2+"'),
    "struct_used": ('"commonStructs": [{ "name": "Row", "versions": "0+", "fields": [] }],', ""),
    "type_map_of_integers": ('"string"', '"varint64"'),
    "type_map_of_integers_array": ('"[]int32"', '"int64"'),
    "type_map_of_integers_narrow": ('"int8"', '"int16"'),
    "version_map_covers_versions_encoding_covers_versions_both": ('"0-1": "fixed32", "2"', '"1": "fixed32", "2-3"'),
    "version_map_covers_versions_encoding_covers_versions_extra": ('"0-1": "fixed32", ', ""),
    "version_map_covers_versions_encoding_covers_versions_gap": ('"0": "fixed32"', '"0-1": "fixed32"'),
    "version_map_covers_versions_encoding_covers_versions_missing": ('"0-1": "packed32"', '"0+": "packed32"'),
    "version_map_covers_versions_encoding_disjoint": ('"1+"', '"3+"'),
    "version_map_covers_versions_header_versions_contiguous_end": ('"2-3"', '"2+"'),
    "version_map_covers_versions_header_versions_contiguous_gap": ('"0": 1', '"0-1": 1'),
    "version_map_covers_versions_header_versions_contiguous_overlap": ('"2+": 2', '"3+": 2'),
    "version_map_covers_versions_header_versions_contiguous_start": ('"1+": 2', '"0+": 2'),
    "version_map_covers_versions_type_map_covers_versions": ('"1": "int32"', '"0-1": "int32"'),
    "version_map_covers_versions_type_map_disjoint": ('"2+": "varint64"', '"3+": "varint64"'),
    "property_type_spec": ("[{\n", "{\n"),
}
"""An edit for each bad spec whose advice is prose: the text to replace, and the new text."""


def finding_of(case: Path) -> Finding:
    (finding,) = findings_of(case.read_bytes(), case)
    return finding


def findings_of(text: str | bytes, case: Path) -> tuple[Finding, ...]:
    """Return the findings about ``text``, parsed in place of the text of ``case``."""
    return (parse_error_codes if case.parent == ERROR_CODES else parse)(text, case.name).findings


def apart(path: str, other: str) -> bool:
    """Whether neither path contains the other."""
    return not f"{path}.".startswith(f"{other}.") and not f"{other}.".startswith(f"{path}.")


def leads_nowhere(text: str, case: Path, before: tuple[Finding, ...]) -> str:
    """Follow the advice about a spec step by step, and return why it fails; "" if no finding remains.

    A step may reveal findings at other places, which earlier mistakes have hidden.
    """
    found = findings_of(text, case)
    # A step that replaces an error by a warning is progress. So if the first finding is an error, ignore warnings.
    findings = [one for one in found if one.severity == "error" or before[0].severity == "warning"]
    if not findings:
        return ""
    worse = [new for new in findings for old in before if not apart(new.json_path, old.json_path)]
    if worse or len(before) == STEPS:
        return f"{before[-1]} led to {findings[0]}: {text}"
    after = [json.dumps(one) for one in edits(findings[0], plain(parse_json(text).root.value))]
    reasons = [leads_nowhere(one, case, (*before, findings[0])) for one in after]
    return (
        ""
        if "" in reasons
        else "; ".join(reasons) or f"{before[-1]} led to {findings[0]}, whose advice is prose: {text}"
    )


@pytest.mark.parametrize("case", [case for case in CASES if case.stem not in UNTRIED], ids=lambda case: case.stem)
def test_the_advice_about_a_bad_spec_can_be_followed(case: Path) -> None:
    finding, text = finding_of(case), case.read_text(encoding="utf-8", errors="replace")
    if case.stem in BY_HAND:
        old, new = BY_HAND[case.stem]
        assert text.count(old) == 1, (str(finding), old)
        repaired = [text.replace(old, new)]
    elif finding.rule == "SPEC_TEXT_JSON":
        repaired = []
    else:
        repaired = [json.dumps(one) for one in edits(finding, plain(parse_json(text).root.value))]
    assert repaired, f"add an edit to BY_HAND that does this: {finding.instead}"
    reasons = [leads_nowhere(one, case, (finding,)) for one in repaired]
    if "write one of" in finding.instead:
        # The advice lists several words, and only some may fit.
        assert "" in reasons, reasons
    else:
        assert [reason for reason in reasons if reason] == []
