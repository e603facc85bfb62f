"""The reference codec and the table that it walks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.agreement import runtime
from tests.support.specs import OWN, PURPOSE_MADE, Subject, class_of, field, made, package, plans, subjects


def walk_of(message: Any) -> Any:
    return __import__(f"{message.__module__.rpartition('.')[0]}._runtime.walk", fromlist=["_"])


def test_defaults_of_all_messages_are_written_alike() -> None:
    compared = 0
    for subject in subjects(OWN, PURPOSE_MADE):
        message, walk = subject.cls(), runtime(subject, "walk")
        try:
            expected = message.encode(version=subject.version)
        except ValueError:
            # Records that are not nullable in a version have no default that it can carry.
            assert any(one.type == "records" for struct in subject.plan.structs for one in struct.fields)
            continue
        assert walk.walk_encode(message.CODEC.parsed_plan(), message, subject.version) == expected
        compared += 1
    assert compared > len(plans(OWN))


def test_views_are_given_where_they_are_asked_for() -> None:
    message = made(field("Blob", "bytes", zeroCopy=True), field("Copied", "bytes"))
    data = message(blob=b"ab", copied=b"cd").encode(version=0)
    table = message.CODEC.parsed_plan()
    again, end = walk_of(message).walk_decode(table, data, 0, 0, memoryview(data))
    assert (type(again.blob), type(again.copied), end) == (memoryview, bytes, len(data))


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"a": (1, "x")}, r"^a\[1\]: expected an int, got 'x'"),
        ({"a": (1, 1 << 40)}, r"^a\[1\]: 1099511627776 does not fit in int32"),
        ({"b": 1 << 40}, "^b: 1099511627776 does not fit in 32 bits"),
        ({"c": ()}, r"^c: expected a Part, got an object of type tuple"),
        ({"d": 1}, "^d: this version has no such field, so it must be left at its default"),
        ({"unknown_tagged_fields": ((0, b""),)}, "tag 0 is a known field"),
        ({"unknown_tagged_fields": ((5, b""), (5, b""))}, "tag 5 is given twice"),
    ],
)
def test_refusals_say_where(bad: dict[str, Any], reason: str) -> None:
    message = made(
        field("A", "[]int32"),
        field("B", "int32", encoding="packed32"),
        field("C", "Part", fields=[field("X", "int8")]),
        field("D", "int8", "1+"),
        field("E", "int8", tag=0, taggedVersions="0+"),
        validVersions="0-1",
        flexibleVersions="0+",
    )
    with pytest.raises(ValueError, match=reason):
        walk_of(message).walk_encode(message.CODEC.parsed_plan(), message(**bad), 0)


def test_the_path_of_a_field_deep_inside() -> None:
    cls = package(PURPOSE_MADE).EveryTypeRequest
    element, deep = class_of(cls, "InnerElement"), class_of(cls, "DeepElement")
    value = cls(batch=b"", inners=(element(), element(deeper=(deep(), deep(leaves=("a", "b"))))))
    data = value.encode(version=2)
    table = cls.CODEC.parsed_plan()
    at = data.rindex(b"b")
    with pytest.raises(
        ValueError, match=r"^inners\[1\]\.deeper\[1\]\.leaves\[1\]: the string is not UTF-8 at its byte 0"
    ) as caught:
        walk_of(cls).walk_decode(table, data[:at] + b"\xff" + data[at + 1 :], 0, 2)
    assert caught.value.offset == at - 2  # type: ignore[attr-defined]


class TestPlan:
    def test_is_read_once(self) -> None:
        cls = package(PURPOSE_MADE).Tagged
        assert cls.CODEC.parsed_plan() is cls.CODEC.parsed_plan()

    def test_fields_take_their_defaults_from_the_class(self) -> None:
        subject = Subject(PURPOSE_MADE, plans(PURPOSE_MADE)["Defaults"], 0)
        layout = subject.cls.CODEC.parsed_plan().roots[0]
        message = subject.cls()
        for field_ in layout.fields.values():
            assert field_.default is getattr(message, field_.attribute)
