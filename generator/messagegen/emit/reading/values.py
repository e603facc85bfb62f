"""The lines of generated functions that read a value of each kind."""

from __future__ import annotations

from messagegen.emit.code import Code
from messagegen.emit.layouts import COMPACT, INT16, INT32, TWO_BYTES, Length, layout_name
from messagegen.emit.uses import Uses
from messagegen.plan import ops
from messagegen.plan.text import codec_text
from messagegen.primitives import Primitive


class ValueReader:
    """Adds the lines that read a value into ``to``; values of constant size are read in runs.

    With ``length_is_read``, the value's length is in ``length``.
    """

    def __init__(self, plan: ops.MessagePlan, use: Uses, code: Code) -> None:
        self.plan = plan
        self.use = use
        self.code = code

    def value(self, to: str, codec: ops.Codec, *, length_is_read: bool = False) -> None:
        """Read a value of any kind."""
        match codec:
            case ops.FixedCodec():
                raise AssertionError("expected a value of variable size; runs read the others")
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

    # Generated code reads short strings, bytes and records itself. The runtime reads long ones, and null.

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
        use, code = self.use, self.code
        if codec.kind == "string":
            self._length(INT16, length_is_read=length_is_read)
            value = "data[pos : (pos := pos + length)].decode()"
        else:
            self._length(INT32, length_is_read=length_is_read)
            value = "data[pos : (pos := pos + length)]"
        if codec.nullable:
            with code.block("if length >= 0:"):
                code.line(f"{to} = {value}")
            with code.block("else:"):
                code.line(f"{to} = None")
        else:
            with code.block("if length < 0:"):
                code.line(f"raise {use.wire}.CodecFailure")
            code.line(f"{to} = {value}")

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
        # If the array cannot be null, length 0 selects the first entry of ``unpackers``, which raises.
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
        self.code.listed(f"{to}, pos = {self.use.arrays}.read_numbers(", arguments, ")")

    # Other arrays, and structs

    def _array(self, to: str, codec: ops.ArrayCodec) -> None:
        """Read an array of strings, varints or uuids."""
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
        self.code.listed(f"{to}, pos = {use.arrays}.read_array(", arguments, ")")

    def _charge(self, codec: ops.ArrayCodec) -> str:
        return self.use.charge(codec_text(codec.element), codec.charge) if codec.charge else "0"

    def _structs(self, to: str, codec: ops.ArrayCodec, layout: int) -> None:
        code = self.code
        function = f"_decode_{layout_name(self.plan, layout, self.use)}_array"
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
        """Read a struct, and the mark before it if it may be null.

        The mark is an int8 (KIP-893), or a varint in a tag section.
        """
        use, code = self.use, self.code
        function = f"_decode_{layout_name(self.plan, codec.layout, use)}"
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
        self.code.listed(f"{to}, pos = {function}(", ["data", "pos", "budget"], ")")

    def _length(self, length: Length, *, length_is_read: bool) -> None:
        """Read a length that is not compact, unless the fields before it have been read together with it."""
        if not length_is_read:
            self.code.line(f"(length,) = {self.use.unpack(length.letter)}(data, pos)")
            self.code.line(f"pos += {length.size}")
