"""What pages are made from: rows of bytes, what versions changed, groups, examples."""

from __future__ import annotations

import re
from typing import Any

import pytest

from messagegen.outputs.site import message
from messagegen.outputs.site.message import message_page
from messagegen.outputs.site.wire import layouts, structs
from messagegen.plan.ops import MessagePlan
from tests.outputs.site.pages import Page
from tests.support.specs import OWN, PURPOSE_MADE, field, plan_of, plans
from tests.vectors.test_vectors import nested

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


def shown(monkeypatch: pytest.MonkeyPatch, plan: MessagePlan) -> dict[str, Any]:
    """What the page of a message places."""
    found: dict[str, Any] = {}
    monkeypatch.setattr(message, "rendered", lambda _template, **values: str(found.update(values)))
    message_page(plan, None, "Site")
    return found


def drawn(plan: MessagePlan, version: int) -> dict[str, list[tuple[str, str, str]]]:
    return {
        struct: [(row.name, " ".join((row.type, *row.marks)), row.bytes) for row in rows]
        for struct, rows in structs(plan, dict(plan.roots)[version])
    }


def test_bytes_of_a_version_with_fixed_lengths() -> None:
    assert drawn(READING, 0) == {
        "ReadingRequest": [
            ("Sensor", "string", "int16 length, then UTF-8"),
            ("Count", "int64", "8 bytes"),
            ("Samples", "[]Sample", "int32 count, then elements"),
        ],
        "Sample": [("Time", "int64", "8 bytes"), ("Values", "[]float64", "int32 count, then elements, each 8 bytes")],
    }


def test_bytes_of_a_flexible_version() -> None:
    section = ("tagged fields", "", "uvarint count; for each its tag and size as uvarints, then its value")
    assert drawn(READING, 3) == {
        "ReadingRequest": [
            ("Sensor", "string", "length + 1 as uvarint, then UTF-8"),
            ("Note", "string nullable", "length + 1 as uvarint (0 for null), then UTF-8"),
            ("Count", "packed32", "zig-zag varint, 1 to 5 bytes"),
            ("Place", "Place nullable", "int8, -1 for null or 1; then its fields"),
            section,
            ("Extra", "bytes tag 0", "length + 1 as uvarint, then bytes"),
        ],
        "Place": [("Id", "uuid", "16 bytes"), section],
    }


def test_versions_of_one_layout_stand_together(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(field("Id", "int32"), field("More", "int8", "2"), validVersions="0-3")
    assert [versions for versions, _ in layouts(plan)] == [(0, 1, 3), (2,)]
    found = shown(monkeypatch, plan)["layouts"]
    assert [(state, title) for state, title, _ in found] == [("open", "Versions 0-1, 3"), ("", "Version 2")]


def test_what_each_version_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, READING)["history"] == [
        (3, ["Unstable: it may still change."], [("removed", "ReadingRequest.Samples: []Sample")]),
        (
            2,
            [
                "Flexible since this version: compact lengths, and tagged fields in every struct.",
                "Sent with header version 2.",
            ],
            [
                ("changed", "ReadingRequest.Note: now nullable"),
                ("added", "ReadingRequest.Place: Place"),
                ("added", "ReadingRequest.Extra: bytes"),
            ],
        ),
        (1, [], [("added", "ReadingRequest.Note: string"), ("changed", "ReadingRequest.Count: packed32, not int64")]),
        (0, ["Deprecated."], []),
    ]
    plan = plan_of(field("Id", "int32"), validVersions="0-1")
    assert shown(monkeypatch, plan)["history"] == [(1, ["The same bytes as version 0."], []), (0, [], [])]


def test_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    found = shown(monkeypatch, READING)
    assert [name for name, _, _ in found["structs"]] == ["ReadingRequest", "Sample", "Place"]
    by_name = {field.name: field for field in found["structs"][0][2]}
    note = by_name["Note"]
    assert (note.versions, note.about, note.marks) == ("1+", "Free text.", ("nullable in 2+", "ignorable"))
    assert by_name["Extra"].marks == ("tag 0",)
    assert by_name["Count"].marks == ("default -1",)
    assert (by_name["Samples"].type, by_name["Samples"].struct, by_name["Samples"].versions) == (
        "[]",
        ("Sample",),
        "0-2",
    )


@pytest.mark.parametrize("plan", [*plans(PURPOSE_MADE).values(), *plans(OWN).values()], ids=lambda plan: plan.name)
def test_an_example_is_the_bytes_of_a_message(plan: MessagePlan, monkeypatch: pytest.MonkeyPatch) -> None:
    ((version, size, dump, rows),) = shown(monkeypatch, plan)["examples"]
    data = bytes.fromhex("".join(line.partition("  ")[2] for line in dump.splitlines()))
    assert (version, len(data)) == (plan.valid_versions.highest, size)
    assert "".join(row.hex.replace(" ", "") for row in rows) == data.hex()


def test_what_doubles_with_each_level_is_shown_once() -> None:
    page = Page(message_page(nested(""), None, "Site"))
    assert page.ids.count("struct-S20") == 1
    assert page.text.count("S20") < 20
    assert "more than 10,000 values" in page.text
    assert len(re.findall("[0-9a-f]{4}  ", page.text)) == 0
    assert len(message_page(nested("[]"), None, "Site")) < 5_000_000
