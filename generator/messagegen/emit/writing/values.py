"""The lines of generated functions that write a value of each kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from messagegen.emit.code import Code
from messagegen.emit.layouts import COMPACT, INT16, INT32, TWO_BYTES, Length, layout_name, length_of
from messagegen.emit.uses import Uses
from messagegen.plan import ops
from messagegen.primitives import Primitive


@dataclass(frozen=True, slots=True)
class Run:
    """Fields of constant size that are still to be written: their format, and the expressions of their values."""

    letters: str = ""
    values: tuple[str, ...] = ()


NO_RUN: Final = Run()


class ValueWriter:
    """Adds the lines that write the value of an expression ``source`` to the buffer ``out``, after a ``run``."""

    def __init__(self, plan: ops.MessagePlan, use: Uses, code: Code, out: str) -> None:
        self.plan = plan
        self.use = use
        self.code = code
        self.out = out

    def put(self, run: Run) -> None:
        """Write a run."""
        if run.letters:
            self.code.listed(f"{self.out} += {self.use.pack(run.letters)}(", run.values, ")")

    def _put_length(self, run: Run, length: Length, value: str) -> None:
        """Write a run, and a length of the simplest form."""
        if run.letters:
            self.put(Run(run.letters + length.letter, (*run.values, value)))
        elif length.compact:
            self.code.line(f"{self.out}.append({value})")
        else:
            self.code.line(f"{self.out} += {self.use.pack(length.letter)}({value})")

    def value(self, source: str, codec: ops.Codec, run: Run) -> None:
        """Write a value of any kind, which may be null if the codec is nullable."""
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
        """Write null: as a length or count, or as the mark of a struct."""
        match codec:
            case ops.StructCodec(tagged=False):
                self.code.line(f"{self.out}.append({self.use.NULL_STRUCT})")
            case ops.VariableCodec(compact=False) | ops.ArrayCodec(compact=False):
                self._put_length(run, length_of(codec) or INT32, "-1")
            case _:
                self._put_length(run, COMPACT, "0")

    def not_null(self, source: str, codec: ops.Codec, run: Run) -> None:
        """Write a value that is not null; ``run`` is empty unless the value begins with a ``Length``."""
        out, code = self.out, self.code
        match codec:
            case ops.FixedCodec():
                raise AssertionError("expected a value of variable size; runs write the others")
            case ops.VarintCodec(form, bits):
                code.line(f"{self.use.varints}.write_{form}({out}, {source}, {bits})")
            case ops.VariableCodec(kind="string"):
                self._string(source, codec, run)
            case ops.VariableCodec():
                self._bytes(source, codec, run)
            case ops.StructCodec(layout, nullable):
                if nullable:
                    code.line(f"{out}.append(1)")
                code.listed(f"_encode_{layout_name(self.plan, layout, self.use)}(", [source, out], ")")
            case ops.ArrayCodec(ops.StructCodec(layout)):
                code.listed(f"_encode_{layout_name(self.plan, layout, self.use)}_array(", [out, source], ")")
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
        """Write bytes or records."""
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
        """Write an array of numbers: at once if there are few, by the runtime if there are many."""
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
        """Write an array of strings, varints or uuids."""
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
        self.code.listed(f"{use.arrays}.write_array(", [self.out, source, writer, str(codec.compact)], ")")

    def _name_value(self, source: str) -> None:
        """Assign the source to ``value``, unless it already has this name."""
        if source != "value":
            self.code.line(f"value = {source}")
