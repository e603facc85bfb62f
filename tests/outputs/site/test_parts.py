"""What pages are made from: rows of bytes, what versions changed, descriptions of fields, groups, highlighted code."""

from __future__ import annotations

import pytest

from messagegen.emit.classes import class_lines
from messagegen.explain.hex_text import parse_bytes
from messagegen.outputs.site.catalog import groups
from messagegen.outputs.site.example import example
from messagegen.outputs.site.fields import structs
from messagegen.outputs.site.history import history
from messagegen.outputs.site.sample import Samples
from messagegen.outputs.site.source import highlighted, source
from messagegen.outputs.site.wire import layouts, ranges, rows
from messagegen.plan.ops import MessagePlan
from messagegen.plan.partners import partners
from tests.outputs.site.pages import Page
from tests.support.specs import OWN, PURPOSE_MADE, Subject, field, plan_of, plans, subjects

READING = plan_of(
    field("Sensor", "string"),
    field("Note", "string", "1+", nullableVersions="2+", ignorable=True, about="Free text."),
    field("Count", "int64", encoding={"0": "fixed64", "1+": "packed32"}, default="-1"),
    field("Samples", "[]Sample", "0-2", fields=[field("Time", "int64"), field("Values", "[]float64")]),
    field("Place", "Place", "2+", nullableVersions="2+", fields=[field("Id", "uuid")]),
    field("Extra", "bytes", "2+", taggedVersions="2+", tag=0),
    validVersions="0-3",
    flexibleVersions="2+",
    deprecatedVersions="0",
    latestVersionUnstable=True,
    type="request",
    name="ReadingRequest",
    apiKey=1,
)


def drawn(plan: MessagePlan, version: int) -> list[tuple[str, str, list[tuple[str, int]], str]]:
    found = rows(plan, dict(plan.roots)[version])
    return [
        (row.path, " ".join((row.type, *row.marks)), [(cell.part, cell.size) for cell in row.cells], row.bytes)
        for row in found
    ]


class TestWire:
    def test_a_version_with_fixed_lengths(self) -> None:
        assert drawn(READING, 0) == [
            ("Sensor", "string", [("length", 2), ("content", 0)], "int16 length, then UTF-8"),
            ("Count", "int64", [("value", 8)], "8 bytes"),
            ("Samples[]", "[]Sample", [("length", 4), ("content", 0)], "int32 count, then elements"),
            ("Samples[].Time", "int64", [("value", 8)], "8 bytes"),
            (
                "Samples[].Values[]",
                "[]float64",
                [("length", 4), ("content", 0)],
                "int32 count, then elements of 8 bytes each",
            ),
        ]

    def test_a_flexible_version(self) -> None:
        tags = [("tag", 1), ("tag", 0)]
        section = "uvarint count; for each its tag and size as uvarints, then its value"
        assert drawn(READING, 3) == [
            ("Sensor", "string compact", [("length", 1), ("content", 0)], "length + 1 as uvarint, then UTF-8"),
            (
                "Note",
                "string compact nullable",
                [("length", 1), ("content", 0)],
                "length + 1 as uvarint (0 for null), then UTF-8",
            ),
            ("Count", "packed32", [("value", 0)], "zig-zag varint, 1 to 5 bytes"),
            ("Place", "Place nullable", [("presence", 1)], "int8, -1 for null or 1; then its fields"),
            ("Place.Id", "uuid", [("value", 16)], "16 bytes"),
            ("Place.tagged fields", "", tags, section),
            ("tagged fields", "", tags, section),
            (
                "Extra",
                "bytes compact tag 0",
                [("tag", 2), ("length", 1), ("content", 0)],
                "length + 1 as uvarint, then bytes",
            ),
        ]

    def test_fields_in_tags_lie_deeper(self) -> None:
        found = {row.path: row.depth for row in rows(READING, dict(READING.roots)[3])}
        assert [found[path] for path in ("Place", "Place.Id", "tagged fields", "Extra")] == [0, 1, 0, 1]

    def test_versions_of_one_layout_stand_together(self) -> None:
        plan = plan_of(field("Id", "int32"), field("More", "int8", "2"), validVersions="0-3")
        assert [versions for versions, _ in layouts(plan)] == [(0, 1, 3), (2,)]
        assert ranges((0, 1, 3)) == "0-1, 3"

    @pytest.mark.parametrize("plan", [*plans(PURPOSE_MADE).values(), *plans(OWN).values()], ids=lambda plan: plan.name)
    def test_paths_name_rows(self, plan: MessagePlan) -> None:
        for _, root in layouts(plan):
            paths = [row.path for row in rows(plan, root)]
            assert len(set(paths)) == len(paths)


class TestHistory:
    def test_says_what_each_version_changed(self) -> None:
        found = {
            version.number: (version.notes, [(change.kind, change.path, change.text) for change in version.changes])
            for version in history(READING)
        }
        assert found == {
            3: (("Unstable: it may still change.",), [("removed", "Samples[]", "[]Sample, with 2 fields")]),
            2: (
                (
                    "Flexible from here on: compact lengths, and tagged fields in every struct.",
                    "Goes with header version 2.",
                ),
                [
                    ("added", "Place", "nullable Place, with 1 field"),
                    ("added", "Extra", "bytes, tag 0"),
                    ("changed", "Note", "string → nullable string"),
                ],
            ),
            1: ((), [("added", "Note", "string"), ("changed", "Count", "int64 → packed32")]),
            0: (("The lowest version.", "Deprecated."), []),
        }

    def test_says_so_of_a_version_that_changed_nothing(self) -> None:
        plan = plan_of(field("Id", "int32"), validVersions="0-1")
        assert [version.notes for version in history(plan)] == [
            ("The same bytes as version 0.",),
            ("The lowest version.",),
        ]


class TestFields:
    def test_describes_fields(self) -> None:
        message, sample, place = structs(READING)
        assert [struct.name for struct in (message, sample, place)] == ["ReadingRequest", "Sample", "Place"]
        by_name = {field.name: field for field in message.fields}
        note = by_name["Note"]
        assert (note.versions, note.first, note.last, note.about) == ("1+", 1, 3, ("Free text.",))
        assert note.marks == ("nullable in 2+", "ignorable")
        assert by_name["Extra"].marks == ("tag 0",)
        assert by_name["Count"].default == ("-1",)
        assert by_name["Sensor"].default == by_name["Sensor"].about == ()
        assert by_name["Samples"].type == '[]<a href="#struct-Sample">Sample</a>'
        assert by_name["Samples"].versions == "0-2"


class TestGroups:
    def test_are_those_of_kafka(self) -> None:
        found = groups(list(plans(OWN).values()))
        assert [group.title for group in found] == [
            "Requests and responses",
            "Records of __consumer_offsets",
            "Records of __transaction_state",
            "Records of __share_group_state",
            "Records of __cluster_metadata",
            "Records of __remote_log_metadata",
            "Control records",
            "Headers",
            "Other data",
        ]
        assert sum(group.size for group in found) == len(plans(OWN))

    def test_a_key_stands_beside_its_value_in_its_topic(self) -> None:
        found = {group.title: group for group in groups(list(plans(OWN).values()))}
        (entry,) = found["Records of __transaction_state"].entries
        assert [[link.name for link in column] for column in entry.columns] == [
            ["TransactionLogKey"],
            ["TransactionLogValue"],
        ]

    def test_a_request_stands_beside_its_response(self) -> None:
        requests = groups(list(plans(OWN).values()))[0]
        entry = next(entry for entry in requests.entries if entry.number == "2")
        assert [[link.name for link in column] for column in entry.columns] == [
            ["ListOffsetsRequest"],
            ["ListOffsetsResponse"],
        ]
        numbers = [int(entry.number) for entry in requests.entries]
        assert numbers == sorted(numbers)

    def test_messages_of_one_number_stand_side_by_side(self) -> None:
        (group,) = groups([plan_of(type="header", name="RequestHeader"), plan_of(type="header", name="ResponseHeader")])
        assert [[link.name for column in entry.columns for link in column] for entry in group.entries] == [
            ["RequestHeader"],
            ["ResponseHeader"],
        ]


class TestExample:
    @pytest.mark.parametrize("subject", subjects(PURPOSE_MADE, OWN), ids=repr)
    def test_the_lines_are_the_bytes_of_the_generated_class(self, subject: Subject) -> None:
        shown = example(Samples(subject.plan), subject.version)
        data = parse_bytes(shown.dump.encode(), "hex")
        assert len(data) == shown.size
        assert "".join(line.hex.replace(" ", "") for line in shown.lines) == data.hex()
        assert subject.cls.decode(data, version=subject.version).encode(version=subject.version) == data

    @pytest.mark.parametrize("subject", subjects(PURPOSE_MADE), ids=repr)
    def test_every_field_is_there(self, subject: Subject) -> None:
        plan, version = subject.plan, subject.version
        names = [line.name for line in example(Samples(plan), version).lines]
        wanted = [row.anchor.partition(".")[2] for row in rows(plan, dict(plan.roots)[version]) if row.anchor]
        attribute = {field.name: field.attribute for struct in plan.structs for field in struct.fields}
        assert {attribute[name] for name in wanted} <= set(names)
        assert "null" not in [line.value for line in example(Samples(plan), version).lines]


class TestSource:
    @pytest.mark.parametrize("plan", plans(PURPOSE_MADE).values(), ids=lambda plan: plan.name)
    def test_shows_the_generated_classes(self, plan: MessagePlan) -> None:
        partner = partners(plans(PURPOSE_MADE).values()).get(plan.name)
        shown = Page(source(plan, partner)).text
        for index in range(len(plan.structs)):
            text = "\n".join(class_lines(plan, index, partner))
            assert text.partition("\n\n\n")[0] in shown

    def test_marks_words(self) -> None:
        assert highlighted('x = "<b>" if 1 else None  # note\n') == (
            'x = <span class="string">&#34;&lt;b&gt;&#34;</span> <span class="keyword">if</span> '
            '<span class="number">1</span> <span class="keyword">else</span> <span class="keyword">None</span>  '
            '<span class="comment"># note</span>\n'
        )

    def test_changes_no_letter(self) -> None:
        text = 'class A:\n    """One\n\n    two é."""\n\n    b: int = 0\n'
        assert Page(highlighted(text)).text == text
