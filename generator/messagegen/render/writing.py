"""Prints the operations that write, one function each."""

from __future__ import annotations

from typing import Final

from messagegen.lower.literals import tuple_literal
from messagegen.lower.ops import FunctionKind, writing
from messagegen.render.printer import LINE_LENGTH, Lines, print_op

HEADS: Final[dict[FunctionKind, tuple[list[str], list[str], str]]] = {
    "encode one": (["o: _Any", "w: bytearray"], [], "None"),
    "encode many": (["w: bytearray", "s: _Any"], [], "None"),
}
"""The parameters, in two parts, and the type of what is returned."""

_LENGTHS: Final = {
    ("B", "n + 1"): ".append(n + 1)",
    ("B", "0"): r' += b"\x00"',
    ("h", "n"): " += _pack_h(n)",
    ("h", "-1"): r' += b"\xff\xff"',
    ("i", "n"): " += _pack_i(n)",
    ("i", "-1"): r' += b"\xff\xff\xff\xff"',
}
"""How a length is written where no run is before it."""


@print_op.register
def _check_class(op: writing.CheckClass, to: Lines) -> None:
    to.add(f"if o.__class__ is not {op.class_name}:", f"    _check_instance(o, {op.class_name})")


@print_op.register
def _guard(op: writing.Guard, to: Lines) -> None:
    to.add(f"if {op.condition.text}:", "    raise _CodecFailure")


@print_op.register
def _check_bool(op: writing.CheckBool, to: Lines) -> None:
    to.add(f"if o.{op.attribute} is not False and o.{op.attribute} is not True:", "    raise _CodecFailure")


@print_op.register
def _put_length(op: writing.PutLength, to: Lines) -> None:
    to.add(f"{to.out}{' += _COUNTS[n]' if op.listed else _LENGTHS[op.letter, op.value]}")


@print_op.register
def _pack_run(op: writing.PackRun, to: Lines) -> None:
    fields = [f"_uuid_bytes(o.{name})" if name in op.uuids else f"o.{name}" for name in op.attributes]
    arguments = fields + [op.length] * bool(op.length)
    to.bracketed(f"{to.out} += _pack_{op.format.name}(", arguments, ")")


@print_op.register
def _take(op: writing.Take, to: Lines) -> None:
    to.add(f"s = {op.source}")


@print_op.register
def _take_text(op: writing.TakeText, to: Lines) -> None:
    to.add(f"s = _utf8({op.source})")


@print_op.register
def _check_bytes(_: writing.CheckBytes, to: Lines) -> None:
    to.add("if type(s) is not bytes:", "    s = _bytes_of(s)")


@print_op.register
def _check_tuple(_: writing.CheckTuple, to: Lines) -> None:
    to.add("if type(s) is not tuple:", "    s = _array_of(s)")


@print_op.register
def _check_bools(_: writing.CheckBools, to: Lines) -> None:
    to.add("_check_bools(s)")


@print_op.register
def _measure(_: writing.Measure, to: Lines) -> None:
    to.add("n = len(s)")


@print_op.register
def _if_none(op: writing.IfNone, to: Lines) -> None:
    to.add(f"if {op.source} is None:")
    to.block(op.null)
    to.add("else:")
    to.block(op.block)


@print_op.register
def _if_short(op: writing.IfShort, to: Lines) -> None:
    to.add(f"if n < {op.limit}:")
    to.block(op.short)
    to.add("else:")
    to.block(op.long)


@print_op.register
def _put_byte(op: writing.PutByte, to: Lines) -> None:
    to.add(f"{to.out}.append({op.value})")


@print_op.register
def _put_bytes(_: writing.PutBytes, to: Lines) -> None:
    to.add(f"{to.out} += s")


@print_op.register
def _put_numbers(op: writing.PutNumbers, to: Lines) -> None:
    to.add(f"{to.out} += _packers_{op.number.name}[n](*s)")


@print_op.register
def _put_many_numbers(op: writing.PutManyNumbers, to: Lines) -> None:
    to.add(f'{op.writer}({to.out}, s, "{op.number.letters}")')


@print_op.register
def _put_long_length(op: writing.PutLongLength, to: Lines) -> None:
    to.add(f"{op.writer}({to.out}, {op.argument})")


@print_op.register
def _call_writer(op: writing.CallWriter, to: Lines) -> None:
    to.bracketed(f"{op.writer}(", [to.out, op.source, *[op.element_writer] * bool(op.element_writer)], ")")


@print_op.register
def _call_encoder(op: writing.CallEncoder, to: Lines) -> None:
    to.bracketed(f"{op.function}(", [op.source, to.out], ")")


@print_op.register
def _call_array_encoder(op: writing.CallArrayEncoder, to: Lines) -> None:
    to.bracketed(f"{op.function}(", [to.out, op.source], ")")


@print_op.register
def _put_compact_count(_: writing.PutCompactCount, to: Lines) -> None:
    to.add("if n < 127:", "    w.append(n + 1)", "else:", "    _write_uvarint(w, n + 1)")


@print_op.register
def _for_items(op: writing.ForItems, to: Lines) -> None:
    to.add("for o in s:")
    to.block(op.block)


@print_op.register
def _write_tags(op: writing.WriteTags, to: Lines) -> None:
    parts = ["[]", "if o.unknown_tagged_fields is _NOTHING", f"else {_raw_tags(op.known)}"]
    line = " ".join(parts)
    width = LINE_LENGTH - len(to.indent)
    if len("tags = ") + len(line) <= width:
        to.add(f"tags = {line}")
    else:
        to.add("tags = (", *(f"    {part}" for part in ([line] if 4 + len(line) <= width else parts)), ")")
    for op_ in op.block:
        print_op(op_, to)
    to.add("if tags:", "    _write_tags(w, tags)", "else:", "    w.append(0)")


@print_op.register
def _write_tag(op: writing.WriteTag, to: Lines) -> None:
    to.add(f"if {op.condition.text}:", "    t = bytearray()")
    to.out = "t"
    to.block(op.block)
    to.out = "w"
    to.add(f"    tags.append(({op.tag}, bytes(t)))")


@print_op.register
def _write_unknown_tags(op: writing.WriteUnknownTags, to: Lines) -> None:
    write = f"    _write_tags(w, {_raw_tags(op.known)})"
    if op.packed:
        to.add("if o.unknown_tagged_fields is not _NOTHING:", "    w.pop()", write)
    else:
        to.add("if o.unknown_tagged_fields is _NOTHING:", "    w.append(0)", "else:", write)


@print_op.register
def _refuse_tags(_: writing.RefuseTags, to: Lines) -> None:
    to.add("if o.unknown_tagged_fields is not _NOTHING:", "    _no_tags(o.unknown_tagged_fields)")


def _raw_tags(known: tuple[int, ...]) -> str:
    return f"_raw_tags(o.unknown_tagged_fields, {tuple_literal(known)})"
