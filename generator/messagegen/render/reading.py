"""Prints the operations that read, one function each."""

from __future__ import annotations

from typing import Final

from messagegen.lower.literals import tuple_literal
from messagegen.lower.ops import FunctionKind, reading
from messagegen.render.printer import Lines, print_op, sum_of

HEADS: Final[dict[FunctionKind, tuple[list[str], list[str], str]]] = {
    "decode one": (["b: bytes", "p: int"], ["m: _Allowance"], "tuple[_Any, int]"),
    "decode many": (["b: bytes", "p: int"], ["m: _Allowance", "n: int = -1"], "tuple[_Any, int]"),
    "decode tags": (["o: _Any", "b: bytes", "p: int"], ["m: _Allowance"], "int"),
}
"""The parameters before and after the buffer of which views may be kept, and the type of what is returned."""


@print_op.register
def _new_object(op: reading.NewObject, to: Lines) -> None:
    to.add(f"o{': _Any' * op.first} = _new(*_args_{op.class_name})")


@print_op.register
def _set_default(op: reading.SetDefault, to: Lines) -> None:
    to.add(f"o.{op.attribute} = {op.value.text}")


@print_op.register
def _read_run(op: reading.ReadRun, to: Lines) -> None:
    targets = [f"o.{attribute}" for attribute in op.attributes] + ["n"] * bool(op.length)
    to.assign(targets, f"_unpack_{op.format.name}(b, p)")
    to.add(f"p += {op.format.size}")


@print_op.register
def _make_uuid(op: reading.MakeUuid, to: Lines) -> None:
    to.add(f"o.{op.attribute} = _uuid_of(o.{op.attribute})")


@print_op.register
def _look_at_length(_: reading.LookAtLength, to: Lines) -> None:
    to.add("n = b[p]")


@print_op.register
def _read_length(op: reading.ReadLength, to: Lines) -> None:
    to.add(f"(n,) = _unpack_{op.format.name}(b, p)", f"p += {op.format.size}")


@print_op.register
def _read_sized(op: reading.ReadSized, to: Lines) -> None:
    start = sum_of("p", op.length.ahead)
    end = sum_of("p + n", op.length.ahead - op.length.compact)
    inside = f"{start} : e" if op.length.ahead else "p:e"
    arguments = f"b, {sum_of('p', -op.length.behind)}{', ' + op.source if not op.is_text else ''}"
    to.add(
        "if 0 < n < 128:" if op.length.compact else "if n >= 0:",
        f"    e = {end}",
        f"    o.{op.attribute} = {op.source}[{inside}]{'.decode()' * op.is_text}",
        "    p = e",
        "else:",
        f"    o.{op.attribute}, p = {op.reader}({arguments})",
    )


@print_op.register
def _read_numbers(op: reading.ReadNumbers, to: Lines) -> None:
    compact, size = op.length.compact, op.number.size
    bytes_ = "n" if size == 1 else f"{size} * n"
    start = sum_of("p", op.length.ahead)
    to.add(
        "if 0 < n < 32:" if compact else "if 0 <= n < 31:",
        f"    o.{op.attribute} = _unpackers_{op.number.name}[{'n' if compact else 'n + 1'}](b, {start})",
        f"    p += {sum_of(bytes_, op.length.ahead - size * compact)}",
    )
    to.block(op.few)
    start = sum_of("p", -op.length.behind)
    to.add("else:", f'    o.{op.attribute}, p = {op.reader}(b, {start}, "{op.number.letters}", m)')
    to.block(op.many)


@print_op.register
def _share_tuple(op: reading.ShareTuple, to: Lines) -> None:
    to.add(f"if o.{op.attribute} == o.{op.like}:", f"    o.{op.attribute} = o.{op.like}")
    to.add(*["    k += n"] * op.counted)


@print_op.register
def _read_varint(op: reading.ReadVarint, to: Lines) -> None:
    to.add(f"o.{op.attribute}, p = {op.reader}(b, p)")


@print_op.register
def _read_array(op: reading.ReadArray, to: Lines) -> None:
    to.bracketed(f"o.{op.attribute}, p = {op.reader}(", [op.element_reader, "b", "p", "m", str(op.charge)], ")")


@print_op.register
def _call_decoder(op: reading.CallDecoder, to: Lines) -> None:
    to.bracketed(f"o.{op.attribute}, p = {op.function}(", ["b", "p", *_shared(op.keeps_views)], ")")


@print_op.register
def _read_mark(_: reading.ReadMark, to: Lines) -> None:
    to.add("n = b[p]", "p += 1")


@print_op.register
def _read_varint_mark(_: reading.ReadVarintMark, to: Lines) -> None:
    to.add("n, p = _read_uvarint(b, p)")


@print_op.register
def _read_or_null(op: reading.ReadOrNull, to: Lines) -> None:
    to.add(f"if {op.condition}:", f"    o.{op.attribute} = None", *[f"    p += {op.skip}"] * bool(op.skip), "else:")
    to.block(op.block)


@print_op.register
def _refuse_null(op: reading.RefuseNull, to: Lines) -> None:
    to.add(f"if o.{op.attribute} is None:", "    raise _CodecFailure")


@print_op.register
def _no_tags(_: reading.NoTags, to: Lines) -> None:
    to.add("o.unknown_tagged_fields = ()")


@print_op.register
def _tag_section(op: reading.TagSection, to: Lines) -> None:
    to.add("if n:" if op.peeked else "if b[p]:")
    to.block(op.block)
    to.add("else:", "    o.unknown_tagged_fields = ()", *["    p += 1"] * (not op.peeked))


@print_op.register
def _call_tag_decoder(op: reading.CallTagDecoder, to: Lines) -> None:
    arguments = ["o", "b", sum_of("p", -op.behind), *_shared(op.keeps_views)]
    to.bracketed(f"p = {op.function}(", arguments, ")")


@print_op.register
def _read_unknown_tags(op: reading.ReadUnknownTags, to: Lines) -> None:
    arguments = ["b", sum_of("p", -op.behind), "m", *[tuple_literal(op.foreign)] * bool(op.foreign)]
    to.bracketed("o.unknown_tagged_fields, p = _read_unknown_tags(", arguments, ")")


@print_op.register
def _return_object(_: reading.ReturnObject, to: Lines) -> None:
    to.add("return o, p")


@print_op.register
def _read_tags(op: reading.ReadTags, to: Lines) -> None:
    to.add(
        "unknown = []",
        "last = -1",
        f"count, p = _read_tag_count(b, p, m, {op.charge})",
        "for _ in range(count):",
        "    tag, p = _read_uvarint(b, p)",
        "    if tag <= last:",
        "        raise _CodecFailure",
        "    last = tag",
        "    size, p = _read_uvarint(b, p)",
        "    end = p + size",
    )
    to.block(op.block)
    to.add(
        "    else:",
        "        unknown.append((tag, b[p:end]))",
        "        p = end",
        "    if p != end:",
        "        raise _CodecFailure",
        "o.unknown_tagged_fields = tuple(unknown)",
        "return p",
    )


@print_op.register
def _read_tag(op: reading.ReadTag, to: Lines) -> None:
    to.add(f"{'if' if op.first else 'elif'} tag == {op.tag}:")
    to.block(op.block)


@print_op.register
def _refuse_foreign_tags(op: reading.RefuseForeignTags, to: Lines) -> None:
    to.add(f"elif tag in {tuple_literal(op.tags)}:", "    raise _CodecFailure")


@print_op.register
def _unless_counted(op: reading.UnlessCounted, to: Lines) -> None:
    to.add("if n < 0:")
    to.block(op.block)


@print_op.register
def _read_compact_count(_: reading.ReadCompactCount, to: Lines) -> None:
    to.add("n = b[p]", "p += 1", "if n > 127:", "    n, p = _read_uvarint(b, p - 1)")
    to.add("if n < 2:", "    return (() if n else None), p", "n -= 1")


@print_op.register
def _read_count(op: reading.ReadCount, to: Lines) -> None:
    to.add(f"(n,) = _unpack_{op.format.name}(b, p)", f"p += {op.format.size}")
    to.add("if n < 1:", "    return (None if n else ()), p")


@print_op.register
def _check_bytes_left(_: reading.CheckBytesLeft, to: Lines) -> None:
    to.add("if n > len(b) - p or n > m.longest:", "    raise _CodecFailure")


@print_op.register
def _charge_array(op: reading.ChargeArray, to: Lines) -> None:
    to.add(
        "if n > m.free:",
        "    if n > m.longest:",
        "        raise _CodecFailure",
        f"    m.left -= {op.charge} * n",
        "    if m.left < _LITTLE:",
    )
    to.block(op.block, steps=2)


@print_op.register
def _read_counted(op: reading.ReadCounted, to: Lines) -> None:
    arguments = [op.function, tuple_literal(_shared(op.keeps_views)), str(op.layout), str(op.charge), "b", "p", "n"]
    to.bracketed(f"return {op.reader}(", arguments, ")")


@print_op.register
def _start_items(_: reading.StartItems, to: Lines) -> None:
    to.add("items: list[_Any] = []")


@print_op.register
def _read_rows(op: reading.ReadRows, to: Lines) -> None:
    size = op.row.size
    to.add(f"e = p + {size} * n")
    to.add(f"if b[p + {size - 1} : e : {size}].count(0) == n:" if op.has_tags else "if e <= len(b):")
    to.add(f"    for row in _rows_{op.row.name}(b[p:e] if n < 512 else memoryview(b)[p:e]):")
    to.block(op.block, steps=2)
    to.add("    return tuple(items), e")


@print_op.register
def _set_row(op: reading.SetRow, to: Lines) -> None:
    to.assign([f"o.{attribute}" for attribute in op.attributes], "row")


@print_op.register
def _start_credit(_: reading.StartCredit, to: Lines) -> None:
    to.add("k = 0")


@print_op.register
def _for_count(op: reading.ForCount, to: Lines) -> None:
    to.add("for _ in range(n):")
    to.block(op.block)


@print_op.register
def _append(_: reading.Append, to: Lines) -> None:
    to.add("items.append(o)")


@print_op.register
def _give_credit(op: reading.GiveCredit, to: Lines) -> None:
    to.add(f"m.left += {op.credit} * k")


@print_op.register
def _return_items(_: reading.ReturnItems, to: Lines) -> None:
    to.add("return tuple(items), p")


def _shared(keeps_views: bool) -> list[str]:
    return ["z", "m"] if keeps_views else ["m"]
