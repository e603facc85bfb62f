"""Selects the operations that write a layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from messagegen.lower.ops import Block, Function, FunctionKind, Op, writing
from messagegen.lower.select.reading import element_name
from messagegen.lower.values import differs, format_of, function_name, is_numbers, members
from messagegen.plan import ops as planned
from messagegen.primitives import PRIMITIVES

_SHORT = 127
"""Fewer bytes than this have a compact length of one byte."""
_FEW = 31
"""Shorter arrays of numbers are written inline, with formats from the runtime."""
_MARK = {"int8": 255, "varint": 0}
"""The marker of a null struct."""


def writers(plan: planned.MessagePlan, index: int, *, one: bool, many: bool) -> Iterator[Function]:
    """The functions that write a layout: ``one`` struct, and ``many`` in an array."""
    layout = _Writing(plan, index)
    if one:
        yield layout.one()
    if many:
        yield layout.many()


class _Writing:
    """Builds the functions that write a layout."""

    def __init__(self, plan: planned.MessagePlan, index: int) -> None:
        self.plan = plan
        self.index = index
        self.layout = plan.layouts[index]
        self.struct = plan.structs[self.layout.struct]

    def one(self) -> Function:
        return self.function("encode one", "", tuple(self.body()))

    def many(self) -> Function:
        count = writing.PutCompactCount() if self.layout.flexible else writing.PutLength("i", "count")
        items = writing.CheckTuple("array"), writing.Measure("array"), count, writing.ForItems(tuple(self.body()))
        return self.function("encode many", "_array", items)

    def function(self, kind: FunctionKind, suffix: str, body: Block) -> Function:
        return Function(f"_encode_{self.name(self.index)}{suffix}", kind, self.index, keeps_views=False, body=body)

    def name(self, layout: int) -> str:
        return function_name(self.plan, layout)

    def body(self) -> Iterator[Op]:
        layout, fields = self.layout, self.struct.fields
        yield writing.CheckClass(self.struct.class_name)
        for number in layout.guarded:
            yield writing.Guard(fields[number].attribute, differs(fields[number]))
        for step in layout.steps:
            if isinstance(step, planned.RunStep):
                yield from self.run(step.steps)
            else:
                yield from self.value(f"struct.{fields[step.field].attribute}", step.codec)
        known = tuple(sorted([*layout.foreign_tags, *(tagged.tag for tagged in layout.tagged)]))
        if layout.tagged:
            yield writing.WriteTags(tuple(self.cases()), known)
        else:
            yield writing.WriteUnknownTags(known) if layout.flexible else writing.RefuseTags()

    def cases(self) -> Iterator[Op]:
        for tagged in self.layout.tagged:
            field = self.struct.fields[tagged.field]
            if isinstance(tagged.codec, planned.FixedCodec):
                block = tuple(self.run([planned.FieldStep(tagged.field, tagged.codec)]))
            else:
                block = tuple(self.value(f"struct.{field.attribute}", tagged.codec))
            yield writing.WriteTag(tagged.tag, differs(field), block)

    def run(self, steps: Sequence[planned.FieldStep]) -> Iterator[Op]:
        run = members(self.struct, steps)
        for attribute, kind in run:
            if kind == "bool":
                yield writing.CheckBool(attribute)
        yield writing.PackRun(
            format_of(kind for _, kind in run),
            tuple(attribute for attribute, _ in run),
            tuple(attribute for attribute, kind in run if PRIMITIVES[kind].python == "UUID"),
        )

    def value(self, source: str, codec: planned.Codec) -> Iterator[Op]:
        match codec:
            case planned.VarintCodec(form, bits):
                yield writing.CallWriter(f"_write_{form}{bits}", source)
            case planned.StructCodec(layout, null_mark):
                function = f"_encode_{self.name(layout)}"
                if null_mark == "never":
                    yield writing.CallEncoder(function, source)
                else:
                    yield writing.SetValue(source)
                    null = (writing.PutByte(_MARK[null_mark]),)
                    yield writing.IfNone("value", null, (writing.PutByte(1), writing.CallEncoder(function, "value")))
            case planned.VariableCodec():
                yield from _sized(source, codec)
            case planned.ArrayCodec():
                yield from self.array(source, codec)
            case planned.FixedCodec():
                raise AssertionError(f"{codec} stands outside a run")

    def array(self, source: str, codec: planned.ArrayCodec) -> Iterator[Op]:
        element = codec.element
        if is_numbers(codec) and isinstance(element, planned.FixedCodec):
            yield writing.SetValue(source)
            yield from _or_null(
                "value", codec.nullable, _null("i", codec.compact), tuple(_numbers(codec, element.kind))
            )
            return
        call: Op
        if isinstance(element, planned.StructCodec):
            call = writing.CallArrayEncoder(f"_encode_{self.name(element.layout)}_array", source)
        else:
            prefix = "compact_" if codec.compact else ""
            call = writing.CallWriter(f"_write_{prefix}array", source, f"_write_{element_name(element)}")
        yield from _or_null(source, codec.nullable, _null("i", codec.compact), (call,))


def _or_null(source: str, nullable: bool, null: Op, block: Block) -> Iterator[Op]:
    if nullable:
        yield writing.IfNone(source, (null,), block)
    else:
        yield from block


def _null(letter: str, compact: bool) -> Op:
    return writing.PutLength("B", "0") if compact else writing.PutLength(letter, "-1")


def _sized(source: str, codec: planned.VariableCodec) -> Iterator[Op]:
    letter: Literal["h", "i"] = "h" if codec.kind == "string" else "i"
    if codec.nullable:
        yield writing.SetValue(source)
        source = "value"
    yield from _or_null(source, codec.nullable, _null(letter, codec.compact), tuple(_contents(source, letter, codec)))


def _contents(source: str, letter: Literal["h", "i"], codec: planned.VariableCodec) -> Iterator[Op]:
    if codec.kind == "string":
        yield writing.SetText(source)
    else:
        if not codec.nullable:
            yield writing.SetValue(source)
        yield writing.CheckBytes()
    yield writing.Measure("value")
    if not codec.compact:
        yield writing.PutLength(letter, "length")
    else:
        long = ("_write_compact_length", "length") if codec.kind == "string" else ("_write_uvarint", "length + 1")
        yield writing.IfShort(_SHORT, (writing.PutLength("B", "length + 1"),), (writing.PutLongLength(*long),))
    yield writing.PutBytes()


def _numbers(codec: planned.ArrayCodec, kind: str) -> Iterator[Op]:
    yield writing.CheckTuple("value")
    if kind == "bool":
        yield writing.CheckBools()
    yield writing.Measure("value")
    number = format_of([kind])
    count = writing.PutLength("B", "length + 1") if codec.compact else writing.PutLength("i", "length", listed=True)
    writer = "_write_compact_numbers" if codec.compact else "_write_numbers"
    few = (count, writing.PutNumbers(number))
    yield writing.IfShort(_FEW, few, (writing.PutManyNumbers(writer, number),))
