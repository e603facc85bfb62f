"""The fields that each layout of a plan has on the wire, with their codecs, and comparisons of codecs.

Names don't matter here. Two kinds are equal if and only if they read the same bytes as the same value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from messagegen.plan import ops


@dataclass(frozen=True, slots=True)
class Slot:
    """The position of a field in one version: among the untagged fields (``tag`` is ``None``) or under its tag.

    ``number`` is the number of the field in its struct, ``key`` its name in JSON. ``empty`` is true if the field never
    takes any bytes: it is a struct without fields in a version that is not flexible, or a tagged struct that always
    equals its default. ``flexible`` is true if the version is flexible. ``always_written`` is true if the field is
    tagged and no value equals its default, which is or contains NaN.
    """

    number: int
    key: str
    tag: int | None
    codec: ops.Codec
    empty: bool
    flexible: bool
    always_written: bool = False


def slots_of(plan: ops.MessagePlan) -> list[tuple[Slot, ...]]:
    """Return the fields of each layout, by layout index: untagged fields in wire order, then tagged fields by tag."""
    found: list[tuple[Slot, ...]] = []
    silent: list[bool] = []
    constant: list[bool] = []
    # A layout refers only to earlier layouts.
    for layout in plan.layouts:
        fields = plan.structs[layout.struct].fields
        untagged = [(one.field, None, one.codec, silent) for one in ops.fields_in_order(layout)]
        tagged = [(one.field, one.tag, one.codec, constant) for one in layout.tagged]
        slots = tuple(
            Slot(
                number=number,
                key=fields[number].key,
                tag=tag,
                codec=codec,
                empty=_is_one_of(codec, layouts),
                flexible=layout.flexible,
                always_written=tag is not None and plan.equals_nothing(fields[number]),
            )
            for number, tag, codec, layouts in (*untagged, *tagged)
        )
        found.append(slots)
        silent.append(not layout.flexible and all(slot.empty for slot in slots))
        constant.append(all(_is_one_of(slot.codec, constant) for slot in slots))
    return found


def kind(codec: ops.Codec) -> str:
    """Return the kind of a value, such as ``int32``, ``packed64``, ``[]string`` or ``struct``; records are bytes."""
    match codec:
        case ops.FixedCodec(name):
            return name
        case ops.VarintCodec(form, bits):
            return f"{form}{bits}"
        case ops.VariableCodec(name):
            return "bytes" if name == "records" else name
        case ops.StructCodec():
            return "struct"
        case ops.ArrayCodec(element):
            return f"[]{kind(element)}"


def same_kind(one: Slot, other: Slot) -> bool:
    """Whether two slots encode the same value to the same bytes, apart from lengths and the contents of structs."""
    return kind(one.codec) == kind(other.codec)


def compact(codec: ops.Codec) -> list[bool]:
    """Return whether the length of a value is compact, followed by whether the lengths of its elements are compact."""
    return [part.compact for part in _parts(codec) if isinstance(part, ops.VariableCodec | ops.ArrayCodec)]


def held_layout(codec: ops.Codec) -> int | None:
    """Return the layout of a struct, or of the structs in an array; ``None`` for other values."""
    return next((part.layout for part in _parts(codec) if isinstance(part, ops.StructCodec)), None)


def _parts(codec: ops.Codec) -> Iterator[ops.Codec]:
    yield codec
    if isinstance(codec, ops.ArrayCodec):
        yield codec.element


def _is_one_of(codec: ops.Codec, layouts: Sequence[bool]) -> bool:
    """Whether a value is a struct that is never null, and ``layouts`` is true for its layout."""
    return isinstance(codec, ops.StructCodec) and not codec.nullable and layouts[codec.layout]
