"""Specs that are larger than real specs: exceeding a limit is one finding, and specs within the limits are accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from messagegen.jsonc.parser import MAX_DEPTH
from messagegen.plan.build import build_plan
from messagegen.spec import parse
from messagegen.spec.layouts import MAX_LAYOUT_FIELDS, layout_fields
from messagegen.spec.message_rules import MAX_STRUCT_DEPTH
from messagegen.texts import MAX_BYTES
from tests.spec.building import Spec, accepted, field, message, read, refusals
from tests.support.specs import OWN, PURPOSE_MADE, read_specs


def chain(count: int) -> list[Spec]:
    """Return common structs. Each contains the next one, and the last has a single integer field."""
    inner = [*(field("Next", f"S{i + 1}") for i in range(1, count)), field()]
    return [{"name": f"S{i}", "versions": "0+", "fields": [inner[i - 1]]} for i in range(1, count + 1)]


def test_the_size_of_a_spec_is_limited() -> None:
    text = json.dumps(message(field())).encode()
    assert parse(text + b" " * (MAX_BYTES - len(text)), "Example.json").findings == ()
    (finding,) = parse(text + b" " * (MAX_BYTES - len(text) + 1), "Example.json").findings
    assert (finding.rule, finding.line, finding.column) == ("SPEC_TEXT_JSON", 1, 1)


@pytest.mark.slow
def test_nesting_of_common_structs_is_limited() -> None:
    accepted(message(field("Head", "S1"), commonStructs=chain(MAX_STRUCT_DEPTH)))
    for common in (chain(MAX_STRUCT_DEPTH + 1), chain(400), chain(400)[::-1]):
        ((rule, path),) = refusals(message(field("Head", "S1"), commonStructs=common))
        assert rule == "STRUCT_NESTING"
        assert path.startswith("commonStructs[")


@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        (lambda name: message(field(), name=name), "PROPERTY_TYPE"),
        (lambda name: message(field(name)), "PROPERTY_TYPE"),
        (lambda name: message(field("Row", name, fields=[])), "FIELD_TYPE_KNOWN"),
    ],
)
def test_names_are_limited_to_100_characters(spec: Any, rule: str) -> None:
    accepted(spec("N" * 100))
    assert [found for found, _ in refusals(spec("N" * 101))] == [rule]
    assert len(read(spec("N" * 100_000)).findings[0].message) < 200


def test_many_unknown_structs_take_linear_time() -> None:
    # If each struct were compared with every other struct, this would take minutes.
    common = [{"name": f"C{i}", "versions": "0+", "fields": [field("X", f"Nowhere{i}")]} for i in range(450)]
    assert len(refusals(message(field("At", "C1"), commonStructs=common))) == 450


def growing(count: int) -> Spec:
    """Return a message in which each version adds a field."""
    fields = [field(f"F{number}", versions=f"{number}+") for number in range(count)]
    return message(*fields, validVersions=f"0-{count - 1}")


def test_the_number_of_fields_in_all_layouts_is_limited() -> None:
    most = int(MAX_LAYOUT_FIELDS**0.5)
    accepted(growing(most))
    assert refusals(growing(most + 1)) == [("LAYOUT_FIELDS_LIMITED", "validVersions")]
    (finding,) = read(growing(1000)).findings
    assert "1000000 fields together, more than 20000" in str(finding)


def test_plans_do_not_exceed_the_counted_number_of_layout_fields() -> None:
    specs = read_specs([PURPOSE_MADE]) + read_specs([OWN])
    for spec in specs:
        plan = build_plan(spec)
        assert sum(len(plan.structs[layout.struct].fields) for layout in plan.layouts) <= layout_fields(spec)
    assert max(map(layout_fields, specs)) < MAX_LAYOUT_FIELDS / 50


def test_the_page_lists_all_limits() -> None:
    page = (OWN.parent / "docs" / "spec-language.md").read_text(encoding="utf-8")
    section = page.split("## Limits")[1].split("\n## ")[0]
    rows = [row.split("|")[1:3] for row in section.splitlines() if row.startswith("| ")][1:]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["the text of a spec", f"{MAX_BYTES >> 20} MiB"],
        ["JSON objects and lists inside each other", str(MAX_DEPTH)],
        ["characters in a name", "100"],
        ["common structs inside each other", str(MAX_STRUCT_DEPTH)],
        ["fields of all layouts of a message", f"{MAX_LAYOUT_FIELDS:,}"],
    ]


def test_nesting_of_json_is_limited() -> None:
    deep = "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)
    assert "nested too deeply" in str(parse(f'{{"type": {deep}}}', "Example.json").findings[0])
