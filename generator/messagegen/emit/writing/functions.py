"""The functions that write a layout, and an array of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from messagegen.emit.code import Code
from messagegen.emit.layouts import INT32, TWO_BYTES, format_of, layout_name, local_variable, primitives_of
from messagegen.emit.literals import text_literal
from messagegen.emit.uses import LONG, Uses
from messagegen.emit.values import differs, known_default
from messagegen.emit.writing.values import NO_RUN, Run, ValueWriter
from messagegen.plan import ops

_PADDING: Final = "x"
"""The ``struct`` letter of a zero byte, which has no value."""


class LayoutWriter:
    """Adds the functions that write a layout."""

    def __init__(self, plan: ops.MessagePlan, index: int, use: Uses, code: Code) -> None:
        self.use = use
        self.code = code
        self.plan = plan
        self.layout = plan.layouts[index]
        self.struct = plan.structs[self.layout.struct]
        self.name = layout_name(plan, index, use)
        self.values = ValueWriter(plan, use, code, "out")
        self.tag_values = ValueWriter(plan, use, code, "tagged")

    # Functions

    def single(self) -> None:
        """Add the function that writes a struct."""
        with self._function("", [f"struct: {self.use.Any}", "out: bytearray"]):
            self._body()

    def array(self) -> None:
        """Add the function that writes an array of structs."""
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
        """Check the struct, then write its fields in wire order and its tag section."""
        if any(self._equals_nothing(number) for number in self.layout.guarded):
            # The field must have its default, but no value equals this default.
            self.code.line(f"raise {self.use.wire}.CodecFailure")
            return

        self._check_class()
        self._check_defaults()
        run = NO_RUN
        for step in self.layout.steps:
            match step:
                case ops.RunStep(steps):
                    run = self._run(steps)
                case ops.FieldStep(field, codec):
                    self.values.value(self._value(field), codec, run)
                    run = NO_RUN
        if not self.layout.flexible:
            self._no_tag_section(run)
        elif self.layout.tagged:
            self._tag_section(run)
        else:
            self._empty_tag_section(run)

    def _check_class(self) -> None:
        is_message = self.layout.struct == 0
        if is_message:  # Its own methods call this function.
            return
        name = self.use.class_(self.struct.class_name)
        with self.code.block(f"if struct.__class__ is not {name}:"):
            self.code.line(f"{self.use.wire}.check_instance(struct, {name})")

    def _check_defaults(self) -> None:
        """Let the runtime check the fields that are not on the wire, unless they hold their default objects."""
        others: list[str] = []
        for number in self.layout.guarded:
            field = self.struct.fields[number]
            if known_default(field, self.use):
                with self.code.block(f"if {self._value(number)} is not {known_default(field, self.use)}:"):
                    self._have_checked([text_literal(field.attribute)])
            else:
                others.append(text_literal(field.attribute))
        if others:
            self._have_checked(others)

    def _have_checked(self, attributes: Sequence[str]) -> None:
        arguments = ["struct", self.use.class_(self.struct.class_name), *attributes]
        self.code.listed(f"{self.use.wire}.check_defaults(", arguments, ")")

    def _run(self, steps: Sequence[ops.FieldStep]) -> Run:
        """Return a run of fields of constant size; add the checks that ``struct`` does not make."""
        values: list[str] = []
        for step, primitive in zip(steps, primitives_of(steps), strict=True):
            value = self._value(step.field)
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
        """Write an empty tag section, which the runtime replaces if the struct has unknown tagged fields."""
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
            code.assign("value", self._attribute(tagged.field))
            with code.block(f"if {self._differs(tagged.field)}:"):
                self._tagged_field(tagged)
        with code.block("if tags:"):
            code.line(f"{use.wire}.write_tags(out, tags)")
        with code.block("else:"):
            code.line("out.append(0)")

    def _tagged_field(self, tagged: ops.TaggedField) -> None:
        """Write a tagged field to a buffer of its own."""
        code = self.code
        code.line("tagged = bytearray()")
        if isinstance(tagged.codec, ops.FixedCodec):
            self.tag_values.put(self._run([ops.FieldStep(tagged.field, tagged.codec)]))
            code.line(f"tags.append(({tagged.tag}, bytes(tagged)))")
            return
        value = self._value(tagged.field)
        if self.struct.fields[tagged.field].default is None:
            # A value that differs from its default, null, is not null.
            self.tag_values.not_null(value, tagged.codec, NO_RUN)
        else:
            self.tag_values.value(value, tagged.codec, NO_RUN)
        code.line(f"tags.append(({tagged.tag}, bytes(tagged)))")

    def _known_tags(self) -> str:
        """Return the tags that unknown fields can't have."""
        tags = sorted([*self.layout.foreign_tags, *(tagged.tag for tagged in self.layout.tagged)])
        return self.use.tags(f"KNOWN_{self.name}", tags)

    def _differs(self, number: int) -> str:
        """Return the condition that ``value`` is not the default of a field."""
        field = self.struct.fields[number]
        known = known_default(field, self.use)
        if field.default is ops.EMPTY_STRUCT:
            self.code.line(f"default{number} = {known}")
            known = f"default{number}"
        return differs(field, "value", known, self.use)

    def _equals_nothing(self, field: int) -> bool:
        return self.plan.equals_nothing(self.struct.fields[field])

    def _value(self, field: int) -> str:
        """Return the expression of a field. If the field has a long name, first assign it to a local variable."""
        attribute = self._attribute(field)
        if len(attribute) <= LONG:
            return attribute
        self.code.assign(local_variable(field), attribute)
        return local_variable(field)

    def _attribute(self, field: int) -> str:
        return f"struct.{self.struct.fields[field].attribute}"
