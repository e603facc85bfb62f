"""Comments in merged specs name the set that an old part is from."""

from __future__ import annotations

import json
from collections.abc import Mapping

from messagegen.merge import SpecSet, merge_sets
from tests.support.merging import Json, field, message


def merged_text(sets: Mapping[str, Json | None], name: str = "OrderRequest") -> str:
    """Return the merged spec of a message. ``sets`` maps labels of sets to the message's spec, or to ``None``."""
    other = json.dumps(message("0", name="OtherData", type="data", apiKey=None)).encode()
    given = []
    for label, spec in sets.items():
        texts = {f"{label}/OtherData.json": other}
        if spec is not None:
            texts[f"{label}/{spec['name']}.json"] = json.dumps(spec).encode()
        given.append(SpecSet(label, texts))
    (text,) = [text for file, text in merge_sets(given).texts.items() if file.endswith(f"{name}.json")]
    return text.decode()


def test_old_versions_and_fields_and_structs_get_comments() -> None:
    item = {"name": "Item", "versions": "0+", "fields": [field("Sku", "0+")]}
    oldest = message("0-1", field("Id", "0+"), field("Rack", "0", "string"), field("Items", "0", "[]Item"))
    old = message(
        "1-2", field("Id", "0+"), field("Rows", "1", "[]Row", fields=[field("Key", "1"), field("Value", "1")])
    )
    new = message("2-3", field("Id", "0+"), field("Note", "3+", "string"))
    text = merged_text({"v1": {**oldest, "commonStructs": [item]}, "v2": old, "v3": new})
    assert text == (
        "{\n"
        '  "apiKey": 7,\n'
        '  "type": "request",\n'
        '  "name": "OrderRequest",\n'
        "  // Version 0 is from v1.\n"
        "  // Version 1 is from v2.\n"
        '  "validVersions": "0-3",\n'
        '  "flexibleVersions": "none",\n'
        '  "fields": [\n'
        '    { "name": "Id", "type": "int32", "versions": "0+" },\n'
        "    // From v1.\n"
        '    { "name": "Rack", "type": "string", "versions": "0" },\n'
        "    // From v1.\n"
        '    { "name": "Items", "type": "[]Item", "versions": "0" },\n'
        "    // From v2.\n"
        '    { "name": "Rows", "type": "[]Row", "versions": "1", "fields": [\n'
        '      { "name": "Key", "type": "int32", "versions": "1" },\n'
        '      { "name": "Value", "type": "int32", "versions": "1" }\n'
        "    ]},\n"
        '    { "name": "Note", "type": "string", "versions": "3+" }\n'
        "  ],\n"
        '  "commonStructs": [\n'
        "    // From v1.\n"
        '    { "name": "Item", "versions": "0+", "fields": [\n'
        '      { "name": "Sku", "type": "int32", "versions": "0" }\n'
        "    ]}\n"
        "  ]\n"
        "}\n"
    )


def test_a_message_that_only_old_sets_have_gets_a_comment() -> None:
    text = merged_text({"v1": message("0", field("Id", "0+")), "v2": message("0-1", field("Id", "0+")), "v3": None})
    assert text.startswith('// From v2.\n{\n  "apiKey": 7,')
    assert text.count("//") == 1


def test_a_retired_message_gets_a_comment() -> None:
    retired = {"apiKey": 7, "type": "request", "name": "OrderRequest", "validVersions": "none"}
    text = merged_text({"v1": message("0", field("Id", "0+")), "v2": retired})
    assert text.startswith("// From v1.\n{")


def test_renamed_messages_and_fields_keep_comments_about_old_parts() -> None:
    old = message("0-1", field("Id", "0+"), field("Gone", "0"), name="PlaceRequest")
    new = message("1-2", field("Key", "0+"))
    text = merged_text({"v1": old, "v2": new})
    assert "  // Version 0 is from v1.\n" in text
    assert '    { "name": "Key", "type": "int32", "versions": "0+" },\n    // From v1.\n    { "name": "Gone"' in text


def test_parts_of_the_newest_set_do_not_get_comments() -> None:
    assert "//" not in merged_text({"v1": message("0", field("Id", "0+")), "v2": message("0-1", field("Id", "0+"))})


def test_line_breaks_in_labels_are_escaped() -> None:
    text = merged_text({"a\nb": message("0", field("Id", "0+")), "v2": message("1", field("Id", "0+"))})
    assert "  // Version 0 is from a\\u000ab.\n" in text
