"""The functions that read a layout, an array of it, and its tag section."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from messagegen.emit.code import Code
from messagegen.emit.layouts import (
    COMPACT,
    TWO_BYTES,
    Length,
    format_of,
    layout_name,
    length_of,
    local_variable,
    primitives_of,
)
from messagegen.emit.reading.values import ValueReader
from messagegen.emit.uses import LONG, Uses
from messagegen.emit.values import default_source
from messagegen.plan import ops


class LayoutReader:
    """Adds the functions that read a layout."""

    def __init__(self, plan: ops.MessagePlan, index: int, use: Uses, code: Code) -> None:
        self.index = index
        self.use = use
        self.code = code
        self.layout = plan.layouts[index]
        self.struct = plan.structs[self.layout.struct]
        self.name = layout_name(plan, index, use)
        self.values = ValueReader(plan, use, code)

    # Functions

    def single(self) -> None:
        """Add the function that reads a struct."""
        with self._function("", [], self.use.Read):
            self._new_struct()
            self._fields()
            self.code.line("return struct, pos")

    def array(self) -> None:
        """Add the function that reads an array of structs: its count, then all elements at once or one by one.

        The function takes the charge of the elements from the budget before it makes the first one. For an empty array,
        null or too many elements it calls the runtime.
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
        """Add the function that reads a tag section into ``struct``; tags must be in ascending order (KIP-482)."""
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
                        with code.block(f"case _ if tag in {self._foreign_tags()}:"):
                            code.line(f"raise {use.wire}.CodecFailure")
                    with code.block("case _:"):
                        code.line("unknown.append((tag, data[pos:end]))")
                        code.line("pos = end")
                with code.block("if pos != end:"):
                    code.line(f"raise {use.wire}.CodecFailure")
            code.line("struct.unknown_tagged_fields = tuple(unknown)")
            code.line("return pos")

    def _function(self, suffix: str, more_parameters: Sequence[str], returns: str) -> Code:
        """Add the head of a function that reads from ``data`` at ``pos``."""
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
        """Take the charge of the elements, and return early if the array is empty or exceeds the budget."""
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
        """Read elements of constant size in one step if their tag sections are empty; skip layouts with known tags."""
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
            code.line(f"part = data[pos:stop] if count < {use.COPIED_ROWS} else memoryview(data)[pos:stop]")
            with code.block(f"for row in {rows}(part):"):
                self._new_struct()
                code.unpack([self._target(step.field) for step in steps], "row")
                self._store(*(step.field for step in steps))
                code.line("struct.unknown_tagged_fields = ()")
                code.line("items.append(struct)")
            code.line("return tuple(items), stop")

    def _new_struct(self) -> None:
        """Make a struct, with defaults for the fields that may be missing."""
        use, code, layout = self.use, self.code, self.layout
        code.line(f"struct = {use.new}(*_args_{use.class_(self.struct.class_name)})")
        for number in sorted([*layout.guarded, *layout.ignored, *(tagged.field for tagged in layout.tagged)]):
            code.assign(self._attribute(number), default_source(self.struct.fields[number], use))

    def _fields(self) -> None:
        """Read the fields in wire order, then the tag section."""
        length_is_read = False
        for step, following in pairwise([*self.layout.steps, None]):
            if isinstance(step, ops.FieldStep):
                self._value(step.field, step.codec, length_is_read=length_is_read)
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
        """Read fields of constant size in one step, with the length that follows them."""
        code = self.code
        letters, size = format_of(steps)
        targets = [self._target(step.field) for step in steps]
        if length:
            code.unpack([*targets, "length"], f"{self.use.unpack(letters + length.letter)}(data, pos)")
            code.line(f"pos += {size if length.compact else size + length.size}")
        else:
            code.unpack(targets, f"{self.use.unpack(letters)}(data, pos)")
            code.line(f"pos += {size}")
        self._uuids(steps)
        self._store(*(step.field for step in steps))

    def _run_and_tag_section(self, steps: Sequence[ops.FieldStep]) -> None:
        """Read fields of constant size in one step, with the number of tagged fields after them, which is mostly 0."""
        use, code = self.use, self.code
        letters, size = format_of(steps)
        targets = [self._target(step.field) for step in steps]
        code.unpack([*targets, "tag_count"], f"{use.unpack(letters + COMPACT.letter)}(data, pos)")
        code.line(f"pos += {size + COMPACT.size}")
        self._uuids(steps)
        self._store(*(step.field for step in steps))
        code.line("struct.unknown_tagged_fields = ()")
        with code.block("if tag_count:"):
            self._tagged_fields("pos - 1")

    def _uuids(self, steps: Sequence[ops.FieldStep]) -> None:
        """Convert the uuid fields, which have been read as bytes."""
        for step, primitive in zip(steps, primitives_of(steps), strict=True):
            if primitive.python == "UUID":
                target = self._target(step.field)
                self.code.line(f"{target} = {self.use.uuid_of}({target})")

    def _tag_section(self) -> None:
        code = self.code
        with code.block("if data[pos]:"):
            self._tagged_fields("pos")
        with code.block("else:"):
            code.line("struct.unknown_tagged_fields = ()")
            code.line("pos += 1")

    def _tagged_fields(self, start: str) -> None:
        """Read a tag section that is not empty; ``start`` is the expression of its position."""
        use, code = self.use, self.code
        if self.layout.tagged:
            code.line(f"pos = _decode_{self.name}_tags(data, {start}, budget, struct)")
            return
        arguments = ["data", start, "budget", use.charge("unknown_tag", self.layout.tag_charge)]
        if self.layout.foreign_tags:
            arguments.append(self._foreign_tags())
        code.listed(f"struct.unknown_tagged_fields, pos = {use.wire}.read_unknown_tags(", arguments, ")")

    def _known_tag(self, tagged: ops.TaggedField) -> None:
        with self.code.block(f"case {tagged.tag}:"):
            if isinstance(tagged.codec, ops.FixedCodec):
                self._run([ops.FieldStep(tagged.field, tagged.codec)])
            else:
                self._value(tagged.field, tagged.codec)

    def _foreign_tags(self) -> str:
        return self.use.tags(f"FOREIGN_{self.name}", self.layout.foreign_tags)

    # Fields: if a name is long, a local variable gets the value first, so that the name only appears in an assignment.

    def _value(self, field: int, codec: ops.Codec, *, length_is_read: bool = False) -> None:
        self.values.value(self._target(field), codec, length_is_read=length_is_read)
        self._store(field)

    def _target(self, field: int) -> str:
        attribute = self._attribute(field)
        return local_variable(field) if len(attribute) > LONG else attribute

    def _store(self, *fields: int) -> None:
        for field in fields:
            if self._target(field) != self._attribute(field):
                self.code.assign(self._attribute(field), self._target(field))

    def _attribute(self, field: int) -> str:
        return f"struct.{self.struct.fields[field].attribute}"
