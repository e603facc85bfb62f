from __future__ import annotations

import pytest

from messagegen.spec.model import MessageSpec
from tests.spec.building import Spec, accepted, field, message, read, refusals


def struct(name: str, *fields: Spec, versions: str = "0+") -> Spec:
    return {"name": name, "versions": versions, "fields": list(fields)}


def structs(spec: MessageSpec) -> list[tuple[str, str, str, bool]]:
    return [(s.name, str(s.versions), str(s.parent_versions), s.common) for s in spec.structs]


def test_inline_structs_precede_common_structs_in_order_of_appearance() -> None:
    spec = message(
        field("Rows", "[]Row", fields=[field("Cells", "[]Cell", fields=[field()]), field("At", "Cursor")]),
        field("Tail", "Tail", fields=[field()]),
        commonStructs=[struct("Page", field()), struct("Cursor", field("Page", "Page"))],
    )
    assert [name for name, *_ in structs(accepted(spec))] == ["Row", "Cell", "Tail", "Page", "Cursor"]


def test_the_versions_of_fields_that_hold_a_struct_are_united() -> None:
    inner = field("Cells", "[]Cell", "1+", fields=[field("Deep", "Deep", fields=[field()])])
    spec = message(
        field("Rows", "[]Row", "0-2", fields=[inner]),
        field("At", "Cursor", "2+"),
        commonStructs=[struct("Cursor", versions="2+")],
    )
    assert structs(accepted(spec)) == [
        ("Row", "0-2", "0-3", False),
        ("Cell", "1+", "0-2", False),
        ("Deep", "0+", "1-2", False),
        ("Cursor", "2+", "2+", True),
    ]


@pytest.mark.parametrize(
    ("type_", "rule", "instead"),
    [
        ("String", "STRUCT_DEFINED", 'did you mean "string"?'),
        ("[]Int32", "STRUCT_DEFINED", 'did you mean "[]int32"?'),
        ("Boolean", "STRUCT_DEFINED", 'did you mean "bool"?'),
        ("TOPICROW", "STRUCT_DEFINED", 'did you mean "TopicRow"?'),
        ("[]BrokerRow", "STRUCT_NAME_UNIQUE", "define it once, in commonStructs"),
        ("Brokrow", "STRUCT_DEFINED", 'did you mean "BrokerRow"?'),
        ("Nowhere", "STRUCT_DEFINED", 'write its "fields" here, [] if it has none,'),
    ],
)
def test_an_undefined_struct_is_reported(type_: str, rule: str, instead: str) -> None:
    rows = [field("First", "TopicRow"), field("Wrong", type_), field("Brokers", "[]BrokerRow", fields=[field()])]
    parsed = read(message(*rows, commonStructs=[struct("TopicRow", field())]))
    (finding,) = parsed.findings
    assert (finding.rule, finding.json_path) == (rule, "fields[1].type")
    assert finding.instead.startswith(instead)
    assert (finding.severity, parsed.spec) == ("error", None)


def test_a_struct_must_exist_in_the_first_version_of_its_field() -> None:
    common = [struct("Cursor", field(), versions="1-2")]
    accepted(message(field("At", "Cursor", "1+"), commonStructs=common))
    accepted(message(field("At", "Cursor", "2+"), commonStructs=common))
    assert refusals(message(field("At", "Cursor", "0+"), commonStructs=common)) == [
        ("STRUCT_PRESENT_WHERE_USED", "fields[0].versions")
    ]


def test_a_cycle_of_many_structs_is_reported_as_too_deep() -> None:
    count = 450
    common = [struct(f"S{i}", field("Next", f"S{i + 1}")) for i in range(count)]
    circle = [*common, struct(f"S{count}", field("Next", "S0"))]
    assert [rule for rule, _ in refusals(message(field("Head", "S0"), commonStructs=circle))] == ["STRUCT_NESTING"]


@pytest.mark.parametrize("type_", ["Shelf", "[]Shelf"])
def test_a_struct_without_fields_is_reported(type_: str) -> None:
    parsed = read(message(field("Shelves", type_)))
    (finding,) = parsed.findings
    assert (finding.rule, finding.severity) == ("STRUCT_DEFINED", "error")
    assert '"fields" here, [] if it has none' in finding.instead
    assert accepted(message(field("Shelves", type_, fields=[]))).struct("Shelf").fields == ()
