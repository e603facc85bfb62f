"""Selects the operations that read a layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from messagegen.lower.ops import INT16, INT32, Block, Function, FunctionKind, Length, Op, reading
from messagegen.lower.values import default_of, format_of, function_name, is_numbers, members
from messagegen.plan import ops as planned
from messagegen.primitives import PRIMITIVES


def readers(plan: planned.MessagePlan, index: int, *, one: bool, many: bool) -> Iterator[Function]:
    """The functions that read a layout: ``one`` struct, ``many`` in an array, and a tag section with known tags."""
    layout = _Reading(plan, index)
    if one:
        yield layout.one()
    if many:
        yield layout.many()
    if plan.layouts[index].tagged:
        yield layout.tags()


class _Reading:
    """Builds the functions that read a layout."""

    def __init__(self, plan: planned.MessagePlan, index: int) -> None:
        self.plan = plan
        self.index = index
        self.layout = plan.layouts[index]
        self.struct = plan.structs[self.layout.struct]

    def one(self) -> Function:
        return self.function("decode one", "", (*self.body(), reading.ReturnObject()))

    def many(self) -> Function:
        count = reading.ReadCompactCount() if self.layout.flexible else reading.ReadCount(INT32)
        each = reading.ForCount((*self.body(), reading.Append()))
        items = reading.StartItems(), each, reading.ReturnItems()
        return self.function("decode many", "_array", (reading.UnlessCounted((count,)), *items))

    def tags(self) -> Function:
        return self.function("decode tags", "_tags", (reading.ReadTags(tuple(self.cases())),))

    def function(self, kind: FunctionKind, suffix: str, body: Block) -> Function:
        # The reader of a message is called with both buffers in every version.
        keeps_views = self.layout.zero_copy or self.layout.struct == 0
        return Function(f"_decode_{self.name(self.index)}{suffix}", kind, self.index, keeps_views, body)

    def name(self, layout: int) -> str:
        return function_name(self.plan, layout)

    def body(self) -> Iterator[Op]:
        yield reading.NewObject(self.struct.class_name)
        layout, fields = self.layout, self.struct.fields
        for number in sorted([*layout.guarded, *layout.ignored, *(tagged.field for tagged in layout.tagged)]):
            yield reading.SetDefault(fields[number].attribute, default_of(fields[number]))
        for step in layout.steps:
            if isinstance(step, planned.RunStep):
                yield from self.run(step.steps)
            else:
                yield from self.value(fields[step.field].attribute, step.codec)
        if not layout.flexible:
            yield reading.NoTags()
        elif layout.tagged:
            call = reading.CallTagDecoder(f"_decode_{self.name(self.index)}_tags", self.keeps(self.index), 0)
            yield reading.TagSection(peeked=False, block=(call,))
        else:
            yield reading.TagSection(peeked=False, block=(reading.ReadUnknownTags(layout.foreign_tags, 0),))

    def keeps(self, layout: int) -> bool:
        return self.plan.layouts[layout].zero_copy or self.plan.layouts[layout].struct == 0

    def cases(self) -> Iterator[Op]:
        for number, tagged in enumerate(self.layout.tagged):
            attribute = self.struct.fields[tagged.field].attribute
            if isinstance(tagged.codec, planned.FixedCodec):
                block = tuple(self.run([planned.FieldStep(tagged.field, tagged.codec)]))
            else:
                block = tuple(self.value(attribute, tagged.codec))
            yield reading.ReadTag(tagged.tag, not number, block)
        if self.layout.foreign_tags:
            yield reading.RefuseForeignTags(self.layout.foreign_tags)

    def run(self, steps: Sequence[planned.FieldStep]) -> Iterator[Op]:
        run = members(self.struct, steps)
        yield reading.ReadRun(format_of(kind for _, kind in run), tuple(attribute for attribute, _ in run))
        for attribute, kind in run:
            if PRIMITIVES[kind].python == "UUID":
                yield reading.MakeUuid(attribute)

    def value(self, attribute: str, codec: planned.Codec) -> Iterator[Op]:
        match codec:
            case planned.VarintCodec(form, bits):
                yield reading.ReadVarint(attribute, f"_read_{form}{bits}")
            case planned.StructCodec():
                yield from self.of_struct(attribute, codec)
            case planned.VariableCodec():
                yield from _sized(attribute, codec)
            case planned.ArrayCodec():
                yield from self.array(attribute, codec)
            case planned.FixedCodec():
                raise AssertionError(f"{codec} stands outside a run")

    def of_struct(self, attribute: str, codec: planned.StructCodec) -> Iterator[Op]:
        layout = codec.layout
        call = reading.CallDecoder(attribute, f"_decode_{self.name(layout)}", self.keeps(layout))
        match codec.null_mark:
            case "never":
                yield call
            case "int8":
                yield reading.ReadMark()
                yield reading.ReadOrNull(attribute, "mark > 127", 0, (call,))
            case "varint":
                yield reading.ReadVarintMark()
                yield reading.ReadOrNull(attribute, "mark == 0", 0, (call,))

    def array(self, attribute: str, codec: planned.ArrayCodec) -> Iterator[Op]:
        element = codec.element
        if is_numbers(codec) and isinstance(element, planned.FixedCodec):
            yield from _numbers(attribute, codec, element.kind)
            return
        if isinstance(element, planned.StructCodec):
            layout = element.layout
            call = reading.CallDecoder(attribute, f"_decode_{self.name(layout)}_array", self.keeps(layout))
            if codec.nullable and codec.compact:
                yield reading.ReadOrNull(attribute, "not data[pos]", 1, (call,))
            elif codec.nullable:
                yield reading.ReadOrNull(attribute, "data[pos] > 127", 4, (call,))
            else:
                yield call
        else:
            prefix = "compact_" if codec.compact else ""
            yield reading.ReadArray(attribute, f"_read_{prefix}array", f"_read_{element_name(element)}")
        if not codec.nullable:
            yield reading.RefuseNull(attribute)


def element_name(codec: planned.ElementCodec) -> str:
    """The suffix of the functions that read and write an element."""
    match codec:
        case planned.VarintCodec(form, bits):
            return f"{form}{bits}"
        case planned.VariableCodec(compact=compact):
            return "compact_string" if compact else "string"
        case planned.FixedCodec(kind):
            return kind
        case planned.StructCodec():
            raise AssertionError("structs have separate functions")


def _sized(attribute: str, codec: planned.VariableCodec) -> Iterator[Op]:
    is_text = codec.kind == "string"
    format_ = INT16 if is_text else INT32
    yield reading.LookAtLength() if codec.compact else reading.ReadLength(format_)
    prefix, suffix = "compact_" if codec.compact else "", "_or_null" if codec.nullable else ""
    yield reading.ReadSized(
        attribute,
        "source" if codec.zero_copy else "data",
        is_text,
        Length("B", 0) if codec.compact else Length(format_.letters, format_.size),
        f"_read_{prefix}{'string' if is_text else 'bytes'}{suffix}",
    )


def _numbers(attribute: str, codec: planned.ArrayCodec, kind: str) -> Iterator[Op]:
    yield reading.LookAtLength() if codec.compact else reading.ReadLength(INT32)
    prefix, suffix = "compact_" if codec.compact else "", "_or_null" if codec.nullable else ""
    length = Length("B", 0) if codec.compact else Length("i", 4)
    yield reading.ReadNumbers(attribute, format_of([kind]), length, f"_read_{prefix}numbers{suffix}")
