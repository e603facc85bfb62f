"""Prints the operations that read."""

from __future__ import annotations

from typing import Final

from messagegen.lower.literals import tuple_literal
from messagegen.lower.ops import FunctionKind, reading
from messagegen.render.printer import Lines, print_as, print_op, sum_of

HEADS: Final[dict[FunctionKind, tuple[list[str], list[str], str]]] = {
    "decode one": (["data: bytes", "pos: int"], ["allowance: _Allowance"], "tuple[_Any, int]"),
    "decode many": (["data: bytes", "pos: int"], ["allowance: _Allowance", "count: int = -1"], "tuple[_Any, int]"),
    "decode tags": (["struct: _Any", "data: bytes", "pos: int"], ["allowance: _Allowance"], "int"),
}
"""The parameters before and after the buffer for views, and the return type."""

print_as(
    {
        reading.SetDefault: "struct.{op.attribute} = {op.value.text}",
        reading.MakeUuid: "struct.{op.attribute} = _uuid_of(struct.{op.attribute})",
        reading.LookAtLength: "length = data[pos]",
        reading.ReadLength: """
(length,) = _unpack_{op.format.name}(data, pos)
pos += {op.format.size}""",
        reading.ReadVarint: "struct.{op.attribute}, pos = {op.reader}(data, pos)",
        reading.ReadArray: "struct.{op.attribute}, pos = {op.reader}({op.element_reader}, data, pos, allowance, {op.charge})",
        reading.ReadMark: """
mark = data[pos]
pos += 1""",
        reading.ReadVarintMark: "mark, pos = _read_uvarint(data, pos)",
        reading.RefuseNull: """
if struct.{op.attribute} is None:
    raise _CodecFailure""",
        reading.NoTags: "struct.unknown_tagged_fields = ()",
        reading.ReturnObject: "return struct, pos",
        reading.ReadTags: """
unknown = []
last = -1
count, pos = _read_tag_count(data, pos, allowance, {op.charge})
for _ in range(count):
    tag, pos = _read_uvarint(data, pos)
    if tag <= last:
        raise _CodecFailure
    last = tag
    size, pos = _read_uvarint(data, pos)
    end = pos + size
    <block>
    else:
        unknown.append((tag, data[pos:end]))
        pos = end
    if pos != end:
        raise _CodecFailure
struct.unknown_tagged_fields = tuple(unknown)
return pos""",
        reading.UnlessCounted: """
if count < 0:
    <block>""",
        reading.ReadCompactCount: """
count = data[pos]
pos += 1
if count > 127:
    count, pos = _read_uvarint(data, pos - 1)
if count < 2:
    return (() if count else None), pos
count -= 1""",
        reading.ReadCount: """
(count,) = _unpack_{op.format.name}(data, pos)
pos += {op.format.size}
if count < 1:
    return (None if count else ()), pos""",
        reading.CheckBytesLeft: """
if count > len(data) - pos or count > allowance.longest:
    raise _CodecFailure""",
        reading.ChargeArray: """
if count > allowance.free:
    if count > allowance.longest:
        raise _CodecFailure
    allowance.left -= {op.charge} * count
    if allowance.left < _LITTLE:
        <block>""",
        reading.StartItems: "items: list[_Any] = []",
        reading.StartCredit: "shared = 0",
        reading.ForCount: """
for _ in range(count):
    <block>""",
        reading.Append: "items.append(struct)",
        reading.GiveCredit: "allowance.left += {op.credit} * shared",
        reading.ReturnItems: "return tuple(items), pos",
    }
)


@print_op.register
def _new_object(op: reading.NewObject, to: Lines) -> None:
    to.add(f"struct{': _Any' * op.first} = _new(*_args_{op.class_name})")


@print_op.register
def _read_run(op: reading.ReadRun, to: Lines) -> None:
    targets = [f"struct.{attribute}" for attribute in op.attributes] + [op.length_name] * bool(op.length)
    to.assign(targets, f"_unpack_{op.format.name}(data, pos)")
    to.add(f"pos += {op.format.size}")


@print_op.register
def _read_sized(op: reading.ReadSized, to: Lines) -> None:
    start = sum_of("pos", op.length.ahead)
    stop = sum_of("pos + length", op.length.ahead - op.length.compact)
    inside = f"{start} : stop" if op.length.ahead else "pos:stop"
    arguments = f"data, {sum_of('pos', -op.length.behind)}{'' if op.is_text else f', {op.source}'}"
    to.add(
        "if 0 < length < 128:" if op.length.compact else "if length >= 0:",
        f"    stop = {stop}",
        f"    struct.{op.attribute} = {op.source}[{inside}]{'.decode()' * op.is_text}",
        "    pos = stop",
        "else:",
        f"    struct.{op.attribute}, pos = {op.reader}({arguments})",
    )


@print_op.register
def _read_numbers(op: reading.ReadNumbers, to: Lines) -> None:
    compact, size = op.length.compact, op.number.size
    bytes_ = "length" if size == 1 else f"{size} * length"
    start = sum_of("pos", op.length.ahead)
    to.add(
        "if 0 < length < 32:" if compact else "if 0 <= length < 31:",
        f"    struct.{op.attribute} = _unpackers_{op.number.name}[{'length' if compact else 'length + 1'}](data, {start})",
        f"    pos += {sum_of(bytes_, op.length.ahead - size * compact)}",
    )
    to.block(op.few)
    start = sum_of("pos", -op.length.behind)
    to.add("else:")
    to.call(f'    struct.{op.attribute}, pos = {op.reader}(data, {start}, "{op.number.letters}", allowance)')
    to.block(op.many)


@print_op.register
def _share_tuple(op: reading.ShareTuple, to: Lines) -> None:
    to.add(f"if struct.{op.attribute} == struct.{op.like}:", f"    struct.{op.attribute} = struct.{op.like}")
    to.add(*["    shared += length"] * op.counted)


@print_op.register
def _call_decoder(op: reading.CallDecoder, to: Lines) -> None:
    to.call(f"struct.{op.attribute}, pos = {op.function}(data, pos, {_shared(op.keeps_views)})")


@print_op.register
def _read_or_null(op: reading.ReadOrNull, to: Lines) -> None:
    skip = [f"    pos += {op.skip}"] * bool(op.skip)
    to.add(f"if {op.condition}:", f"    struct.{op.attribute} = None", *skip, "else:")
    to.block(op.block)


@print_op.register
def _tag_section(op: reading.TagSection, to: Lines) -> None:
    to.add("if tag_count:" if op.peeked else "if data[pos]:")
    to.block(op.block)
    to.add("else:", "    struct.unknown_tagged_fields = ()", *["    pos += 1"] * (not op.peeked))


@print_op.register
def _call_tag_decoder(op: reading.CallTagDecoder, to: Lines) -> None:
    to.call(f"pos = {op.function}(struct, data, {sum_of('pos', -op.behind)}, {_shared(op.keeps_views)})")


@print_op.register
def _read_unknown_tags(op: reading.ReadUnknownTags, to: Lines) -> None:
    foreign = f", {tuple_literal(op.foreign)}" if op.foreign else ""
    arguments = f"data, {sum_of('pos', -op.behind)}, allowance{foreign}"
    to.call(f"struct.unknown_tagged_fields, pos = _read_unknown_tags({arguments})")


@print_op.register
def _read_tag(op: reading.ReadTag, to: Lines) -> None:
    to.add(f"{'if' if op.first else 'elif'} tag == {op.tag}:")
    to.block(op.block)


@print_op.register
def _refuse_foreign_tags(op: reading.RefuseForeignTags, to: Lines) -> None:
    to.add(f"elif tag in {tuple_literal(op.tags)}:", "    raise _CodecFailure")


@print_op.register
def _read_counted(op: reading.ReadCounted, to: Lines) -> None:
    comma = "" if op.keeps_views else ","
    arguments = f"{op.function}, ({_shared(op.keeps_views)}{comma}), {op.layout}, {op.charge}, data, pos, count"
    to.call(f"return {op.reader}({arguments})")


@print_op.register
def _read_rows(op: reading.ReadRows, to: Lines) -> None:
    size = op.row.size
    to.add(f"stop = pos + {size} * count")
    to.add(f"if data[pos + {size - 1} : stop : {size}].count(0) == count:" if op.has_tags else "if stop <= len(data):")
    to.add(f"    for row in _rows_{op.row.name}(data[pos:stop] if count < 512 else memoryview(data)[pos:stop]):")
    to.block(op.block, steps=2)
    to.add("    return tuple(items), stop")


@print_op.register
def _set_row(op: reading.SetRow, to: Lines) -> None:
    to.assign([f"struct.{attribute}" for attribute in op.attributes], "row")


def _shared(keeps_views: bool) -> str:
    return "source, allowance" if keeps_views else "allowance"
