from __future__ import annotations

import re

import pytest

from messagegen.plan.text import PLAN_FORMAT as GENERATED_FORMAT
from messagegen_arrow.plan_model import PLAN_FORMAT, read_plan
from tests.arrow.support.messages import all_tables
from tests.support.specs import OWN, PURPOSE_MADE, plans

PLANS = {**plans(OWN), **plans(PURPOSE_MADE)}


def test_the_form_is_the_one_that_is_generated() -> None:
    assert PLAN_FORMAT == GENERATED_FORMAT


def test_what_is_read_is_what_was_planned() -> None:
    for table in all_tables():
        plan, planned = read_plan(table.plan), PLANS[table.name]
        assert (plan.name, plan.kind) == (planned.name, planned.kind)
        assert list(plan.structs) == [struct.class_name for struct in planned.structs]
        for struct in planned.structs:
            found = list(plan.structs[struct.class_name].values())
            wanted = [(field.attribute, field.key, field.type, field.nullable) for field in struct.fields]
            assert [(field.attribute, field.key, field.type, field.nullable) for field in found] == wanted
        assert plan.roots == {version: plan.layouts[number] for version, number in planned.roots}


def test_layouts_say_what_lies_on_the_wire() -> None:
    plan = next(table for table in all_tables() if table.name == "OffsetCommitValue").parsed_plan
    assert list(plan.roots[3].steps) == ["offset", "leader_epoch", "metadata", "commit_timestamp"]
    assert plan.roots[4].tagged == {"topic_id": (0, "uuid")}
    assert plan.roots[4].flexible
    assert plan.roots[4].codec("metadata") == "compact_string"
    assert plan.roots[4].codec("expire_timestamp") is None
    assert plan.roots[0] is plan.roots[2]


def test_a_plan_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match=re.escape("plans of form 1 are read here, not 'messagegen-plan 9'")):
        read_plan("messagegen-plan 9\nmessage A data 0\nstruct A\n")


def test_a_version_that_is_not_there_is_named() -> None:
    plan = next(table for table in all_tables() if table.name == "OffsetCommitValue").parsed_plan
    with pytest.raises(LookupError, match="OffsetCommitValue has the versions 0 to 4, not 5"):
        plan.root_layouts([4, 5])
