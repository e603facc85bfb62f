"""The text of functions that write: one for each layout, and how each value is written.

Inside the functions, ``struct`` is what is written, ``out`` the buffer, ``value`` a value that is being written, and ``length`` its length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from messagegen.emit.literals import tuple_literal
from messagegen.emit.text import call, definition, format_name, indented, layout_name, length_letter, refused
from messagegen.emit.values import differs
from messagegen.plan import ops


def writers(plan: ops.MessagePlan, index: int, *, single: bool, array: bool) -> Iterator[str]:
    """The functions that write a layout: a ``single`` struct, and an ``array`` of structs."""
    writer = _Writer(plan, index)
    if single:
        yield writer.single()
    if array:
        yield writer.array()


def element_writer(codec: ops.ElementCodec) -> str:
    """The function of the runtime that writes an element of an array to a buffer."""
    match codec:
        case ops.VarintCodec(form, bits):
            return f"lambda out, value: _varints.write_{form}(out, value, {bits})"
        case ops.VariableCodec(compact=compact):
            return f"_arrays.write_{'compact_' * compact}string"
        case ops.FixedCodec(kind):
            return f"_uuids.write_{kind}"
        case ops.StructCodec():
            raise AssertionError("arrays of structs have functions of their own")


def _null(codec: ops.Codec) -> tuple[str, str]:
    """The ``struct`` letter and the value of what stands for null: a length or count, or the mark of a struct."""
    match codec:
        case ops.StructCodec(tagged=False):
            return "B", "255"
        case ops.VariableCodec(compact=False) | ops.ArrayCodec(compact=False):
            return length_letter(codec) or "i", "-1"
        case _:
            return "B", "0"


class _Run:
    """Fields of constant size that are written together with the length that follows them, if there is one."""

    def __init__(self, letters: str = "", values: Sequence[str] = ()) -> None:
        self.letters = letters
        self.values = tuple(values)

    def put(self, out: str, letter: str = "", value: str = "") -> list[str]:
        """Writes the fields, and a length; ``value`` is its expression, and may be empty for padding."""
        if self.letters:
            return call(f"{out} += _pack_{format_name(self.letters + letter)}(", [*self.values, *[value] * bool(value)])
        if not letter:
            return []
        return [f"{out}.append({value})" if letter == "B" else f"{out} += _pack_{letter}({value})"]


_NO_RUN = _Run()


class _Writer:
    """Writes the functions that write a layout."""

    def __init__(self, plan: ops.MessagePlan, index: int) -> None:
        self.plan = plan
        self.index = index
        self.layout = plan.layouts[index]
        self.struct = plan.structs[self.layout.struct]
        self.out = "out"

    def single(self) -> str:
        return self.function("", ["struct: _Any", "out: bytearray"], self.body())

    def array(self) -> str:
        if self.layout.flexible:
            count = ["if type(array) is _TUPLE and (count := len(array)) < 127:", "    out.append(count + 1)"]
            count += ["else:", "    array = _arrays.write_compact_count(out, array)"]
        else:
            count = ["if type(array) is not _TUPLE:", "    array = _wire.array_of(array)", "out += _pack_i(len(array))"]
        body = [*count, "for struct in array:", *indented(self.body())]
        return self.function("_array", ["out: bytearray", "array: _Any"], body)

    def function(self, suffix: str, parameters: list[str], body: Iterator[str] | list[str]) -> str:
        return definition(f"_encode_{layout_name(self.plan, self.index)}{suffix}", parameters, "None", body)

    def body(self) -> Iterator[str]:
        """Checks the struct, then writes its fields in wire order and its tag section."""
        name, layout = self.struct.class_name, self.layout
        if layout.struct:  # A message encodes itself.
            yield from (f"if struct.__class__ is not {name}:", f"    _wire.check_instance(struct, {name})")
        yield from refused([differs(self.struct.fields[number]) for number in layout.guarded])
        run = _NO_RUN
        for step in layout.steps:
            if isinstance(step, ops.RunStep):
                run, checks = self.run(step.steps)
                yield from checks
            else:
                yield from self.value(self.attribute(step.field), step.codec, run)
                run = _NO_RUN
        yield from self.tag_section(run)

    def attribute(self, field: int) -> str:
        return f"struct.{self.struct.fields[field].attribute}"

    def run(self, steps: Sequence[ops.FieldStep]) -> tuple[_Run, list[str]]:
        """Fields of constant size, and the checks that ``struct`` does not make."""
        letters, values, checks = "", list[str](), list[str]()
        for step in steps:
            assert isinstance(step.codec, ops.FixedCodec)
            primitive, value = step.codec.primitive, self.attribute(step.field)
            letters += primitive.format
            values.append(f"_uuid_bytes({value})" if primitive.python == "UUID" else value)
            if primitive.python == "bool":
                checks += [f"if type({value}) is not bool:", "    raise _wire.CodecFailure"]
        return _Run(letters, values), checks

    def tag_section(self, run: _Run) -> Iterator[str]:
        tags = "struct.unknown_tagged_fields"
        known = tuple_literal(sorted([*self.layout.foreign_tags, *(tagged.tag for tagged in self.layout.tagged)]))
        raw = f"_wire.raw_tags({tags}, {known})"
        if not self.layout.flexible:
            yield from run.put("out")
            yield from (f"if {tags} is not _NOTHING:", f"    _wire.no_tags({tags})")
        elif self.layout.tagged:
            yield from run.put("out")
            yield from ("tags: list[_Any] = []", f"if {tags} is not _NOTHING:", f"    tags = {raw}")
            for tagged in self.layout.tagged:
                yield from self.tag(tagged)
            yield from ("if tags:", "    _wire.write_tags(out, tags)", "else:", "    out.append(0)")
        else:
            yield from run.put("out", "x") if run.letters else ["out.append(0)"]
            yield from (f"if {tags} is not _NOTHING:", f"    _wire.replace_tags(out, {tags}, {known})")

    def tag(self, tagged: ops.TaggedField) -> Iterator[str]:
        """Writes a tagged field that is not its default to a buffer of its own."""
        field = self.struct.fields[tagged.field]
        yield from (f"if {differs(field)}:", "    tagged = bytearray()")
        self.out = "tagged"
        if isinstance(tagged.codec, ops.FixedCodec):
            run, checks = self.run([ops.FieldStep(tagged.field, tagged.codec)])
            yield from indented([*checks, *run.put("tagged")])
        else:
            # What differs from null is not null.
            write = self.not_null if field.default is None else self.value
            yield from indented(write(self.attribute(tagged.field), tagged.codec, _NO_RUN))
        self.out = "out"
        yield f"    tags.append(({tagged.tag}, bytes(tagged)))"

    # Values

    def value(self, source: str, codec: ops.Codec, run: _Run) -> Iterator[str]:
        """Writes ``run``, then a value that may be null if the codec says so."""
        if not length_letter(codec):
            yield from run.put(self.out)
            run = _NO_RUN
        if not codec.nullable:
            yield from self.not_null(source, codec, run)
            return
        yield from (f"if (value := {source}) is None:", *indented(run.put(self.out, *_null(codec))))
        yield from ("else:", *indented(self.not_null("value", codec, run)))

    def not_null(self, source: str, codec: ops.Codec, run: _Run) -> Iterator[str]:
        """Writes a value that is not null, and a ``run`` together with its length."""
        out = self.out
        match codec:
            case ops.FixedCodec():
                raise AssertionError("values of constant size are in runs")
            case ops.VarintCodec(form, bits):
                yield f"_varints.write_{form}({out}, {source}, {bits})"
            case ops.VariableCodec():
                yield from self.sized(source, codec, run)
            case ops.StructCodec(layout, nullable):
                yield from [f"{out}.append(1)"] * nullable
                yield f"_encode_{layout_name(self.plan, layout)}({source}, {out})"
            case ops.ArrayCodec(ops.StructCodec(layout)):
                yield f"_encode_{layout_name(self.plan, layout)}_array({out}, {source})"
            case ops.ArrayCodec(ops.FixedCodec() as element) if element.primitive.is_number:
                yield from [f"value = {source}"] * (source != "value")
                yield from self.numbers(codec, element, run)
            case ops.ArrayCodec(element, compact):
                yield f"_arrays.write_array({out}, {source}, {element_writer(element)}, {compact})"

    def sized(self, source: str, codec: ops.VariableCodec, run: _Run) -> Iterator[str]:
        """A string, bytes or records that is not null."""
        out, text = self.out, codec.kind == "string"
        if text:
            yield f"value = _utf8({source})"
        else:
            yield from [f"value = {source}"] * (source != "value")
            yield from ("if type(value) is not bytes:", "    value = _wire.bytes_of(value)")
        if codec.compact:
            long = f"_wire.write_compact_length({out}, length)" if text else f"_wire.write_uvarint({out}, length + 1)"
            condition = "(length := len(value)) < 127"
            yield from self.short(condition, run.put(out, "B", "length + 1"), [*run.put(out), long])
        else:
            yield from run.put(out, "h" if text else "i", "len(value)")
        yield f"{out} += value"

    def numbers(self, codec: ops.ArrayCodec, element: ops.FixedCodec, run: _Run) -> Iterator[str]:
        """An array of numbers that is not null."""
        out, letter = self.out, element.primitive.format
        yield from ("if type(value) is not _TUPLE:", "    value = _wire.array_of(value)")
        if element.primitive.python == "bool":
            yield from ("if not {*map(type, value)} <= {bool}:", "    raise _wire.CodecFailure")
        few = run.put(out, "B", "length + 1") if codec.compact else run.put(out, "i", "length")
        if not codec.compact and not run.letters:
            few = [f"{out} += _COUNTS[length]"]
        many = f'_arrays.write_numbers({out}, value, "{letter}", {codec.compact})'
        few = [*few, f"{out} += _packers_{format_name(letter)}[length](*value)"]
        yield from self.short("(length := len(value)) < _SHORT_ARRAY", few, [*run.put(out), many])

    @staticmethod
    def short(condition: str, short: list[str], long: list[str]) -> Iterator[str]:
        yield from (f"if {condition}:", *indented(short), "else:", *indented(long))
