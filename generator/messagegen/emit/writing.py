"""The functions that write: a layout, an array of it; below them, how each kind of value is written.

In generated functions, ``struct`` is what is written, ``out`` the buffer, ``value`` a value that is being written, and
``length`` its length, or the length + 1 where it is written in compact form. Each call of ``code`` adds the line that
it shows.

Fields of constant size are written together (``Run``), and with them the length of the value that follows
(``Length``). So whatever writes a value gets the run before it, and writes it first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from messagegen.emit.code import LINE_LENGTH, Code
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
from messagegen.emit.values import differs
from messagegen.plan import ops
from messagegen.primitives import Primitive

_IN_A_LOOP: Final = LINE_LENGTH - len("        if :")
"""The length of conditions that fit on a line in a loop in a function."""
_PADDING: Final = "x"
"""The ``struct`` letter of a zero byte, which has no value."""


@dataclass(frozen=True, slots=True)
class Run:
    """Fields of constant size that are still to be written: their format, and the expressions of their values."""

    letters: str = ""
    values: tuple[str, ...] = ()


NO_RUN: Final = Run()


class LayoutWriter:
    """Adds the functions that write a layout."""

    def __init__(self, plan: ops.MessagePlan, index: int, use: Uses, code: Code) -> None:
        self.use = use
        self.code = code
        self.plan = plan
        self.layout = plan.layouts[index]
        self.struct = plan.structs[self.layout.struct]
        self.name = layout_name(plan, index)
        self.values = ValueWriter(plan, use, code, "out")
        self.tag_values = ValueWriter(plan, use, code, "tagged")

    # Functions

    def single(self) -> None:
        """The function that writes a struct."""
        with self._function("", [f"struct: {self.use.Any}", "out: bytearray"]):
            self._body()

    def array(self) -> None:
        """The function that writes an array of structs."""
        use, code = self.use, self.code
        with self._function("_array", ["out: bytearray", f"array: {use.Any}"]):
            if self.layout.flexible:
                with code.block(f"if type(array) is {use.TUPLE} and (count := len(array) + 1) < {TWO_BYTES}:"):
                    code.line("out.append(count)")
                with code.block("else:"):
                    code.line(f"array = {use.arrays}.write_compact_count(out, array)")
            else:
                with code.block(f"if type(array) is not {use.TUPLE}:"):
                    code.line(f"array = {use.wire}.array_of(array)")
                code.line(f"out += {use.pack(INT32.letter)}(len(array))")
            with code.block("for struct in array:"):
                self._body()

    def _function(self, suffix: str, parameters: Sequence[str]) -> Code:
        return self.code.function(f"_encode_{self.name}{suffix}", parameters, "None")

    # Parts of functions

    def _body(self) -> None:
        """Checks the struct, then writes its fields in wire order and its tag section."""
        if any(self._equals_nothing(number) for number in self.layout.guarded):
            # Such a field would have to be left at its default.
            self.code.line(f"raise {self.use.wire}.CodecFailure")
            return

        self._check_class()
        self._refuse_others_than_defaults()
        run = NO_RUN
        for step in self.layout.steps:
            match step:
                case ops.RunStep(steps):
                    run = self._run(steps)
                case ops.FieldStep(field, codec):
                    self.values.value(self._attribute(field), codec, run)
                    run = NO_RUN
        if not self.layout.flexible:
            self._no_tag_section(run)
        elif self.layout.tagged:
            self._tag_section(run)
        else:
            self._empty_tag_section(run)

    def _check_class(self) -> None:
        is_message = self.layout.struct == 0
        if is_message:  # It encodes itself.
            return
        name = self.struct.class_name
        with self.code.block(f"if struct.__class__ is not {name}:"):
            self.code.line(f"{self.use.wire}.check_instance(struct, {name})")

    def _refuse_others_than_defaults(self) -> None:
        """Raises if a field that is not on the wire does not have its default.

        Checks as many fields at once as fit on a line.
        """
        use, code = self.use, self.code
        together: list[str] = []
        for number in self.layout.guarded:
            differences = differs(self.struct.fields[number], use)
            condition = " and ".join(differences)
            if len(" or ".join([*together, condition])) > _IN_A_LOOP:
                self._refuse(together)
                together = []
            if len(condition) > _IN_A_LOOP:
                with code.if_all(differences):
                    code.line(f"raise {use.wire}.CodecFailure")
            else:
                together.append(condition)
        self._refuse(together)

    def _refuse(self, conditions: Sequence[str]) -> None:
        """Raises if any of the conditions is true."""
        if conditions:
            with self.code.block(f"if {' or '.join(conditions)}:"):
                self.code.line(f"raise {self.use.wire}.CodecFailure")

    def _run(self, steps: Sequence[ops.FieldStep]) -> Run:
        """Fields of constant size; adds checks that ``struct`` does not make."""
        values: list[str] = []
        for step, primitive in zip(steps, primitives_of(steps), strict=True):
            value = self._attribute(step.field)
            if primitive.python == "bool":
                with self.code.block(f"if type({value}) is not bool:"):
                    self.code.line(f"raise {self.use.wire}.CodecFailure")
            values.append(f"{self.use.uuid_bytes}({value})" if primitive.python == "UUID" else value)
        letters, _ = format_of(steps)
        return Run(letters, tuple(values))

    def _no_tag_section(self, run: Run) -> None:
        use, code = self.use, self.code
        self.values.put(run)
        with code.block(f"if struct.unknown_tagged_fields is not {use.NOTHING}:"):
            code.line(f"{use.wire}.no_tags(struct.unknown_tagged_fields)")

    def _empty_tag_section(self, run: Run) -> None:
        """Writes a tag section without fields, which the runtime replaces if there are unknown ones."""
        use, code = self.use, self.code
        if run.letters:
            self.values.put(Run(run.letters + _PADDING, run.values))
        else:
            code.line("out.append(0)")
        with code.block(f"if struct.unknown_tagged_fields is not {use.NOTHING}:"):
            code.line(f"{use.wire}.replace_tags(out, struct.unknown_tagged_fields, {self._known_tags()})")

    def _tag_section(self, run: Run) -> None:
        use, code = self.use, self.code
        self.values.put(run)
        code.line(f"tags: list[{use.Any}] = []")
        with code.block(f"if struct.unknown_tagged_fields is not {use.NOTHING}:"):
            code.line(f"tags = {use.wire}.raw_tags(struct.unknown_tagged_fields, {self._known_tags()})")
        for tagged in self.layout.tagged:
            if self._equals_nothing(tagged.field):
                self._tagged_field(tagged)
                continue
            with code.if_all(differs(self.struct.fields[tagged.field], use)):
                self._tagged_field(tagged)
        with code.block("if tags:"):
            code.line(f"{use.wire}.write_tags(out, tags)")
        with code.block("else:"):
            code.line("out.append(0)")

    def _tagged_field(self, tagged: ops.TaggedField) -> None:
        """Writes a tagged field to a buffer of its own."""
        code = self.code
        code.line("tagged = bytearray()")
        value = self._attribute(tagged.field)
        if isinstance(tagged.codec, ops.FixedCodec):
            self.tag_values.put(self._run([ops.FieldStep(tagged.field, tagged.codec)]))
        elif self.struct.fields[tagged.field].default is None:
            # What differs from null is not null.
            self.tag_values.not_null(value, tagged.codec, NO_RUN)
        else:
            self.tag_values.value(value, tagged.codec, NO_RUN)
        code.line(f"tags.append(({tagged.tag}, bytes(tagged)))")

    def _known_tags(self) -> str:
        """The tags that unknown fields can't have."""
        return tuple_literal(sorted([*self.layout.foreign_tags, *(tagged.tag for tagged in self.layout.tagged)]))

    def _equals_nothing(self, field: int) -> bool:
        return self.plan.equals_nothing(self.struct.fields[field])

    def _attribute(self, field: int) -> str:
        return f"struct.{self.struct.fields[field].attribute}"


class ValueWriter:
    """Adds the lines that write the value of an expression ``source`` to the buffer ``out``, after a ``run``."""

    def __init__(self, plan: ops.MessagePlan, use: Uses, code: Code, out: str) -> None:
        self.plan = plan
        self.use = use
        self.code = code
        self.out = out

    def put(self, run: Run) -> None:
        """Writes a run."""
        if run.letters:
            self.code.bracketed(f"{self.out} += {self.use.pack(run.letters)}(", run.values, ")")

    def _put_length(self, run: Run, length: Length, value: str) -> None:
        """Writes a run, and a length of the simplest case."""
        if run.letters:
            self.put(Run(run.letters + length.letter, (*run.values, value)))
        elif length.compact:
            self.code.line(f"{self.out}.append({value})")
        else:
            self.code.line(f"{self.out} += {self.use.pack(length.letter)}({value})")

    def value(self, source: str, codec: ops.Codec, run: Run) -> None:
        """Writes a value of any kind, which may be null if the codec says so."""
        code = self.code
        if length_of(codec) is None:
            self.put(run)
            run = NO_RUN
        if not codec.nullable:
            self.not_null(source, codec, run)
            return
        with code.block(f"if (value := {source}) is None:"):
            self._null(codec, run)
        with code.block("else:"):
            self.not_null("value", codec, run)

    def _null(self, codec: ops.Codec, run: Run) -> None:
        """Writes what stands for null: a length or count, or the mark of a struct."""
        match codec:
            case ops.StructCodec(tagged=False):
                self.code.line(f"{self.out}.append({self.use.NULL_STRUCT})")
            case ops.VariableCodec(compact=False) | ops.ArrayCodec(compact=False):
                self._put_length(run, length_of(codec) or INT32, "-1")
            case _:
                self._put_length(run, COMPACT, "0")

    def not_null(self, source: str, codec: ops.Codec, run: Run) -> None:
        """Writes a value that is not null; ``run`` is empty unless the value begins with a ``Length``."""
        out, code = self.out, self.code
        match codec:
            case ops.FixedCodec():
                raise AssertionError("values of constant size are in runs")
            case ops.VarintCodec(form, bits):
                code.line(f"{self.use.varints}.write_{form}({out}, {source}, {bits})")
            case ops.VariableCodec(kind="string"):
                self._string(source, codec, run)
            case ops.VariableCodec():
                self._bytes(source, codec, run)
            case ops.StructCodec(layout, nullable):
                if nullable:
                    code.line(f"{out}.append(1)")
                code.bracketed(f"_encode_{layout_name(self.plan, layout)}(", [source, out], ")")
            case ops.ArrayCodec(ops.StructCodec(layout)):
                code.bracketed(f"_encode_{layout_name(self.plan, layout)}_array(", [out, source], ")")
            case ops.ArrayCodec(ops.FixedCodec() as element) if element.primitive.is_number:
                self._numbers(source, codec, element.primitive, run)
            case ops.ArrayCodec():
                self._array(source, codec)

    def _string(self, source: str, codec: ops.VariableCodec, run: Run) -> None:
        use, code = self.use, self.code
        code.line(f"value = {use.utf8}({source})")
        if codec.compact:
            with code.block(f"if (length := len(value) + 1) < {TWO_BYTES}:"):
                self._put_length(run, COMPACT, "length")
            with code.block("else:"):
                self.put(run)
                code.line(f"{use.wire}.write_compact_length({self.out}, len(value))")
        else:
            self._put_length(run, INT16, "len(value)")
        code.line(f"{self.out} += value")

    def _bytes(self, source: str, codec: ops.VariableCodec, run: Run) -> None:
        """Writes bytes or records."""
        use, code = self.use, self.code
        self._name_value(source)
        with code.block("if type(value) is not bytes:"):
            code.line(f"value = {use.wire}.bytes_of(value)")
        if codec.compact:
            with code.block(f"if (length := len(value) + 1) < {TWO_BYTES}:"):
                self._put_length(run, COMPACT, "length")
            with code.block("else:"):
                self.put(run)
                code.line(f"{use.wire}.write_uvarint({self.out}, length)")
        else:
            self._put_length(run, INT32, "len(value)")
        code.line(f"{self.out} += value")

    def _numbers(self, source: str, codec: ops.ArrayCodec, number: Primitive, run: Run) -> None:
        """Writes an array of numbers: at once if there are few, by the runtime if there are many."""
        use, code = self.use, self.code
        self._name_value(source)
        with code.block(f"if type(value) is not {use.TUPLE}:"):
            code.line(f"value = {use.wire}.array_of(value)")
        if number.python == "bool":
            with code.block("if not {*map(type, value)} <= {bool}:"):
                code.line(f"raise {use.wire}.CodecFailure")
        with code.block(f"if (length := len(value)) < {use.SHORT_ARRAY}:"):
            if codec.compact:
                self._put_length(run, COMPACT, "length + 1")
            elif run.letters:
                self._put_length(run, INT32, "length")
            else:
                code.line(f"{self.out} += {use.COUNTS}[length]")
            code.line(f"{self.out} += {use.packers(number.format)}[length](*value)")
        with code.block("else:"):
            self.put(run)
            code.line(f'{use.arrays}.write_numbers({self.out}, value, "{number.format}", {codec.compact})')

    def _array(self, source: str, codec: ops.ArrayCodec) -> None:
        """Writes an array of strings, varints or uuids."""
        use = self.use
        match codec.element:
            case ops.VarintCodec(form, bits):
                writer = f"lambda out, value: {use.varints}.write_{form}(out, value, {bits})"
            case ops.VariableCodec(compact=True):
                writer = f"{use.arrays}.write_compact_string"
            case ops.VariableCodec():
                writer = f"{use.arrays}.write_string"
            case ops.FixedCodec(kind):
                writer = f"{use.uuids}.write_{kind}"
            case ops.StructCodec():
                raise AssertionError("arrays of structs have functions of their own")
        self.code.bracketed(f"{use.arrays}.write_array(", [self.out, source, writer, str(codec.compact)], ")")

    def _name_value(self, source: str) -> None:
        """Names the value ``value``, unless it has been compared with null by this name."""
        if source != "value":
            self.code.line(f"value = {source}")
