"""The bytes of a message in one version, as rows to draw: one for each value, in the order in which they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from markupsafe import Markup

from messagegen.outputs.site.templates import linked
from messagegen.plan import ops
from messagegen.primitives import PRIMITIVES
from messagegen.versions import VersionRange

Part = Literal["value", "length", "presence", "tag", "content"]

_VARINT_BYTES: Final = {16: 3, 32: 5, 64: 10}
_CONTENTS: Final = {"string": "UTF-8", "bytes": "bytes", "records": "record batches"}
TAG_SECTION: Final = "tagged fields"


@dataclass(frozen=True, slots=True)
class Cell:
    """Some bytes of a value: what they say, and how many they are; 0 where that depends on the value."""

    part: Part
    size: int


@dataclass(frozen=True, slots=True)
class Row:
    """One value.

    ``path`` names it uniquely within a version, as ``Topics[].Name``. ``depth`` counts the structs around it. ``type`` and
    ``marks`` are for people, and ``bytes`` says in words what ``cells`` draw. ``meaning`` is what callers can notice: type and
    nullability, not whether lengths are compact. ``anchor`` is the id of the field's description; a tag section has none.
    """

    path: str
    name: str
    depth: int
    type: str
    marks: tuple[str, ...]
    cells: tuple[Cell, ...]
    bytes: str
    meaning: str
    anchor: str

    @property
    def title(self) -> Markup:
        """The name, which leads to the description."""
        return linked(self.name, f"#{self.anchor}" if self.anchor else "")

    @property
    def style(self) -> str:
        """What sort of row it is, for the style sheet."""
        return "" if self.anchor else "tags"


def layouts(plan: ops.MessagePlan) -> list[tuple[tuple[int, ...], int]]:
    """The different layouts of a message, newest first, each after the versions that have it."""
    versions: dict[int, list[int]] = {}
    for version, root in plan.roots:
        versions.setdefault(root, []).append(version)
    return [(tuple(found), root) for root, found in sorted(versions.items(), key=lambda item: -item[1][-1])]


def rows(plan: ops.MessagePlan, layout: int) -> Iterator[Row]:
    """The rows of a layout and of the structs in it."""
    yield from _Drawing(plan).struct(layout, "", 0)


def anchor(struct: ops.StructPlan, field: ops.FieldPlan) -> str:
    """The id of a field's description."""
    return f"{struct.class_name}.{field.name}"


def shown(versions: VersionRange, valid: VersionRange) -> str:
    """Versions as Kafka writes them: those up to the last valid one without an end."""
    if versions.lowest < versions.highest == valid.highest:
        return f"{versions.lowest}+"
    return str(versions)


def ranges(versions: tuple[int, ...]) -> str:
    """Ascending versions in the fewest ranges, as ``0-2, 5``."""
    found: list[VersionRange] = []
    for version in versions:
        if found and found[-1].highest == version - 1:
            found[-1] = VersionRange(found[-1].lowest, version)
        else:
            found.append(VersionRange(version, version))
    return ", ".join(map(str, found))


class _Drawing:
    """Draws the structs of one message."""

    def __init__(self, plan: ops.MessagePlan) -> None:
        self.plan = plan

    def struct(self, index: int, prefix: str, depth: int) -> Iterator[Row]:
        layout = self.plan.layouts[index]
        struct = self.plan.structs[layout.struct]
        for step in layout.steps:
            for one in step.steps if isinstance(step, ops.RunStep) else (step,):
                yield from self.field(struct, struct.fields[one.field], one.codec, prefix, depth, "")
        if layout.flexible:
            yield _tag_section(prefix, depth)
        for tagged in layout.tagged:
            mark = f"tag {tagged.tag}"
            yield from self.field(struct, struct.fields[tagged.field], tagged.codec, prefix, depth + 1, mark)

    def field(
        self,
        struct: ops.StructPlan,
        field: ops.FieldPlan,
        codec: ops.Codec,
        prefix: str,
        depth: int,
        tag: str,
    ) -> Iterator[Row]:
        name = f"{field.name}[]" if isinstance(codec, ops.ArrayCodec) else field.name
        path = f"{prefix}{name}"
        kind, compact, nullable = self.kind(codec)
        marks = (("compact", compact), ("nullable", nullable), (tag, bool(tag)))
        cells, text = _drawn(codec)
        yield Row(
            path=path,
            name=name,
            depth=depth,
            type=kind,
            marks=tuple(mark for mark, present in marks if present),
            cells=(Cell("tag", 2), *cells) if tag else cells,
            bytes=text,
            meaning=f"{'nullable ' * nullable}{kind}{f', {tag}' * bool(tag)}",
            anchor=anchor(struct, field),
        )
        element = codec.element if isinstance(codec, ops.ArrayCodec) else codec
        if isinstance(element, ops.StructCodec):
            yield from self.struct(element.layout, f"{path}.", depth + 1)

    def kind(self, codec: ops.Codec) -> tuple[str, bool, bool]:
        """A codec's type, and whether it is compact and nullable."""
        match codec:
            case ops.FixedCodec(kind):
                return kind, False, False
            case ops.VarintCodec(form, bits):
                return f"{form}{bits}", False, False
            case ops.VariableCodec(kind, compact, nullable):
                return kind, compact, nullable
            case ops.StructCodec(layout, null_mark):
                return self.plan.structs[self.plan.layouts[layout].struct].class_name, False, null_mark != "never"
            case ops.ArrayCodec(element, compact, nullable):
                return f"[]{self.kind(element)[0]}", compact, nullable


def _tag_section(prefix: str, depth: int) -> Row:
    text = "uvarint count; for each its tag and size as uvarints, then its value"
    return Row(f"{prefix}{TAG_SECTION}", TAG_SECTION, depth, "", (), (Cell("tag", 1), Cell("tag", 0)), text, "", "")


def _drawn(codec: ops.Codec) -> tuple[tuple[Cell, ...], str]:
    """The cells of a value, and what they are in words."""
    match codec:
        case ops.FixedCodec(kind):
            size = PRIMITIVES[kind].size
            return (Cell("value", size),), "1 byte" if size == 1 else f"{size} bytes"
        case ops.VarintCodec(form, bits):
            how = "zig-zag varint" if form == "packed" else "varint"
            return (Cell("value", 0),), f"{how}, 1 to {_VARINT_BYTES[bits]} bytes"
        case ops.VariableCodec(kind, compact, nullable):
            size = 2 if kind == "string" else 4
            return _counted("length", size, _CONTENTS[kind], compact=compact, nullable=nullable)
        case ops.ArrayCodec(element, compact, nullable):
            fixed = isinstance(element, ops.FixedCodec)
            each = f"{PRIMITIVES[element.kind].size} bytes each" if isinstance(element, ops.FixedCodec) else ""
            what = "elements" + f" of {each}" * (fixed and "1 " not in each[:2])
            return _counted("count", 4, what, compact=compact, nullable=nullable)
        case ops.StructCodec(_, "never"):
            return (), "its fields"
        case ops.StructCodec(_, "int8"):
            return (Cell("presence", 1),), "int8, -1 for null or 1; then its fields"
        case ops.StructCodec():
            return (Cell("presence", 1),), "uvarint, 0 for null or 1; then its fields"


def _counted(word: str, size: int, what: str, *, compact: bool, nullable: bool) -> tuple[tuple[Cell, ...], str]:
    """A length or count, and what it counts."""
    number = f"{word} + 1 as uvarint" if compact else f"int{8 * size} {word}"
    null = f" ({0 if compact else -1} for null)" if nullable else ""
    return (Cell("length", 1 if compact else size), Cell("content", 0)), f"{number}{null}, then {what}"
