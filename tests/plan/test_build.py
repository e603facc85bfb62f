"""The decisions of the plan builder: the position and encoding of each field in each version."""

from __future__ import annotations

from messagegen.plan import ops
from messagegen.plan.text import codec_text
from messagegen.versions import NONE, VersionRange
from tests.support.specs import OWN, PURPOSE_MADE, field, plan_of, plans


def wire(plan: ops.MessagePlan, version: int) -> list[str]:
    """Return the top-level fields of a version as ``name codec``, with a plus sign if read with the field above."""
    layout = plan.layouts[dict(plan.roots)[version]]
    name = [one.name for one in plan.structs[0].fields]
    lines: list[str] = []
    for step in layout.steps:
        members = step.steps if isinstance(step, ops.RunStep) else (step,)
        first, *others = [f"{name[one.field]} {codec_text(one.codec)}" for one in members]
        lines += [first, *(f"+ {other}" for other in others)]
    return lines + [f"{one.tag}: {name[one.field]} {codec_text(one.codec)}" for one in layout.tagged]


def root(plan: ops.MessagePlan, version: int = 0) -> ops.Layout:
    return plan.layouts[dict(plan.roots)[version]]


class TestPresence:
    plan = plan_of(
        field("A", "int32", "0-1"),
        field("B", "string", "1+"),
        field("C", "int8", "2+", ignorable=True),
        validVersions="0-3",
    )

    def test_fields_are_only_in_layouts_of_their_versions(self) -> None:
        assert [wire(self.plan, version) for version in range(4)] == [
            ["A int32"],
            ["A int32", "B string"],
            ["B string", "C int8"],
            ["B string", "C int8"],
        ]

    def test_missing_fields_are_guarded_unless_they_are_ignorable(self) -> None:
        assert [(root(self.plan, version).guarded, root(self.plan, version).ignored) for version in range(3)] == [
            ((1,), (2,)),
            ((), (2,)),
            ((0,), ()),
        ]

    def test_versions_of_fields_are_limited_by_their_message_and_struct(self) -> None:
        inner = field("Z", "int8", "1+", nullableVersions="none")
        plan = plan_of(
            field("X", "string", "1-2", nullableVersions="2", ignorable=True),
            field("Y", "[]Part", "2+", fields=[inner]),
            field("T", "int8", "1+", tag=0, taggedVersions="1+"),
            validVersions="0-3",
            flexibleVersions="0+",
        )
        x, y, tagged = plan.structs[0].fields
        (z,) = plan.structs[1].fields
        assert (x.versions, x.nullable_versions, x.ignorable) == (VersionRange(1, 2), VersionRange(2, 2), True)
        assert (y.versions, z.versions, z.nullable_versions) == (VersionRange(2, 3), VersionRange(2, 3), NONE)
        assert (tagged.tag, tagged.tagged_versions, x.tag) == (0, VersionRange(1, 3), None)

    def test_equal_versions_share_a_layout(self) -> None:
        assert [number for _, number in self.plan.roots] == [0, 1, 2, 2]
        assert [layout.versions for layout in self.plan.layouts] == [
            (VersionRange(0, 0),),
            (VersionRange(1, 1),),
            (VersionRange(2, 3),),
        ]


class TestNull:
    def test_codecs_are_nullable_only_in_nullable_versions(self) -> None:
        plan = plan_of(
            field("A", "string", nullableVersions="1+"),
            field("B", "[]int8", nullableVersions="1+"),
            validVersions="0-1",
        )
        assert wire(plan, 0) == ["A string", "B array(int8,28)"]
        assert wire(plan, 1) == ["A string?", "B array(int8,28)?"]
        assert all(one.nullable for one in plan.structs[0].fields)

    def test_nullable_versions_lie_within_the_versions_of_the_message(self) -> None:
        plan = plan_of(
            field("Once", "string", nullableVersions="0-1"),
            field("Gone", "string", "0-1", nullableVersions="0-1", default="null"),
            validVersions="2-3",
        )
        once, gone = plan.structs[0].fields
        assert (once.nullable_versions, once.nullable) == (NONE, False)
        # The value is null in all versions of the message.
        assert (gone.nullable_versions, gone.nullable) == (NONE, True)

    def test_nullable_structs_have_a_different_null_mark_if_they_are_tagged(self) -> None:
        inner = [field("X", "int8")]
        plan = plan_of(
            field("A", "Plain", fields=inner),
            field("B", "Nullable", nullableVersions="0+", fields=inner),
            field("C", "Tagged", tag=0, taggedVersions="0+", fields=inner),
            field("D", "Both", tag=1, taggedVersions="0+", nullableVersions="0+", fields=inner),
            flexibleVersions="0+",
        )
        marks = [one.split("struct(")[1][1:] for one in wire(plan, 0)]
        assert marks == [")", ")?", ")", ")??"]

    def test_nullable_records_are_null_by_default(self) -> None:
        (records,) = plan_of(field("A", "records", nullableVersions="0+")).structs[0].fields
        assert (records.nullable, records.default) == (True, None)


class TestTags:
    plan = plan_of(
        field("A", "int32", tag=1, taggedVersions="1+"),
        field("B", "string", "2+", tag=0, taggedVersions="2+"),
        validVersions="0-2",
        flexibleVersions="1+",
    )

    def test_a_field_can_become_tagged_in_a_later_version(self) -> None:
        assert [wire(self.plan, version) for version in range(3)] == [
            ["A int32"],
            ["1: A int32"],
            ["0: B compact_string", "1: A int32"],
        ]

    def test_tags_of_other_versions_are_foreign_in_flexible_versions(self) -> None:
        assert [root(self.plan, version).foreign_tags for version in range(3)] == [(), (0,), ()]


class TestStructs:
    def test_layouts_come_after_the_layouts_that_they_contain(self) -> None:
        for plan in (*plans(PURPOSE_MADE).values(), *plans(OWN).values()):
            for number, layout in enumerate(plan.layouts):
                assert all(inner < number for inner in _held(layout))

    def test_equal_versions_of_a_common_struct_share_a_layout(self) -> None:
        plan = plans(PURPOSE_MADE)["CommonStructs"]
        names = [struct.name for struct in plan.structs]
        layouts = [layout for layout in plan.layouts if names[layout.struct] == "Leaf"]
        assert [str(versions) for layout in layouts for versions in layout.versions] == ["0-1", "2", "3-4"]

    def test_a_version_that_a_struct_lacks_uses_the_nearest_layout(self) -> None:
        common = [{"name": "S", "versions": "0-1", "fields": [field("X", "int8", "0-1"), field("Y", "int8", "1")]}]
        plan = plan_of(field("A", "S"), validVersions="0-2", commonStructs=common)
        held = [_held(root(plan, version)) for version in range(3)]
        assert held[1] == held[2] != held[0]

    def test_classes_of_structs_never_clash(self) -> None:
        plan = plans(PURPOSE_MADE)["Names"]
        classes = [struct.class_name for struct in plan.structs]
        assert len(set(classes)) == len(classes)
        assert {"None_", "KIND_", "TYPE_CHECKING_"} <= set(classes)


def _held(layout: ops.Layout) -> list[int]:
    codecs = [one.codec for step in layout.steps for one in (step.steps if isinstance(step, ops.RunStep) else (step,))]
    codecs += [one.codec for one in layout.tagged]
    inner = [codec.element if isinstance(codec, ops.ArrayCodec) else codec for codec in codecs]
    return [codec.layout for codec in inner if isinstance(codec, ops.StructCodec)]


class TestEncodings:

    def test_a_field_with_a_map_of_types_has_the_widest_type(self) -> None:
        types = {one.name: one.type for one in plans(PURPOSE_MADE)["TypeMaps"].structs[0].fields}
        assert types["Widens"] == "int64"
        assert types["Numbers"] == "[]int64"
        assert types["Varies"] == "int32"
