"""The functions that read: a layout, an array of it, its tag section; below them, how each kind of value is read.

In generated functions, ``struct`` is what is read, ``data`` the bytes, ``pos`` the position, and ``length`` what
precedes a value. Each call of ``code`` adds the line that it shows.

Fields of constant size are read together, and with them the length of the value that follows (``Length``). An int16 or
int32 is then behind ``pos``. A compact length may have more bytes than the one that was read, so ``pos`` stays before
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from messagegen.emit.code import Code
from messagegen.emit.layouts import (
    COMPACT,
    INT16,
    INT32,
    TWO_BYTES,
    Length,
    format_of,
    layout_name,
    length_of,
    primitives_of,
)
from messagegen.emit.literals import tuple_literal
from messagegen.emit.uses import Uses
from messagegen.emit.values import default_source
from messagegen.plan import ops
from messagegen.plan.text import codec_text
from messagegen.primitives import Primitive


class LayoutReader:
    """Adds the functions that read a layout."""

    def __init__(self, plan: ops.MessagePlan, index: int, use: Uses, code: Code) -> None:
        self.index = index
        self.use = use
        self.code = code
        self.layout = plan.layouts[index]
        self.struct = plan.structs[self.layout.struct]
        self.name = layout_name(plan, index)
        self.values = ValueReader(plan, use, code)

    # Functions

    def single(self) -> None:
        """The function that reads a struct."""
        with self._function("", [], self.use.Read):
            self._new_struct()
            self._fields()
            self.code.line("return struct, pos")

    def array(self) -> None:
        """The function that reads an array of structs: its count, then all elements at once or one after the other.

        What the elements may cost is taken from the budget before the first one is made. The runtime decides about no
        elements, and refuses null and too many.
        """
        use, code = self.use, self.code
        with self._function("_array", [], use.Read):
            if self.layout.flexible:
                self._compact_count()
            else:
                code.line(f"(count,) = {use.unpack('i')}(data, pos)")
                code.line("pos += 4")
            self._check_count()
            code.line(f"items: list[{use.Any}] = []")
            self._elements_at_once()
            with code.block("for _ in range(count):"):
                self._new_struct()
                self._fields()
                code.line("items.append(struct)")
            code.line("return tuple(items), pos")

    def tags(self) -> None:
        """The function that reads a tag section into ``struct``, in which tags are in ascending order (KIP-482)."""
        use, code = self.use, self.code
        charge = use.charge(f"{self.name}_tag", self.layout.tag_charge)
        with self._function("_tags", [f"struct: {use.Any}"], "int"):
            code.line(f"unknown: list[{use.Any}] = []")
            code.line("last = -1")
            code.line(f"count, pos = {use.wire}.read_tag_count(data, pos, budget, {charge})")
            with code.block("for _ in range(count):"):
                code.line(f"tag, size, pos = {use.wire}.read_tag(data, pos, last)")
                code.line("last = tag")
                code.line("end = pos + size")
                with code.block("match tag:"):
                    for tagged in self.layout.tagged:
                        self._known_tag(tagged)
                    if self.layout.foreign_tags:
                        with code.block(f"case {' | '.join(map(str, self.layout.foreign_tags))}:"):
                            code.line(f"raise {use.wire}.CodecFailure")
                    with code.block("case _:"):
                        code.line("unknown.append((tag, data[pos:end]))")
                        code.line("pos = end")
                with code.block("if pos != end:"):
                    code.line(f"raise {use.wire}.CodecFailure")
            code.line("struct.unknown_tagged_fields = tuple(unknown)")
            code.line("return pos")

    def _function(self, suffix: str, more_parameters: Sequence[str], returns: str) -> Code:
        """The head of a function that reads from ``data`` at ``pos``."""
        parameters = ["data: bytes", "pos: int", f"budget: {self.use.Budget}", *more_parameters]
        return self.code.function(f"_decode_{self.name}{suffix}", parameters, returns)

    # Parts of functions

    def _compact_count(self) -> None:
        use, code = self.use, self.code
        code.line("count = data[pos] - 1")
        code.line("pos += 1")
        with code.block(f"if count >= {TWO_BYTES - 1}:"):
            code.line(f"count, pos = {use.arrays}.long_count(data, pos - 1)")

    def _check_count(self) -> None:
        """Takes what the elements may cost, and leaves the function if there are none."""
        use, code = self.use, self.code
        conditions = ["not 0 < count <= budget.array_length"]
        if self.layout.charge:
            code.line(f"budget.left -= {use.charge(self.name, self.layout.charge)} * count")
            conditions.append("budget.left < 0")
        if self.layout.least_bytes == 0:
            conditions.append("count > len(data) - pos")
        with code.block(f"if {' or '.join(conditions)}:"):
            code.line(f"return {use.arrays}.no_elements(count), pos")

    def _elements_at_once(self) -> None:
        """Reads elements of constant size without known tags in one step, if their tag sections are empty."""
        use, code, flexible = self.use, self.code, self.layout.flexible
        match self.layout:
            case ops.Layout(steps=(ops.RunStep(steps),), tagged=()):
                primitives = primitives_of(steps)
            case _:
                return
        if any(primitive.python == "UUID" for primitive in primitives):
            return
        letters, size = format_of(steps)
        if flexible:
            code.line(f"stop = pos + {size + 1} * count")
            block = code.block(f"if data[pos + {size} : stop : {size + 1}].count(0) == count:")
            rows = use.rows(f"{letters}x")
        else:
            code.line(f"stop = pos + {size} * count")
            block = code.block("if stop <= len(data):")
            rows = use.rows(letters)
        with block:
            part = f"data[pos:stop] if count < {use.COPIED_ROWS} else memoryview(data)[pos:stop]"
            with code.block(f"for row in {rows}({part}):"):
                self._new_struct()
                code.unpack([self._attribute(step.field) for step in steps], "row")
                code.line("struct.unknown_tagged_fields = ()")
                code.line("items.append(struct)")
            code.line("return tuple(items), stop")

    def _new_struct(self) -> None:
        """Makes a struct, with defaults for the fields that may be missing."""
        use, code, layout = self.use, self.code, self.layout
        code.line(f"struct = {use.new}(*_args_{self.struct.class_name})")
        for number in sorted([*layout.guarded, *layout.ignored, *(tagged.field for tagged in layout.tagged)]):
            code.line(f"{self._attribute(number)} = {default_source(self.struct.fields[number], use)}")

    def _fields(self) -> None:
        """Reads the fields in wire order, then the tag section."""
        length_is_read = False
        for step, following in pairwise([*self.layout.steps, None]):
            if isinstance(step, ops.FieldStep):
                self.values.value(self._attribute(step.field), step.codec, length_is_read=length_is_read)
                length_is_read = False
            elif isinstance(step, ops.RunStep):
                if following is None and self.layout.flexible:
                    self._run_and_tag_section(step.steps)
                    return
                length = length_of(following.codec) if isinstance(following, ops.FieldStep) else None
                self._run(step.steps, length)
                length_is_read = length is not None
        if self.layout.flexible:
            self._tag_section()
        else:
            self.code.line("struct.unknown_tagged_fields = ()")

    def _run(self, steps: Sequence[ops.FieldStep], length: Length | None = None) -> None:
        """Reads fields of constant size in one step, with the length that follows them."""
        code = self.code
        letters, size = format_of(steps)
        targets = [self._attribute(step.field) for step in steps]
        if length:
            code.unpack([*targets, "length"], f"{self.use.unpack(letters + length.letter)}(data, pos)")
            code.line(f"pos += {size if length.compact else size + length.size}")
        else:
            code.unpack(targets, f"{self.use.unpack(letters)}(data, pos)")
            code.line(f"pos += {size}")
        self._uuids(steps)

    def _run_and_tag_section(self, steps: Sequence[ops.FieldStep]) -> None:
        """Reads fields of constant size in one step, with the number of tagged fields after them, which is mostly 0."""
        use, code = self.use, self.code
        letters, size = format_of(steps)
        targets = [self._attribute(step.field) for step in steps]
        code.unpack([*targets, "tag_count"], f"{use.unpack(letters + COMPACT.letter)}(data, pos)")
        code.line(f"pos += {size + COMPACT.size}")
        self._uuids(steps)
        code.line("struct.unknown_tagged_fields = ()")
        with code.block("if tag_count:"):
            self._tagged_fields("pos - 1")

    def _uuids(self, steps: Sequence[ops.FieldStep]) -> None:
        """Makes uuids of those fields that have been read as bytes."""
        for step, primitive in zip(steps, primitives_of(steps), strict=True):
            if primitive.python == "UUID":
                attribute = self._attribute(step.field)
                self.code.line(f"{attribute} = {self.use.uuid_of}({attribute})")

    def _tag_section(self) -> None:
        code = self.code
        with code.block("if data[pos]:"):
            self._tagged_fields("pos")
        with code.block("else:"):
            code.line("struct.unknown_tagged_fields = ()")
            code.line("pos += 1")

    def _tagged_fields(self, start: str) -> None:
        """Reads a tag section that is not empty, from the expression of its position."""
        use, code = self.use, self.code
        if self.layout.tagged:
            code.line(f"pos = _decode_{self.name}_tags(data, {start}, budget, struct)")
            return
        arguments = ["data", start, "budget", use.charge("unknown_tag", self.layout.tag_charge)]
        if self.layout.foreign_tags:
            arguments.append(tuple_literal(self.layout.foreign_tags))
        code.bracketed(f"struct.unknown_tagged_fields, pos = {use.wire}.read_unknown_tags(", arguments, ")")

    def _known_tag(self, tagged: ops.TaggedField) -> None:
        with self.code.block(f"case {tagged.tag}:"):
            if isinstance(tagged.codec, ops.FixedCodec):
                self._run([ops.FieldStep(tagged.field, tagged.codec)])
            else:
                self.values.value(self._attribute(tagged.field), tagged.codec)

    def _attribute(self, field: int) -> str:
        return f"struct.{self.struct.fields[field].attribute}"


class ValueReader:
    """Adds the lines that read a value into ``to``; values of constant size are read in runs.

    With ``length_is_read``, the value's length is in ``length``.
    """

    def __init__(self, plan: ops.MessagePlan, use: Uses, code: Code) -> None:
        self.plan = plan
        self.use = use
        self.code = code

    def value(self, to: str, codec: ops.Codec, *, length_is_read: bool = False) -> None:
        """Reads a value of any kind."""
        match codec:
            case ops.FixedCodec():
                raise AssertionError("values of constant size are in runs")
            case ops.VarintCodec(form, bits):
                self.code.line(f"{to}, pos = {self.use.varints}.read_{form}(data, pos, {bits})")
            case ops.VariableCodec(compact=True):
                self._compact_text_or_bytes(to, codec, length_is_read=length_is_read)
            case ops.VariableCodec():
                self._text_or_bytes(to, codec, length_is_read=length_is_read)
            case ops.StructCodec():
                self._struct(to, codec)
            case ops.ArrayCodec(ops.StructCodec(layout)):
                self._structs(to, codec, layout)
            case ops.ArrayCodec(ops.FixedCodec() as element) if element.primitive.is_number:
                self._numbers(to, codec, element.primitive, length_is_read=length_is_read)
            case ops.ArrayCodec():
                self._array(to, codec)

    # A string, bytes or records: at once if it is short, by the runtime if it is long or null.

    def _compact_text_or_bytes(self, to: str, codec: ops.VariableCodec, *, length_is_read: bool) -> None:
        use, code = self.use, self.code
        length = "length" if length_is_read else "(length := data[pos])"
        if codec.kind == "string":
            short = "data[pos + 1 : (pos := pos + length)].decode()"
            long = f"{use.wire}.read_compact_string"
        else:
            short = "data[pos + 1 : (pos := pos + length)]"
            long = f"{use.arrays}.read_compact_bytes"
        with code.block(f"if 0 < {length} < {TWO_BYTES}:"):
            code.line(f"{to} = {short}")
        with code.block("else:"):
            code.line(f"{to}, pos = {long}(data, pos, {codec.nullable})")

    def _text_or_bytes(self, to: str, codec: ops.VariableCodec, *, length_is_read: bool) -> None:
        otherwise = "None" if codec.nullable else f"{self.use.wire}.not_null(None)"
        if codec.kind == "string":
            self._length(INT16, length_is_read=length_is_read)
            self.code.choose(to, "length >= 0", "data[pos : (pos := pos + length)].decode()", otherwise)
        else:
            self._length(INT32, length_is_read=length_is_read)
            self.code.choose(to, "length >= 0", "data[pos : (pos := pos + length)]", otherwise)

    # An array of numbers: at once if it is short, by the runtime if it is long or null, or if numbers have a charge.

    def _numbers(self, to: str, codec: ops.ArrayCodec, number: Primitive, *, length_is_read: bool) -> None:
        if codec.charge:
            behind = length_is_read and not codec.compact
            self._many_numbers(to, f"pos - {INT32.size}" if behind else "pos", codec, number)
        elif codec.compact:
            self._compact_numbers(to, codec, number, length_is_read=length_is_read)
        else:
            self._plain_numbers(to, codec, number, length_is_read=length_is_read)

    def _compact_numbers(self, to: str, codec: ops.ArrayCodec, number: Primitive, *, length_is_read: bool) -> None:
        use, code = self.use, self.code
        length = "length" if length_is_read else "(length := data[pos])"
        # Without null, the first reader of the table raises.
        lowest = "0 < " if codec.nullable else ""
        with code.block(f"if {lowest}{length} <= {use.SHORT_ARRAY}:"):
            code.line(f"{to} = {use.unpackers(number.format)}[length](data, pos + 1)")
            # ``length`` is the count + 1, and is a byte itself.
            code.line("pos += length" if number.size == 1 else f"pos += {number.size} * length - {number.size - 1}")
        with code.block("else:"):
            self._many_numbers(to, "pos", codec, number)

    def _plain_numbers(self, to: str, codec: ops.ArrayCodec, number: Primitive, *, length_is_read: bool) -> None:
        use, code = self.use, self.code
        self._length(INT32, length_is_read=length_is_read)
        with code.block(f"if 0 <= length < {use.SHORT_ARRAY}:"):
            code.line(f"{to} = {use.unpackers(number.format)}[length + 1](data, pos)")
            code.line("pos += length" if number.size == 1 else f"pos += {number.size} * length")
        with code.block("else:"):
            self._many_numbers(to, f"pos - {INT32.size}", codec, number)

    def _many_numbers(self, to: str, start: str, codec: ops.ArrayCodec, number: Primitive) -> None:
        arguments = [f'"{number.format}"', "data", start, "budget", self._charge(codec)]
        arguments += [str(codec.compact), str(codec.nullable)]
        self.code.bracketed(f"{to}, pos = {self.use.arrays}.read_numbers(", arguments, ")")

    # Other arrays, and structs

    def _array(self, to: str, codec: ops.ArrayCodec) -> None:
        """Reads an array of strings, varints or uuids."""
        use = self.use
        match codec.element:
            case ops.VarintCodec(form, bits):
                reader = f"lambda data, pos: {use.varints}.read_{form}(data, pos, {bits})"
            case ops.VariableCodec(compact=True):
                reader = f"{use.wire}.read_compact_string"
            case ops.VariableCodec():
                reader = f"{use.arrays}.read_string"
            case ops.FixedCodec(kind):
                reader = f"{use.uuids}.read_{kind}"
            case ops.StructCodec():
                raise AssertionError("arrays of structs have functions of their own")
        arguments = [reader, "data", "pos", "budget", self._charge(codec), str(codec.compact), str(codec.nullable)]
        self.code.bracketed(f"{to}, pos = {use.arrays}.read_array(", arguments, ")")

    def _charge(self, codec: ops.ArrayCodec) -> str:
        return self.use.charge(codec_text(codec.element), codec.charge) if codec.charge else "0"

    def _structs(self, to: str, codec: ops.ArrayCodec, layout: int) -> None:
        code = self.code
        function = f"_decode_{layout_name(self.plan, layout)}_array"
        if codec.nullable:
            length = COMPACT if codec.compact else INT32
            with code.block("if not data[pos]:" if codec.compact else f"if data[pos] >= {self.use.NEGATIVE}:"):
                code.line(f"{to} = None")
                code.line(f"pos += {length.size}")
            with code.block("else:"):
                self._call(to, function)
        else:
            self._call(to, function)

    def _struct(self, to: str, codec: ops.StructCodec) -> None:
        """Reads a struct, perhaps after a mark that says whether it is null.

        The mark is an int8 (KIP-893), or a varint in a tag section.
        """
        use, code = self.use, self.code
        function = f"_decode_{layout_name(self.plan, codec.layout)}"
        if not codec.nullable:
            self._call(to, function)
            return
        if codec.tagged:
            code.line(f"mark, pos = {use.wire}.read_uvarint(data, pos)")
            null = code.block("if mark == 0:")
        else:
            code.line("pos += 1")
            null = code.block(f"if data[pos - 1] >= {use.NEGATIVE}:")
        with null:
            code.line(f"{to} = None")
        with code.block("else:"):
            self._call(to, function)

    def _call(self, to: str, function: str) -> None:
        self.code.bracketed(f"{to}, pos = {function}(", ["data", "pos", "budget"], ")")

    def _length(self, length: Length, *, length_is_read: bool) -> None:
        """Reads a length that is not compact, unless the fields before it have been read together with it."""
        if not length_is_read:
            self.code.line(f"(length,) = {self.use.unpack(length.letter)}(data, pos)")
            self.code.line(f"pos += {length.size}")
