"""The text of functions that read: one for each layout, and how each value on the wire is read.

Inside the functions, ``struct`` is what is read, ``data`` the bytes, ``pos`` the position, and ``length`` what precedes a value.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise

from messagegen.emit.literals import tuple_literal
from messagegen.emit.text import (
    assigned,
    call,
    charge_name,
    definition,
    format_name,
    indented,
    layout_name,
    length_letter,
    plus,
    tag_charge_name,
)
from messagegen.emit.values import default_text
from messagegen.plan import ops


def readers(plan: ops.MessagePlan, index: int, *, single: bool, array: bool) -> Iterator[str]:
    """The functions that read a layout: a ``single`` struct, an ``array`` of structs, a tag section with known tags."""
    reader = _Reader(plan, index)
    if single:
        yield reader.single()
    if array:
        yield reader.array()
    if plan.layouts[index].tagged:
        yield reader.tags()


def element_reader(codec: ops.ElementCodec) -> str:
    """The function of the runtime that reads an element of an array, from its bytes and a position."""
    match codec:
        case ops.VarintCodec(form, bits):
            return f"lambda data, pos: _varints.read_{form}(data, pos, {bits})"
        case ops.VariableCodec(compact=compact):
            return "_wire.read_compact_string" if compact else "_arrays.read_string"
        case ops.FixedCodec(kind):
            return f"_uuids.read_{kind}"
        case ops.StructCodec():
            raise AssertionError("arrays of structs have functions of their own")


class _Reader:
    """Writes the functions that read a layout."""

    def __init__(self, plan: ops.MessagePlan, index: int) -> None:
        self.plan = plan
        self.index = index
        self.layout = plan.layouts[index]
        self.struct = plan.structs[self.layout.struct]
        self.name = f"_decode_{layout_name(plan, index)}"

    def attribute(self, field: int) -> str:
        return f"struct.{self.struct.fields[field].attribute}"

    # Functions

    def single(self) -> str:
        return self.function("", [*self.new_struct(), *self.fields(), "return struct, pos"])

    def array(self) -> str:
        """Reads the count and takes the charges, then reads all elements at once if that is possible, or one after the other."""
        element = ops.StructCodec(self.index, nullable=False)
        refused = ["not 0 < count <= budget.array_length"]
        body = list(self.count())
        if self.layout.charge:
            body.append(f"budget.left -= {charge_name(self.plan, element)} * count")
            refused.append("budget.left < 0")
        if self.layout.least_bytes == 0:
            refused.append("count > len(data) - pos")
        body += [f"if {' or '.join(refused)}:", "    return _arrays.no_elements(count), pos"]
        body += ["items: list[_Any] = []", *self.rows(), "for _ in range(count):"]
        body += indented([*self.new_struct(), *self.fields(), "items.append(struct)"])
        return self.function("_array", [*body, "return tuple(items), pos"])

    def count(self) -> Iterator[str]:
        """Reads the number of elements of an array."""
        if not self.layout.flexible:
            yield from ("(count,) = _unpack_i(data, pos)", "pos += 4")
            return
        yield "count = data[pos] - 1"
        yield "pos += 1"
        yield "if count >= 0x7F:"
        yield "    count, pos = _arrays.long_count(data, pos - 1)"

    def tags(self) -> str:
        """Reads a tag section into ``struct``, in which tags are in ascending order (KIP-482)."""
        cases: list[str] = []
        for tagged in self.layout.tagged:
            if isinstance(tagged.codec, ops.FixedCodec):
                lines = self.run([ops.FieldStep(tagged.field, tagged.codec)])
            else:
                lines = self.value(self.attribute(tagged.field), tagged.codec)
            cases += [f"case {tagged.tag}:", *indented(lines)]
        if self.layout.foreign_tags:
            cases += [f"case {' | '.join(map(str, self.layout.foreign_tags))}:", "    raise _wire.CodecFailure"]
        return self.function(
            "_tags",
            [
                "unknown: list[_Any] = []",
                "last = -1",
                f"count, pos = _wire.read_tag_count(data, pos, budget, {tag_charge_name(self.plan, self.index)})",
                "for _ in range(count):",
                "    tag, size, pos = _wire.read_tag(data, pos, last)",
                "    last = tag",
                "    end = pos + size",
                "    match tag:",
                *indented(cases, 2),
                "        case _:",
                "            unknown.append((tag, data[pos:end]))",
                "            pos = end",
                "    if pos != end:",
                "        raise _wire.CodecFailure",
                "struct.unknown_tagged_fields = tuple(unknown)",
                "return pos",
            ],
        )

    def function(self, suffix: str, body: Sequence[str]) -> str:
        more = ["struct: _Any"] if suffix == "_tags" else []
        returns = "int" if suffix == "_tags" else "_Read"
        return definition(f"{self.name}{suffix}", ["data: bytes", "pos: int", "budget: _Budget", *more], returns, body)

    # Parts of functions

    def call(self, layout: int, suffix: str = "") -> str:
        return f"_decode_{layout_name(self.plan, layout)}{suffix}(data, pos, budget)"

    def new_struct(self) -> Iterator[str]:
        """Makes a struct, with defaults for the fields that may be missing."""
        layout = self.layout
        yield f"struct = _new(*_args_{self.struct.class_name})"
        for number in sorted([*layout.guarded, *layout.ignored, *(tagged.field for tagged in layout.tagged)]):
            yield f"{self.attribute(number)} = {default_text(self.struct.fields[number])}"

    def fields(self) -> Iterator[str]:
        """Reads the fields in wire order, then the tag section. A run also reads the length or tag count that follows it."""
        known = ""
        for step, following in pairwise([*self.layout.steps, None]):
            assert step is not None
            if isinstance(step, ops.RunStep):
                letter = self.head(following)
                known = letter and ("length" if following else "tag_count")
                yield from self.run(step.steps, letter, known)
            else:
                yield from self.value(self.attribute(step.field), step.codec, peeked=bool(known))
                known = ""
        yield from self.tag_section(peeked=bool(known))

    def head(self, step: ops.Step | None) -> str:
        """The ``struct`` letter of what a step begins with, if it begins with a length; ``None`` means the tag section."""
        if step is None:
            return "B" if self.layout.flexible else ""
        assert isinstance(step, ops.FieldStep)
        return length_letter(step.codec)

    def run(self, steps: Sequence[ops.FieldStep], letter: str = "", then: str = "") -> Iterator[str]:
        """Reads fields of constant size in one step, and then a length if ``letter`` says so."""
        primitives = [step.codec.primitive for step in steps if isinstance(step.codec, ops.FixedCodec)]
        targets = [self.attribute(step.field) for step in steps] + [then] * bool(letter)
        name = format_name("".join(one.format for one in primitives) + letter)
        yield from assigned(targets, f"_unpack_{name}(data, pos)")
        yield f"pos += {sum(one.size for one in primitives) + ops.LENGTH_SIZE[letter]}"
        for step, primitive in zip(steps, primitives, strict=True):
            if primitive.python == "UUID":
                yield f"{self.attribute(step.field)} = _uuid_of({self.attribute(step.field)})"

    def tag_section(self, *, peeked: bool) -> Iterator[str]:
        if not self.layout.flexible:
            yield "struct.unknown_tagged_fields = ()"
            return
        if peeked:
            yield "struct.unknown_tagged_fields = ()"
        yield "if tag_count:" if peeked else "if data[pos]:"
        start = plus("pos", -peeked)
        if self.layout.tagged:
            yield f"    pos = {self.name}_tags(data, {start}, budget, struct)"
        else:
            foreign = f", {tuple_literal(self.layout.foreign_tags)}" if self.layout.foreign_tags else ""
            charge = tag_charge_name(self.plan, self.index)
            read = f"_wire.read_unknown_tags(data, {start}, budget, {charge}{foreign})"
            yield f"    struct.unknown_tagged_fields, pos = {read}"
        if not peeked:
            yield from ("else:", "    struct.unknown_tagged_fields = ()", "    pos += 1")

    def rows(self) -> Iterator[str]:
        """Reads elements of constant size without known tags in one step, if their tag sections are empty."""
        match self.layout:
            case ops.Layout(steps=(ops.RunStep(steps),), tagged=()):
                pass
            case _:
                return
        primitives = [step.codec.primitive for step in steps if isinstance(step.codec, ops.FixedCodec)]
        if any(one.python == "UUID" for one in primitives):
            return
        size = sum(one.size for one in primitives) + self.layout.flexible
        name = format_name("".join(one.format for one in primitives) + "x" * self.layout.flexible)
        targets = [self.attribute(step.field) for step in steps]
        yield f"stop = pos + {size} * count"
        yield (
            f"if data[pos + {size - 1} : stop : {size}].count(0) == count:"
            if self.layout.flexible
            else "if stop <= len(data):"
        )
        yield f"    for row in _rows_{name}(data[pos:stop] if count < _COPIED_ROWS else memoryview(data)[pos:stop]):"
        yield from indented(
            [
                *self.new_struct(),
                *assigned(targets, "row"),
                "struct.unknown_tagged_fields = ()",
                "items.append(struct)",
            ],
            2,
        )
        yield "    return tuple(items), stop"

    # Values

    def value(self, to: str, codec: ops.Codec, *, peeked: bool = False) -> Iterator[str]:
        """Reads a value into ``to``; ``peeked`` if ``length`` has been read with what precedes it."""
        match codec:
            case ops.FixedCodec():
                raise AssertionError("values of constant size are in runs")
            case ops.VarintCodec(form, bits):
                yield f"{to}, pos = _varints.read_{form}(data, pos, {bits})"
            case ops.VariableCodec():
                yield from self.sized(to, codec, peeked=peeked)
            case ops.StructCodec():
                yield from self.nested(to, codec)
            case ops.ArrayCodec(ops.FixedCodec() as element) if element.primitive.is_number:
                yield from self.numbers(to, codec, peeked=peeked)
            case ops.ArrayCodec(ops.StructCodec(layout), compact, nullable):
                read = f"{to}, pos = {self.call(layout, '_array')}"
                null = "not data[pos]" if compact else "data[pos] > 127"
                skip = f"    pos += {1 if compact else 4}"
                yield from [f"if {null}:", f"    {to} = None", skip, "else:", f"    {read}"] if nullable else [read]
            case ops.ArrayCodec(element, compact, nullable):
                how = [self.charge(codec), str(compact), str(nullable)]
                yield from call(
                    f"{to}, pos = _arrays.read_array(", [element_reader(element), "data, pos, budget", *how]
                )

    def sized(self, to: str, codec: ops.VariableCodec, *, peeked: bool) -> Iterator[str]:
        """A string, bytes or records: at once if it is short, by the runtime if it is long or null."""
        text, compact = codec.kind == "string", codec.compact
        letter = "h" if text else "i"
        length = yield from self.length(compact, letter, peeked=peeked)
        ahead = 1 if compact and not peeked else 0
        stop = plus("pos + length", ahead - compact)
        value = f"data[{plus('pos', ahead)} : (pos := {stop})]{'.decode()' * text}"
        if not compact:
            yield f"{to} = {value} if {length} >= 0 else {'None' if codec.nullable else '_wire.not_null(None)'}"
            return
        reader = "_wire.read_compact_string" if text else "_arrays.read_compact_bytes"
        long = f"{to}, pos = {reader}(data, {plus('pos', -int(peeked))}, {codec.nullable})"
        yield from (f"if 0 < {length} < 128:", f"    {to} = {value}", "else:", f"    {long}")

    def numbers(self, to: str, codec: ops.ArrayCodec, *, peeked: bool) -> Iterator[str]:
        """An array of numbers: at once if it is short, by the runtime if it is long or null."""
        assert isinstance(codec.element, ops.FixedCodec)
        letter, size, compact = codec.element.primitive.format, codec.element.primitive.size, codec.compact
        if codec.charge:
            start = plus("pos", -ops.LENGTH_SIZE["B" if compact else "i"]) if peeked else "pos"
            where = f'"{letter}", data, {start}, budget, {self.charge(codec)}, {compact}, {codec.nullable}'
            yield f"{to}, pos = _arrays.read_numbers({where})"
            return
        behind = int(peeked) if compact else 4
        before = yield from self.length(compact, "i", peeked=peeked)
        ahead = 1 if compact and not peeked else 0
        name, bytes_ = format_name(letter), "length" if size == 1 else f"{size} * length"
        # The first entry of the table, which is for null, raises.
        null = "0 < " * codec.nullable
        yield f"if {null}{before} <= _SHORT_ARRAY:" if compact else f"if 0 <= {before} < _SHORT_ARRAY:"
        yield f"    {to} = _unpackers_{name}[{'length' if compact else 'length + 1'}](data, {plus('pos', ahead)})"
        yield f"    pos += {plus(bytes_, ahead - size * compact)}"
        where = f'"{letter}", data, {plus("pos", -behind)}, budget, 0, {compact}, {codec.nullable}'
        yield from ("else:", f"    {to}, pos = _arrays.read_numbers({where})")

    def charge(self, codec: ops.ArrayCodec) -> str:
        return charge_name(self.plan, codec.element) if codec.charge else "0"

    def length(self, compact: bool, letter: str, *, peeked: bool) -> Generator[str, None, str]:
        """Reads ``length``, and returns an expression for it; that of a compact value is only looked at: it may have more bytes."""
        if not peeked and compact:
            return "(length := data[pos])"
        if not peeked:
            yield from (f"(length,) = _unpack_{letter}(data, pos)", f"pos += {ops.LENGTH_SIZE[letter]}")
        return "length"

    def nested(self, to: str, codec: ops.StructCodec) -> Iterator[str]:
        """A struct, perhaps after a marker that says whether it is null (KIP-893)."""
        read = f"{to}, pos = {self.call(codec.layout)}"
        if not codec.nullable:
            yield read
        elif not codec.tagged:
            yield from ("pos += 1", "if data[pos - 1] > 127:", f"    {to} = None", "else:", f"    {read}")
        else:
            yield from ("mark, pos = _wire.read_uvarint(data, pos)", "if mark == 0:", f"    {to} = None")
            yield from ("else:", f"    {read}")
