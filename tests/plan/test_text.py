"""The text form of plans: golden files, and the notation of each part."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from messagegen.plan import ops
from messagegen.plan.text import codec_text, plan_text
from messagegen_kafka import ConfigRecord
from tests.conftest import Golden
from tests.support.specs import GOLDEN, PURPOSE_MADE, field, plan_of, plans


@pytest.mark.parametrize("name", sorted(path.stem for path in (GOLDEN / "plan").iterdir()))
def test_plans_equal_golden_files(name: str, golden: Golden) -> None:
    golden(GOLDEN / "plan" / f"{name}.plan", plan_text(plans(PURPOSE_MADE)[name]))


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        (ops.FixedCodec("uint16"), "uint16"),
        (ops.VarintCodec("packed", 32), "packed32"),
        (ops.VarintCodec("upacked", 64), "upacked64"),
        (ops.VariableCodec("string", compact=False, nullable=False), "string"),
        (ops.VariableCodec("string", compact=True, nullable=True), "compact_string?"),
        (ops.VariableCodec("records", compact=True, nullable=True), "compact_records?"),
        (ops.StructCodec(3, nullable=False, tagged=True), "struct(3)"),
        (ops.StructCodec(3, nullable=True), "struct(3)?"),
        (ops.StructCodec(3, nullable=True, tagged=True), "struct(3)??"),
        (ops.ArrayCodec(ops.StructCodec(0, nullable=False), compact=False, nullable=True), "array(struct(0))?"),
        (ops.ArrayCodec(ops.VarintCodec("packed", 16), compact=True, nullable=False), "compact_array(packed16)"),
        (ops.ArrayCodec(ops.FixedCodec("int8"), compact=True, nullable=True, charge=24), "compact_array(int8,24)?"),
    ],
)
def test_codecs_are_written_in_the_documented_notation(codec: ops.Codec, text: str) -> None:
    assert codec_text(codec) == text


def test_sensitive_fields_are_named_with_their_condition() -> None:
    plan = plan_of(
        field("X", "string", sensitive=True), field("Y", "Part", fields=[field("Z", "bytes", sensitive=True)])
    )
    assert [line for line in plan_text(plan).splitlines() if "sensitive" in line] == [" :sensitive x", " :sensitive z"]
    (line,) = [line for line in ConfigRecord.CODEC.plan.splitlines() if "sensitive" in line]
    assert line == " :sensitive value name"


def test_entity_types_are_in_the_text() -> None:
    plan = plan_of(field("X", "string", entityType="topicName"), field("Y", "string", entityType="unknown"))
    assert [line for line in plan_text(plan).splitlines() if "entity" in line] == [" :entity x topicName"]


class TestDefaults:
    @staticmethod
    def line(type_: str, **others: Any) -> str:
        (line,) = [
            line for line in plan_text(plan_of(field("X", type_, **others))).splitlines() if line.startswith(" x x ")
        ]
        return line.removeprefix(" x x ")

    def test_defaults_are_written_as_json(self) -> None:
        assert self.line("int64", default="0x10") == "int64 16"
        assert self.line("bool", default=True) == "bool true"
        assert self.line("float64", default="NaN") == "float64 NaN"
        assert self.line("string", default='a "b"\n') == r'string "a \"b\"\n"'
        assert self.line("string", nullableVersions="0+", default="null") == "string? null"
        assert self.line("bytes") == 'bytes ""'
        assert self.line("[]int32") == "[]int32 []"
        assert self.line("Part", fields=[field("Y", "int8")]) == "Part {}"
        assert self.line("uuid", default="AAAAAAAAAAAAAAAAAAAAAQ") == f'uuid "{UUID(int=1).hex}"'

    @pytest.mark.parametrize("text", ["\nlayout 9 Made 0", "a\u2028b\u0085c\x1cd", "\r\n", 'ü "quoted" \\', "x\x00"])
    def test_line_breaks_in_defaults_are_escaped(self, text: str) -> None:
        plan = plan_text(plan_of(field("X", "string", default=text)))
        expected = plan_text(plan_of(field("X", "string", default="d")))
        assert len(plan.splitlines()) == len(expected.splitlines())
        assert plan.isascii()
