"""The output ``fields``: each field has a row with the names, versions and default from its spec."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen.outputs.fields import COLUMNS, fields_text
from messagegen.plan.ops import MessagePlan
from messagegen.primitives import PRIMITIVES
from messagegen.spec.defaults import parse_default
from messagegen.spec.model import MessageSpec
from tests.support.specs import OWN, PURPOSE_MADE, build, field, plan_of, plans, read_specs


def rows(*plans: MessagePlan) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(fields_text(plans), newline=""), strict=True))


def test_the_table_describes_each_field() -> None:
    sample = field("Celsius", "float64", "1-2", default="NaN", ignorable=True)
    plan = plan_of(
        field("Sensor", "string", nullableVersions="2+", about='Which sensor, such as "roof".'),
        field("Samples", "[]Sample", "1+", nullableVersions="1+", default="null", fields=[sample]),
        field("Epoch", "int64", "3+", taggedVersions="3+", tag=0, default="-1"),
        validVersions="0-3",
        flexibleVersions="2+",
        about="What was measured.",
    )
    assert fields_text([plan]) == (
        '"message","struct","field","type","versions","nullableVersions","taggedVersions","tag","default","about"\n'
        '"Made","Made","Sensor","string","0-3","2-3","","","","Which sensor, such as ""roof""."\n'
        '"Made","Made","Samples","[]Sample","1-3","1-3","","","null",""\n'
        '"Made","Made","Epoch","int64","3","","3","0","-1",""\n'
        '"Made","Sample","Celsius","float64","1-2","","","","NaN",""\n'
    )


@pytest.mark.parametrize("folder", [PURPOSE_MADE, OWN], ids=["purpose-made", "own"])
def test_each_field_of_each_message_has_a_row(folder: Path) -> None:
    made = build(folder, include=["fields"]).files
    assert list(made) == ["fields.csv"]
    found = list(csv.reader(io.StringIO(made["fields.csv"], newline=""), strict=True))
    fields = [
        [plan.name, struct.name, field.name]
        for plan in plans(folder).values()
        for struct in plan.structs
        for field in struct.fields
    ]
    assert [row[:3] for row in found] == [list(COLUMNS[:3]), *fields]


def test_types_are_shown_with_struct_names_instead_of_class_names() -> None:
    plan = plans(PURPOSE_MADE)["Names"]
    types = {row["field"]: row["type"] for row in rows(plan)}
    assert (types["None"], types["Value"]) == ("None", "ValueError")
    structs = {struct.name for struct in plan.structs}
    assert {type_.removeprefix("[]") for type_ in types.values()} <= structs | set(PRIMITIVES)


def test_versions_of_fields_are_limited_to_the_versions_of_the_message() -> None:
    plan = plan_of(
        field("Old", "int32", "0-1"),
        field("Kept", "string", "1+", nullableVersions="0+"),
        validVersions="2-4",
    )
    found = [(row["versions"], row["nullableVersions"]) for row in rows(plan)]
    assert found == [("", ""), ("2-4", "2-4")]


@pytest.mark.parametrize("spec", read_specs([PURPOSE_MADE]), ids=lambda spec: str(spec.name))
def test_defaults_in_the_table_parse_to_the_defaults_of_the_spec(spec: MessageSpec) -> None:
    table = rows(plans(PURPOSE_MADE)[spec.name])
    defaults = {row["field"]: row["default"] for row in table if row["struct"] == spec.name}
    for one in spec.fields:
        assert repr(parse_default(one.type, defaults[one.name])) == repr(one.default)


@given(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")).filter(lambda text: text != "null"))
def test_any_about_and_default_is_read_as_it_was_written(about: str, default: str) -> None:
    (row,) = rows(plan_of(field("Text", "string", about=about, default=default)))
    assert (row["about"], row["default"]) == (about, default)
