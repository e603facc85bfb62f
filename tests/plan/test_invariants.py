"""Each invariant of a plan, broken once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from messagegen.plan import ops
from messagegen.versions import VersionRange
from tests.support.invariants import PlanError, check_plan
from tests.support.specs import OWN, PURPOSE_MADE, field, plan_of, plans

PLAN = plan_of(
    field("A", "int32"),
    field("B", "string", "1+"),
    field("C", "[]Part", fields=[field("X", "int8"), field("Y", "int16", encoding="packed16")]),
    field("D", "int64", tag=0, taggedVersions="0+"),
    field("E", "string", tag=1, taggedVersions="0+"),
    field("F", "Other", fields=[field("X", "int8")]),
    field("G", "string", "1+", ignorable=True),
    validVersions="0-1",
    flexibleVersions="0+",
)
"""Layouts 0 and 1 are those of Part and Other, 2 and 3 the message's own in versions 0 and 1."""

MESSAGE, PART, OTHER = 2, 0, 1


def changed(number: int, **changes: Any) -> ops.MessagePlan:
    """The plan with changes to one layout."""
    layouts = list(PLAN.layouts)
    layouts[number] = replace(layouts[number], **changes)
    return replace(PLAN, layouts=tuple(layouts))


def with_codec(name: str, codec: ops.Codec) -> ops.MessagePlan:
    """The plan with another codec for one of the message's fields that are in no run."""
    number = [one.name for one in PLAN.structs[0].fields].index(name)
    steps = [
        replace(step, codec=codec) if isinstance(step, ops.FieldStep) and step.field == number else step
        for step in PLAN.layouts[MESSAGE].steps
    ]
    tagged = [replace(one, codec=codec) if one.field == number else one for one in PLAN.layouts[MESSAGE].tagged]
    return changed(MESSAGE, steps=tuple(steps), tagged=tuple(tagged))


def with_fields(struct: int, **changes: object) -> ops.MessagePlan:
    """The plan with changes to the second field of a struct."""
    structs = list(PLAN.structs)
    first, second, *rest = structs[struct].fields
    structs[struct] = replace(structs[struct], fields=(first, replace(second, **changes), *rest))  # type: ignore[arg-type]
    return replace(PLAN, structs=tuple(structs))


def part_codec(codec: ops.Codec) -> ops.MessagePlan:
    return changed(PART, steps=(PLAN.layouts[PART].steps[0], ops.FieldStep(1, codec)))


STRING = ops.VariableCodec("string", compact=True, nullable=False)
BROKEN: dict[str, tuple[Callable[[], ops.MessagePlan], str]] = {
    "two fields of one attribute": (lambda: with_fields(1, attribute="x"), "two fields of one attribute or key"),
    "two fields of one key": (lambda: with_fields(0, key="a"), "two fields of one attribute or key"),
    "a version without a root": (lambda: replace(PLAN, roots=PLAN.roots[:1]), "the roots are not the valid versions"),
    "versions that are not valid": (
        lambda: replace(PLAN, valid_versions=VersionRange(0, 2)),
        "the roots are not the valid versions",
    ),
    "a root that is a part": (
        lambda: replace(PLAN, roots=((0, PART), (1, 3))),
        "a root is not a layout of the message",
    ),
    "a forgotten field": (lambda: changed(MESSAGE, guarded=()), "layout 2: some field is forgotten or there twice"),
    "a field twice": (lambda: changed(MESSAGE, ignored=(1, 6)), "layout 2: some field is forgotten or there twice"),
    "tags out of order": (
        lambda: changed(MESSAGE, tagged=PLAN.layouts[MESSAGE].tagged[::-1]),
        "the tags are not unique and ascending",
    ),
    "a tag that is foreign too": (lambda: changed(MESSAGE, foreign_tags=(1,)), "the tags are not unique and ascending"),
    "tags without a section": (lambda: changed(MESSAGE, flexible=False), "there are tags, but no tag section"),
    "a layout of no version": (lambda: changed(MESSAGE, versions=()), "no version uses it"),
    "a constant size outside a run": (
        lambda: part_codec(ops.FixedCodec("int16")),
        "a run is not made of values of constant size, or such a value stands outside a run",
    ),
    "a varint in a run": (
        lambda: changed(
            PART,
            steps=(
                ops.RunStep(
                    (ops.FieldStep(0, ops.FixedCodec("int8")), ops.FieldStep(1, ops.VarintCodec("packed", 16)))
                ),
            ),
        ),
        "a run is not made of values of constant size, or such a value stands outside a run",
    ),
    "an empty run": (
        lambda: changed(PART, steps=(*PLAN.layouts[PART].steps, ops.RunStep(()))),
        "a run is not made of values of constant size, or such a value stands outside a run",
    ),
    "an array codec on a single value": (
        lambda: with_codec("E", ops.ArrayCodec(STRING, compact=True, nullable=False)),
        "E: an array codec on a single value",
    ),
    "a single value's codec on an array": (
        lambda: with_codec("C", ops.StructCodec(PART, "never")),
        "C: a single value's codec",
    ),
    "a nullable array of a field that is not": (
        lambda: with_codec("C", ops.ArrayCodec(ops.StructCodec(PART, "never"), compact=True, nullable=True)),
        "C: null on the wire, but not in the field",
    ),
    "a nullable string of a field that is not": (
        lambda: with_codec("E", replace(STRING, nullable=True)),
        "E: null on the wire, but not in the field",
    ),
    "a nullable struct of a field that is not": (
        lambda: with_codec("F", ops.StructCodec(OTHER, "int8")),
        "F: null on the wire, but not in the field",
    ),
    "elements that can be null": (
        lambda: with_codec("C", ops.ArrayCodec(ops.StructCodec(PART, "int8"), compact=True, nullable=False)),
        "C: null as an element",
    ),
    "a layout below": (
        lambda: with_codec("F", ops.StructCodec(MESSAGE, "never")),
        "F: refers to a layout that is not above it",
    ),
    "a layout of another struct": (
        lambda: with_codec("F", ops.StructCodec(PART, "never")),
        "F: refers to a layout of another struct",
    ),
    "text for a number": (lambda: with_codec("D", STRING), "D: .* can't carry int64"),
    "a varint for text": (lambda: with_codec("E", ops.VarintCodec("packed", 16)), "E: .* can't carry string"),
    "a wider varint": (lambda: part_codec(ops.VarintCodec("packed", 64)), "Y: .* can't carry int16"),
    "a wider integer": (
        lambda: changed(
            PART,
            steps=(ops.RunStep((ops.FieldStep(0, ops.FixedCodec("int8")), ops.FieldStep(1, ops.FixedCodec("int64")))),),
        ),
        "Y: .* can't carry int16",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plan_is_refused(name: str) -> None:
    make, reason = BROKEN[name]
    with pytest.raises(PlanError, match=reason) as caught:
        check_plan(make())
    assert str(caught.value).startswith("the plan of Made is broken: ")
    assert ";" not in str(caught.value)


def test_all_that_is_broken_is_told_at_once() -> None:
    with pytest.raises(PlanError, match=r"the roots are not the valid versions; layout 2: no version uses it"):
        check_plan(replace(changed(MESSAGE, versions=()), roots=PLAN.roots[:1]))


@pytest.mark.parametrize(
    "plan", [PLAN, *plans(PURPOSE_MADE).values(), *plans(OWN).values()], ids=lambda plan: str(plan.name)
)
def test_plans_that_are_built_are_whole(plan: ops.MessagePlan) -> None:
    check_plan(plan)
