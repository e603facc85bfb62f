"""All codecs and methods write lists, buffers, subclasses and number-like objects in the same way as plain values."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any, Final
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.fuzz_values import check_every_form, drawn, forms_of
from tests.support.profiles import examples
from tests.support.specs import class_of, field, made
from tests.support.stand_ins import Fraction, Index, Integer, Key, Real, Row, Sequence, Text

SEEDS: Final = st.integers(0, (1 << 64) - 1)

INNER: Final = [
    field("Numbers", "[]int32"),
    field("Number", "int32"),
    field("Wide", "int64", default="9223372036854775807"),
    field("Varint", "int32", encoding="packed32"),
    field("Rate", "float64", default="0.5"),
    field("Zero", "float64"),
    field("Name", "string", default="me"),
    field("Text", "string"),
    field("Id", "uuid"),
    field("Data", "bytes"),
    field("Rooms", "[]Inside"),
]
SAME: Final = {
    "numbers": ([], Row(), Sequence()),
    "number": (Index(0), Integer(0), False),
    "wide": (Index((1 << 63) - 1), Integer((1 << 63) - 1)),
    "varint": (Index(0), Integer(0)),
    "rate": (Fraction(0.5), Real(0.5)),
    "zero": (Fraction(0.0), Fraction(-0.0), -0.0, 0, False, Index(0), Integer(0), Real(0.0)),
    "name": (Text("me"),),
    "text": (Text(""),),
    "id": (Key(int=0), UUID(int=0)),
    "data": (bytearray(), memoryview(b""), array("i"), memoryview(b"")[::2]),
    "rooms": ([],),
    "unknown_tagged_fields": ([], Row()),
}
"""Values that are encoded like the default of their field."""
OTHER: Final = {
    "numbers": ([0], None),
    "number": (Index(1), Integer(1), True),
    "wide": (Index(0), 1 << 62),
    "rate": (Fraction(-0.5), 0, float("nan")),
    "zero": (Fraction(5e-324), 1, float("nan")),
    "name": (Text(""), Text("Me")),
    "text": (Text("me"),),
    "id": (Key(int=1),),
    "data": (array("i", [0]), bytearray(1)),
    "unknown_tagged_fields": ([(100, b"")],),
}
"""Values that are encoded differently from the default, or can't be encoded."""


def rows(values: dict[str, Any]) -> list[Any]:
    return [pytest.param(name, value, id=f"{name}-{type(value).__name__}") for name in values for value in values[name]]


def classes() -> tuple[Any, Any, Any]:
    """Return a message, a struct in it, and a struct that contains the same struct.

    The message contains the struct in a tagged field, and in a field with versions 1+.
    """
    message = made(
        field("Tagged", "Inner", taggedVersions="0+", tag=0),
        field("Deep", "Outer", taggedVersions="0+", tag=1, fields=[field("Held", "Inner")]),
        field("Late", "Inner", "1+"),
        field("Flat", "int32", taggedVersions="0+", tag=2),
        validVersions="0-1",
        flexibleVersions="0+",
        commonStructs=[
            {"name": "Inner", "versions": "0+", "fields": INNER},
            {"name": "Inside", "versions": "0+", "fields": [field("X", "int32")]},
        ],
    )
    return message, class_of(message, "Inner"), class_of(message, "Outer")


@pytest.mark.usefixtures("codecs")
class TestDefaults:
    """A value that equals the default is omitted from a tag section, and accepted in a version that lacks the field."""

    @pytest.mark.slow
    @pytest.mark.parametrize(("name", "value"), rows(SAME))
    def test_values_equal_to_the_default_are_left_out(self, name: str, value: Any) -> None:
        message, inner, outer = classes()
        held = inner(**{name: value})
        built = message(tagged=held, deep=outer(held=held), late=held)
        assert forms_of(built, 0) == {b"\0"}
        assert built.to_json(version=0) == {}
        assert {*built.to_json(version=1)} == {"late"}

    @pytest.mark.slow
    @pytest.mark.parametrize(("name", "value"), rows(OTHER))
    def test_values_that_differ_from_the_default_are_written_or_refused(self, name: str, value: Any) -> None:
        message, inner, outer = classes()
        held = inner(**{name: value})
        with pytest.raises(ValueError, match="late: this version has no such field, so it must be left at its default"):
            message(late=held).encode(version=0)
        for built in (message(tagged=held), message(deep=outer(held=held))):
            if value is None:
                with pytest.raises(ValueError, match=r"numbers: expected a tuple or list|null is not allowed"):
                    built.encode(version=0)
                continue
            (data,) = forms_of(built, 0)
            assert data[0] == 1
            assert len(built.to_json(version=0)) == 1
            assert message.decode(data, version=0).encode(version=0) == data

    @pytest.mark.parametrize("value", [Index(0), Integer(0), False])
    def test_number_like_objects_that_equal_the_default_are_left_out(self, value: Any) -> None:
        message, _, _ = classes()
        assert forms_of(message(flat=value), 0) == {b"\0"}

    @pytest.mark.slow
    @pytest.mark.parametrize("value", [0.0, "", (), None, b"", object()])
    def test_values_of_other_types_are_not_the_default(self, value: Any) -> None:
        """An object that equals the default, but can't be encoded, is an error like any other wrong value."""
        message, inner, _ = classes()
        for built in (message(flat=value), message(tagged=inner(number=value))):
            with pytest.raises(ValueError, match="expected an int, got"):
                built.encode(version=0)

    def test_a_subclass_of_a_struct_can_equal_the_default(self) -> None:
        message, inner, _ = classes()

        class Own(inner):  # type: ignore[misc, valid-type]
            pass

        assert forms_of(message(tagged=Own(numbers=[])), 0) == {b"\0"}

    def test_a_struct_is_written_if_only_a_field_of_a_later_version_differs(self) -> None:
        """The field is ignorable, so it is not written, but its struct is written."""
        late = field("Late", "int32", "1+", ignorable=True)
        message = made(
            field("Tagged", "Inner", taggedVersions="0+", tag=0, fields=[late]),
            validVersions="0-1",
            flexibleVersions="0+",
        )
        inner = class_of(message, "Inner")
        assert forms_of(message(tagged=inner(late=Index(0))), 0) == {b"\0"}
        assert forms_of(message(tagged=inner(late=5)), 0) == {bytes.fromhex("01000100")}


@pytest.mark.slow
@examples(1000)
@given(SEEDS)
def test_random_messages_have_the_bytes_of_plain_values(seed: int) -> None:
    check_every_form(*drawn(Random(seed)))
