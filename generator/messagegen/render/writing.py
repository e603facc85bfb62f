"""Prints the operations that write."""

from __future__ import annotations

from typing import Final

from messagegen.lower.literals import tuple_literal
from messagegen.lower.ops import FunctionKind, writing
from messagegen.render.printer import LINE_LENGTH, Lines, print_as, print_op

HEADS: Final[dict[FunctionKind, tuple[list[str], list[str], str]]] = {
    "encode one": (["struct: _Any", "out: bytearray"], [], "None"),
    "encode many": (["out: bytearray", "array: _Any"], [], "None"),
}
"""The parameters, in two parts, and the return type."""

_LENGTHS: Final = {
    ("B", "length + 1"): ".append(length + 1)",
    ("B", "0"): r' += b"\x00"',
    ("h", "length"): " += _pack_h(length)",
    ("h", "-1"): r' += b"\xff\xff"',
    ("i", "length"): " += _pack_i(length)",
    ("i", "count"): " += _pack_i(count)",
    ("i", "-1"): r' += b"\xff\xff\xff\xff"',
}
"""How a length without a preceding run is written."""

print_as(
    {
        writing.CheckClass: """
if struct.__class__ is not {op.class_name}:
    _check_instance(struct, {op.class_name})""",
        writing.Guard: """
if {op.condition.text}:
    raise _CodecFailure""",
        writing.SetValue: "value = {op.source}",
        writing.SetText: "value = _utf8({op.source})",
        writing.CheckBytes: """
if type(value) is not bytes:
    value = _bytes_of(value)""",
        writing.CheckTuple: """
if type({op.name}) is not tuple:
    {op.name} = _array_of({op.name})""",
        writing.CheckBools: "_check_bools(value)",
        writing.Measure: "{op.length} = len({op.name})",
        writing.IfNone: """
if {op.source} is None:
    <null>
else:
    <block>""",
        writing.IfShort: """
if length < {op.limit}:
    <short>
else:
    <long>""",
        writing.PutByte: "{out}.append({op.value})",
        writing.PutBytes: "{out} += value",
        writing.PutNumbers: "{out} += _packers_{op.number.name}[length](*value)",
        writing.PutManyNumbers: '{op.writer}({out}, value, "{op.number.letters}")',
        writing.PutLongLength: "{op.writer}({out}, {op.argument})",
        writing.CallEncoder: "{op.function}({op.source}, {out})",
        writing.CallArrayEncoder: "{op.function}({out}, {op.source})",
        writing.PutCompactCount: """
if count < 127:
    out.append(count + 1)
else:
    _write_uvarint(out, count + 1)""",
        writing.ForItems: """
for struct in array:
    <block>""",
        writing.RefuseTags: """
if struct.unknown_tagged_fields is not _NOTHING:
    _no_tags(struct.unknown_tagged_fields)""",
    }
)


@print_op.register
def _check_bool(op: writing.CheckBool, to: Lines) -> None:
    value = f"struct.{op.attribute}"
    to.condition([f"{value} is not False", f"and {value} is not True"])
    to.add("    raise _CodecFailure")


@print_op.register
def _put_length(op: writing.PutLength, to: Lines) -> None:
    to.add(f"{to.out}{' += _COUNTS[length]' if op.listed else _LENGTHS[op.letter, op.value]}")


@print_op.register
def _pack_run(op: writing.PackRun, to: Lines) -> None:
    fields = [f"_uuid_bytes(struct.{name})" if name in op.uuids else f"struct.{name}" for name in op.attributes]
    to.call(f"{to.out} += _pack_{op.format.name}({', '.join(fields + [op.length] * bool(op.length))})")


@print_op.register
def _call_writer(op: writing.CallWriter, to: Lines) -> None:
    element_writer = f", {op.element_writer}" if op.element_writer else ""
    to.call(f"{op.writer}({to.out}, {op.source}{element_writer})")


@print_op.register
def _write_tags(op: writing.WriteTags, to: Lines) -> None:
    parts = ["[]", "if struct.unknown_tagged_fields is _NOTHING", f"else {_raw_tags(op.known)}"]
    line = " ".join(parts)
    width = LINE_LENGTH - len(to.indent)
    if len("tags = ") + len(line) <= width:
        to.add(f"tags = {line}")
    else:
        to.add("tags = (", *(f"    {part}" for part in ([line] if 4 + len(line) <= width else parts)), ")")
    to.block(op.block, steps=0)
    to.add("if tags:", "    _write_tags(out, tags)", "else:", "    out.append(0)")


@print_op.register
def _write_tag(op: writing.WriteTag, to: Lines) -> None:
    to.add(f"if {op.condition.text}:", "    tagged = bytearray()")
    to.out = "tagged"
    to.block(op.block)
    to.out = "out"
    to.add(f"    tags.append(({op.tag}, bytes(tagged)))")


@print_op.register
def _write_unknown_tags(op: writing.WriteUnknownTags, to: Lines) -> None:
    write = f"    _write_tags(out, {_raw_tags(op.known)})"
    if op.packed:
        to.add("if struct.unknown_tagged_fields is not _NOTHING:", "    out.pop()", write)
    else:
        to.add("if struct.unknown_tagged_fields is _NOTHING:", "    out.append(0)", "else:", write)


def _raw_tags(known: tuple[int, ...]) -> str:
    return f"_raw_tags(struct.unknown_tagged_fields, {tuple_literal(known)})"
