"""The reader of plan texts returns the whole plan, and refuses the same plans as the native engine."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from messagegen.plan import ops
from messagegen.plan.text import codec_text, default_json, plan_text
from messagegen.runtime import PLAN_FORMAT
from messagegen.runtime.plan import EntityBy, Plan, read_plan
from tests.support.specs import OWN, PURPOSE_MADE, plans

CORPUS = Path(__file__).parents[1] / "fixtures" / "plans"
GOOD = sorted((CORPUS / "good").glob("*.plan"))
BAD = sorted((CORPUS / "bad").glob("*.plan"))


def stem(path: Path) -> str:
    return path.stem


def fields_of(plan: ops.MessagePlan) -> list[object]:
    return [
        (
            struct.class_name,
            one.attribute,
            one.key,
            one.type,
            one.nullable,
            default_json(one.default),
            one.about,
            one.entity,
            entity_by_of(one.entity_by),
            one.sensitive,
        )
        for struct in plan.structs
        for one in struct.fields
    ]


def fields_read(plan: Plan) -> list[object]:
    return [
        (
            name,
            one.attribute,
            one.key,
            one.type,
            one.nullable,
            one.default_text,
            one.about,
            one.entity,
            entity_by_read(one.entity_by),
            struct.sensitive.get(one.attribute),
        )
        for name, struct in plan.structs.items()
        for one in struct.fields.values()
    ]


def entity_by_of(entity_by: ops.EntityByPlan | None) -> object:
    if entity_by is None:
        return None
    decider = f"request.{entity_by.decider}" if entity_by.request else entity_by.decider
    return decider, dict(entity_by.types), entity_by.wildcard


def entity_by_read(entity_by: EntityBy | None) -> object:
    return None if entity_by is None else (entity_by.decider, entity_by.types, entity_by.has_wildcard)


def addresses_of(plan: ops.MessagePlan) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for struct in plan.structs:
        address = struct.address
        if address is None:
            rows.append(())
        elif address.node_id is None:
            rows.append((address.host, address.port))
        else:
            mark = "^" if address.held else ""
            rows.append((address.host, address.port, mark + address.node_id))
    return rows


def layouts_of(plan: ops.MessagePlan) -> list[object]:
    rows: list[object] = []
    for layout in plan.layouts:
        name = [field.attribute for field in plan.structs[layout.struct].fields]
        steps = [one for step in layout.steps for one in (step.steps if isinstance(step, ops.RunStep) else (step,))]
        rows.append(
            (
                plan.structs[layout.struct].class_name,
                [version for part in layout.versions for version in part],
                layout.flexible,
                [(name[step.field], codec_text(step.codec)) for step in steps],
                [(tagged.tag, name[tagged.field], codec_text(tagged.codec)) for tagged in layout.tagged],
                set(layout.foreign_tags),
                [name[field] for field in layout.guarded],
                [name[field] for field in layout.ignored],
            )
        )
    return rows


def layouts_read(plan: Plan) -> list[object]:
    return [
        (
            layout.struct.class_name,
            layout.versions,
            layout.flexible,
            [(field.attribute, codec.text) for field, codec in layout.steps],
            [(tag, field.attribute, codec.text) for tag, (field, codec) in layout.tagged.items()],
            layout.foreign,
            [field.attribute for field in layout.guarded],
            [field.attribute for field in layout.skipped],
        )
        for layout in plan.layouts
    ]


@pytest.mark.parametrize("planned", [*plans(OWN).values(), *plans(PURPOSE_MADE).values()], ids=lambda plan: plan.name)
def test_plans_survive_a_round_trip_through_text(planned: ops.MessagePlan) -> None:
    plan = read_plan(plan_text(planned))
    assert fields_read(plan) == fields_of(planned)
    assert [struct.address for struct in plan.structs.values()] == addresses_of(planned)
    assert repr(layouts_read(plan)) == repr(layouts_of(planned))
    assert [(version, layout.number) for version, layout in sorted(plan.roots.items())] == list(planned.roots)
    assert (plan.name, plan.kind, len(plan.valid_versions)) == (planned.name, planned.kind, len(planned.roots))


@pytest.mark.parametrize("path", GOOD, ids=stem)
def test_plans_of_older_generators_are_read(path: Path) -> None:
    assert read_plan(path.read_text(encoding="utf-8")).roots


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("messagegen-plan 1\n", "expected a plan of format 3"),
        ("messagegen-plan 3\nmessage A data 0\n", "the plan has no version"),
        ("messagegen-plan 3\nmessage A data 0\nnonsense\n", "invalid plan: unexpected words"),
        ("messagegen-plan 3\nmessage A data 0\nstruct A\nlayout 0 A 0\n x y-z\n", "invalid plan: 'x'"),
        ("messagegen-plan 3\nmessage A data 0\nstruct A\nlayout 0 A 0-9,3\n", "version 3 is listed twice"),
        ("messagegen-plan 3\nmessage A data 0\nstruct A\nlayout 0 A 0\nlayout 1 A 0\n", "0 is listed twice"),
        ("messagegen-plan 3\nmessage A data 0\nstruct A\nlayout 0 A 0-99999999999\n", "up to 32767, found"),
    ],
)
def test_an_invalid_plan_text_is_refused(text: str, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        read_plan(text)


@pytest.mark.skipif(find_spec("messagegen_native") is None, reason="messagegen-native is not installed")
class TestNativeEngine:
    @pytest.mark.parametrize("path", GOOD, ids=stem)
    def test_the_engine_reads_the_same_plans(self, path: Path) -> None:
        import messagegen_native  # noqa: PLC0415

        messagegen_native.ColumnDecoder(path.read_text(encoding="utf-8"))

    @pytest.mark.parametrize("path", BAD, ids=stem)
    def test_the_engine_refuses_the_same_plans(self, path: Path) -> None:
        import messagegen_native  # noqa: PLC0415

        said = r"in the plan's line|knows plans of format|nests deeper|has no version|does not fit its type"
        with pytest.raises(ValueError, match=said):
            messagegen_native.ColumnDecoder(path.read_text(encoding="utf-8"))

    def test_a_plan_with_thousands_of_fields_is_read(self) -> None:
        import messagegen_native  # noqa: PLC0415

        names = [f"field_{number}" for number in range(20_000)]
        fields = "".join(f" {name} {name} int32 0\n" for name in names)
        steps = "".join(f" {name} int32\n" for name in names)
        plan = f"messagegen-plan 3\nmessage A data 0\nstruct A\n{fields}layout 0 A 0\n{steps}"
        messagegen_native.ColumnEncoder(plan)
        assert len(read_plan(plan).root.fields) == len(names)

    @pytest.mark.parametrize("again", ["0-32767,", "0,"])
    def test_repeated_versions_in_a_plan_are_refused(self, again: str) -> None:
        import messagegen_native  # noqa: PLC0415

        plan = f"messagegen-plan 3\nmessage A data 0\nstruct A\nlayout 0 A {again * 20_000}0\n"
        with pytest.raises(ValueError, match="version 0 is listed twice"):
            messagegen_native.ColumnDecoder(plan)
        with pytest.raises(ValueError, match="version 0 is listed twice"):
            read_plan(plan)

    def test_the_engine_and_the_generator_have_the_same_plan_format_and_types(self) -> None:
        import messagegen_native  # noqa: PLC0415

        from messagegen.primitives import PRIMITIVES  # noqa: PLC0415

        assert messagegen_native.PLAN_FORMAT == PLAN_FORMAT
        fixed = [(primitive.name, primitive.size) for primitive in PRIMITIVES.values() if primitive.size]
        assert [tuple(row) for row in messagegen_native.PRIMITIVES] == fixed
