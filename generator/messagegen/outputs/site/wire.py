"""The bytes of a message in one version: the structs of a layout, each once, with a row for each value in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from messagegen.plan import ops
from messagegen.primitives import PRIMITIVES

_CONTENTS = {"string": "UTF-8", "bytes": "bytes", "records": "record batches"}
_VARINT_BYTES = {16: 3, 32: 5, 64: 10}


@dataclass(frozen=True, slots=True)
class Row:
    """A value: the name and the type of the field, what applies to it in this version, and what its bytes are."""

    name: str
    type: str
    marks: tuple[str, ...]
    bytes: str


def layouts(plan: ops.MessagePlan) -> list[tuple[tuple[int, ...], int]]:
    """The different layouts of a message, newest first, each after the versions that have it."""
    versions: dict[int, list[int]] = {}
    for version, root in plan.roots:
        versions.setdefault(root, []).append(version)
    return [(tuple(found), root) for root, found in sorted(versions.items(), key=lambda item: -item[1][-1])]


def structs(plan: ops.MessagePlan, root: int) -> list[tuple[str, list[Row]]]:
    """The names of the structs in a layout with their rows; each layout of a struct comes once, however often it is used."""
    found: dict[int, list[Row]] = {}
    pending = [root]
    while pending:
        index = pending.pop()
        if index not in found:
            found[index] = list(_rows(plan, plan.layouts[index]))
            inside = [_held(codec) for _, codec in ops.fields_on_wire(plan.layouts[index])]
            pending += [one for one in reversed(inside) if one is not None]
    return [(plan.structs[plan.layouts[index].struct].class_name, rows) for index, rows in found.items()]


def _held(codec: ops.Codec) -> int | None:
    element = codec.element if isinstance(codec, ops.ArrayCodec) else codec
    return element.layout if isinstance(element, ops.StructCodec) else None


def _rows(plan: ops.MessagePlan, layout: ops.Layout) -> Iterator[Row]:
    fields, tags = plan.structs[layout.struct].fields, {tagged.field: tagged.tag for tagged in layout.tagged}
    on_wire = list(ops.fields_on_wire(layout))
    for number, codec in on_wire:
        if number not in tags:
            yield _row(fields[number], codec)
    if layout.flexible:
        yield Row("tagged fields", "", (), "uvarint count; for each its tag and size as uvarints, then its value")
    for number, codec in on_wire:
        if number in tags:
            yield _row(fields[number], codec, f"tag {tags[number]}")


def _row(field: ops.FieldPlan, codec: ops.Codec, *marks: str) -> Row:
    nullable = getattr(codec, "nullable", False) or getattr(codec, "null_mark", "never") != "never"
    type_ = f"{codec.form}{codec.bits}" if isinstance(codec, ops.VarintCodec) else field.type
    return Row(field.name, type_, (*marks, *["nullable"] * nullable), _bytes(codec))


def _bytes(codec: ops.Codec) -> str:
    """What the bytes of a value are."""
    match codec:
        case ops.FixedCodec(kind):
            size = PRIMITIVES[kind].size
            return "1 byte" if size == 1 else f"{size} bytes"
        case ops.VarintCodec(form, bits):
            return f"{'zig-zag varint' if form == 'packed' else 'varint'}, 1 to {_VARINT_BYTES[bits]} bytes"
        case ops.VariableCodec(kind, compact, nullable):
            return _counted("length", 16 if kind == "string" else 32, _CONTENTS[kind], compact, nullable)
        case ops.ArrayCodec(element, compact, nullable):
            each = "" if _held(codec) is not None else f", each {_bytes(element)}"
            return _counted("count", 32, f"elements{each}", compact, nullable)
        case ops.StructCodec(_, mark):
            return {"never": "", "int8": "int8, -1 for null or 1; then ", "varint": "uvarint, 0 for null or 1; then "}[
                mark
            ] + "its fields"


def _counted(word: str, bits: int, what: str, compact: bool, nullable: bool) -> str:
    number = f"{word} + 1 as uvarint" if compact else f"int{bits} {word}"
    return f"{number}{f' ({0 if compact else -1} for null)' if nullable else ''}, then {what}"
