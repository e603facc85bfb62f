"""The contents of a message's page: facts, fields, and the bytes in each version."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from messagegen.plan import ops
from messagegen.primitives import PRIMITIVES
from messagegen.versions import VersionRange, ranges_of

_CONTENTS: Final = {"string": "UTF-8", "bytes": "bytes", "records": "record batches"}
_VARINT_BYTES: Final = {16: 3, 32: 5, 64: 10}


class Row(NamedTuple):
    """A field: its name, type, notes and description.

    If the type ends with the name of a struct, ``struct`` contains that name, for a link to the struct on the page.
    """

    name: str
    type: str
    struct: tuple[str, ...]
    notes: tuple[str, ...]
    about: str


def facts(plan: ops.MessagePlan) -> Iterator[tuple[str, str]]:
    """Yield the summary of a message as (term, text) pairs."""
    valid = plan.valid_versions
    yield "Kind", plan.kind
    if plan.api_key is not None:
        yield "API key" if plan.kind in {"request", "response"} else "Type", str(plan.api_key)
    yield "Version" if valid.lowest == valid.highest else "Versions", str(valid)
    for term, versions in (("Flexible", plan.flexible_versions), ("Deprecated", plan.deprecated_versions)):
        if not versions.empty:
            yield term, _shown(versions, valid)
    if plan.latest_version_unstable:
        yield "Unstable", str(valid.highest)
    if plan.listeners:
        yield "Listeners", ", ".join(plan.listeners)
    if plan.header_versions:
        headers = (f"{header} for {_shown(versions, valid)}" for versions, header in plan.header_versions)
        yield "Header", "; ".join(headers)


def structs_with_fields(plan: ops.MessagePlan) -> Iterator[tuple[ops.StructPlan, list[Row]]]:
    """Yield the structs of a message, each with its fields in all versions."""
    layouts_of: dict[int, list[ops.Layout]] = {}
    for layout in plan.layouts:
        layouts_of.setdefault(layout.struct, []).append(layout)
    for number, struct in enumerate(plan.structs):
        yield struct, list(_fields(plan, struct, _encodings(plan, number, layouts_of.get(number, []))))


def _fields(plan: ops.MessagePlan, struct: ops.StructPlan, encodings: Mapping[int, list[str]]) -> Iterator[Row]:
    for number, field in enumerate(struct.fields):
        element = field.element_type
        inside = () if element in PRIMITIVES else (element,)
        type_ = field.type.removesuffix(element) if inside else field.type
        yield Row(
            field.name, type_, inside, (*encodings.get(number, ()), *_notes(field, plan.valid_versions)), field.about
        )


def _encodings(plan: ops.MessagePlan, struct: int, layouts: Iterable[ops.Layout]) -> dict[int, list[str]]:
    """Return notes about integers with an encoding that differs from their type (KIP-625), by field number."""
    found: dict[int, dict[str, set[int]]] = {}
    for layout in layouts:
        versions = {version for versions in layout.versions for version in versions.intersect(plan.valid_versions)}
        for number, codec in ops.fields_on_wire(layout):
            own = plan.structs[struct].fields[number].element_type
            name = _encoding(codec.element if isinstance(codec, ops.ArrayCodec) else codec, own)
            found.setdefault(number, {}).setdefault(name, set()).update(versions)
    return {number: _encoding_notes(names, plan.valid_versions) for number, names in found.items()}


def _encoding(codec: ops.Codec, own: str) -> str:
    """Return the name of an encoding; "" for the usual encoding of the type ``own``."""
    if isinstance(codec, ops.VarintCodec):
        return f"{codec.form}{codec.bits}"
    if isinstance(codec, ops.FixedCodec) and codec.kind != own:
        return f"fixed{codec.kind.removeprefix('int')}"
    return ""


def _encoding_notes(names: Mapping[str, set[int]], valid: VersionRange) -> list[str]:
    """Return notes with the encodings of a field, each with its versions if there are several."""
    if len(names) == 1:
        return [name for name in names if name]
    notes = {name: ", ".join(_shown(one, valid) for one in ranges_of(found)) for name, found in names.items() if name}
    return [f"{name} in {versions}" for name, versions in notes.items()]


def _notes(field: ops.FieldPlan, valid: VersionRange) -> Iterator[str]:
    if field.versions != valid:
        word = "version" if field.versions.lowest == field.versions.highest else "versions"
        yield f"{word} {_shown(field.versions, valid)}"
    for word, versions in (("nullable", field.nullable_versions), (f"tag {field.tag}", field.tagged_versions)):
        if not versions.empty:
            yield word if versions == field.versions else f"{word} in {_shown(versions, valid)}"
    if field.entity:
        yield field.entity
    if field.map_key:
        yield "map key"
    if field.ignorable:
        yield "ignorable"
    if field.sensitive is not None:
        yield "sensitive"
    yield from _default(field.default)


def _default(value: ops.PlanDefault) -> Iterator[str]:
    """Yield a note about a default, unless it is a usual one, such as 0, false or empty."""
    if value is None:
        yield "default null"
    elif not value or value == UUID(int=0):
        return
    elif isinstance(value, bool | str):
        yield f"default {json.dumps(value, ensure_ascii=False)}"
    else:
        yield f"default {value!s}"


def layouts(plan: ops.MessagePlan) -> list[tuple[str, list[tuple[str, list[Row]]]]]:
    """Return the layouts of a message, newest first.

    A layout is a pair: a title, which lists its versions, and its structs with their rows.
    """
    versions: dict[int, list[int]] = {}
    for version, root in reversed(list(plan.roots)):
        versions.setdefault(root, []).append(version)
    return [(_title(found), _structs(plan, root)) for root, found in versions.items()]


def _title(versions: Sequence[int]) -> str:
    """Return the title of a layout: its versions."""
    word = "Version" if len(versions) == 1 else "Versions"
    return f"{word} {', '.join(map(str, ranges_of(versions)))}"


def _structs(plan: ops.MessagePlan, root: int) -> list[tuple[str, list[Row]]]:
    """Return the names of the structs in a layout, each with its rows; each layout of a struct is listed only once."""
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
    names, tags = plan.structs[layout.struct].fields, {tagged.field: tagged.tag for tagged in layout.tagged}
    on_wire = list(ops.fields_on_wire(layout))
    for number, codec in on_wire:
        if number not in tags:
            yield _row(names[number], codec)
    if layout.flexible:
        yield Row("tagged fields", "", (), (), "uvarint count; for each its tag and size as uvarints, then its value")
    for number, codec in on_wire:
        if number in tags:
            yield _row(names[number], codec, f"tag {tags[number]}")


def _row(field: ops.FieldPlan, codec: ops.Codec, *notes: str) -> Row:
    type_ = f"{codec.form}{codec.bits}" if isinstance(codec, ops.VarintCodec) else field.type
    return Row(field.name, type_, (), (*notes, *["nullable"] * codec.nullable), _bytes(codec))


def _bytes(codec: ops.Codec) -> str:
    """Return a description of the bytes of a value."""
    match codec:
        case ops.FixedCodec(kind):
            size = PRIMITIVES[kind].size
            return "1 byte" if size == 1 else f"{size} bytes"
        case ops.VarintCodec("packed", bits):
            return f"zig-zag varint, 1 to {_VARINT_BYTES[bits]} bytes"
        case ops.VarintCodec(bits=bits):
            return f"varint, 1 to {_VARINT_BYTES[bits]} bytes"
        case ops.VariableCodec(kind, compact, nullable):
            length = _length("length", "int16" if kind == "string" else "int32", compact, nullable)
            return f"{length}, then {_CONTENTS[kind]}"
        case ops.ArrayCodec(element, compact, nullable):
            count = _length("count", "int32", compact, nullable)
            each = "" if _held(codec) is not None else f", each {_bytes(element)}"
            return f"{count}, then elements{each}"
        case ops.StructCodec(nullable=False):
            return "its fields"
        case ops.StructCodec(tagged=True):
            return "uvarint: 0 for null, otherwise 1; then its fields"
        case ops.StructCodec():
            return "int8: -1 for null, otherwise 1; then its fields"


def _length(word: str, type_: str, compact: bool, nullable: bool) -> str:
    """Return a description of the length before a string, bytes or an array."""
    if compact:
        return f"{word} + 1 as uvarint (0 for null)" if nullable else f"{word} + 1 as uvarint"
    return f"{type_} {word} (-1 for null)" if nullable else f"{type_} {word}"


def _shown(versions: VersionRange, valid: VersionRange) -> str:
    """Return versions in Kafka's notation; open-ended if they are several and include the last valid version."""
    return f"{versions.lowest}+" if versions.lowest < versions.highest == valid.highest else str(versions)
