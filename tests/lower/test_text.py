"""Lowered functions in their text form: golden files, and the form itself."""

from __future__ import annotations

from typing import Any, Final

import pytest

from messagegen.lower import lower_functions
from messagegen.lower.ops import Block, Expression, Function, Length, Op, reading, walk, writing
from messagegen.lower.text import functions_text
from messagegen.plan.ops import MessagePlan
from tests.conftest import Golden
from tests.support.specs import GOLDEN, PURPOSE_MADE, field, plan_of, plans

FOLDER: Final = GOLDEN / "lower"


def part(*fields: dict[str, Any]) -> dict[str, Any]:
    """A field that is an array of structs."""
    return field("Parts", "[]Part", fields=list(fields))


CASES: Final[dict[str, MessagePlan]] = {
    **{name: plans(PURPOSE_MADE)[name] for name in ("GroupThingKey", "GroupThingValue", "TypeMaps", "MapKeys")},
    "lengths_are_read_and_written_with_runs": plan_of(
        field("Number", "int32"),
        field("Text", "string", nullableVersions="1+"),
        field("Flag", "bool"),
        field("Id", "uuid"),
        field("Numbers", "[]bool", nullableVersions="1+"),
        field("Last", "int8"),
        field("Data", "bytes", zeroCopy=True),
        validVersions="0-1",
        flexibleVersions="1+",
    ),
    "equal_arrays_share_a_tuple": plan_of(
        part(field("Replicas", "[]int32"), field("Isr", "[]int32"), field("Word", "string")),
        field("Floats", "[]float64"),
        field("MoreFloats", "[]float64"),
    ),
    "rows_are_read_at_one_go": plan_of(
        part(field("A", "int32"), field("B", "bool"), field("C", "int8", "1+", ignorable=True)),
        validVersions="0-1",
        flexibleVersions="1+",
    ),
    "elements_without_bytes": plan_of(
        part(field("A", "int32", "1+")),
        validVersions="0-1",
    ),
    "tags_and_null": plan_of(
        field("A", "int32", tag=0, taggedVersions="2+"),
        field("B", "Part", nullableVersions="1+", fields=[field("X", "int8")]),
        field("C", "Other", tag=1, taggedVersions="1+", nullableVersions="1+", fields=[field("X", "string")]),
        field("D", "[]string", nullableVersions="1+"),
        field("E", "[]Third", nullableVersions="1+", fields=[field("X", "string")]),
        validVersions="0-2",
        flexibleVersions="1+",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_golden_operations(name: str, golden: Golden) -> None:
    golden(FOLDER / f"{name}.ops", functions_text(lower_functions(CASES[name])))


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


def kinds_of_operations() -> set[type[Op]]:
    """Every operation there is."""
    classes = [one for module in (reading, writing) for one in vars(module).values() if isinstance(one, type)]
    return {one for one in classes if issubclass(one, Op) and one is not Op}


def test_golden_files_show_every_operation() -> None:
    functions = [function for plan in CASES.values() for function in lower_functions(plan)]
    assert {type(op) for function in functions for op in walk(function.body)} == kinds_of_operations()


def lines(*body: Op) -> list[str]:
    block: Block = body
    return functions_text([Function("_f", "encode one", 0, keeps_views=False, body=block)]).splitlines()[1:]


class TestForm:
    def test_fields_stand_after_the_kind(self) -> None:
        assert lines(reading.ReadUnknownTags((1, 2), 1)) == ["  read unknown tags 1 2 behind=1"]

    def test_texts_with_blanks_are_quoted_unless_they_come_first(self) -> None:
        assert lines(writing.Guard("a", Expression("struct.a != 1"))) == ['  guard a condition="struct.a != 1"']

    def test_what_is_false_or_empty_is_left_out(self) -> None:
        op = reading.ReadSized("a", "data", is_text=False, length=Length("i", 4), reader="_read")
        assert lines(op) == ["  read sized a source=data length=i+4 reader=_read"]
        assert lines(reading.NewObject("A")) == ["  new object A first"]

    def test_blocks_stand_below(self) -> None:
        assert lines(writing.ForItems((writing.Measure("value"), writing.PutBytes()))) == [
            "  for items",
            "    measure value",
            "    put bytes",
        ]

    def test_several_blocks_have_their_names(self) -> None:
        assert lines(writing.IfNone("value", (writing.PutByte(0),), (writing.PutBytes(),))) == [
            "  if none value",
            "    null:",
            "      put byte 0",
            "    block:",
            "      put bytes",
        ]

    def test_functions_that_take_the_buffer_say_so(self) -> None:
        functions = [Function(name, "decode one", 0, keeps_views=name == "_b", body=()) for name in ("_a", "_b")]
        assert functions_text(functions) == "decode one _a\n\ndecode one _b keeps_views\n"
