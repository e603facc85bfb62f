"""The reference codec and the table that it walks."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.specs import PURPOSE_MADE, Subject, class_of, package, plans


def walk_of(message: Any) -> Any:
    return __import__(f"{message.__module__.rpartition('.')[0]}._runtime.walk", fromlist=["_"])


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

    def test_fields_take_their_defaults_from_the_class(self) -> None:
        subject = Subject(PURPOSE_MADE, plans(PURPOSE_MADE)["Defaults"], 0)
        layout = subject.cls.CODEC.parsed_plan().roots[0]
        message = subject.cls()
        for field_ in layout.fields.values():
            assert field_.default is getattr(message, field_.attribute)
