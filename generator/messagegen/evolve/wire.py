"""Compares the wire format of two plans: the kind of a value, its length form, and whether it takes any bytes.

Names don't matter here. Two kinds are equal if and only if the bytes of one are read as the same value by the other.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from messagegen.plan import ops


@dataclass(frozen=True, slots=True)
class Slot:
    """The position of a field in one version: among the untagged fields (``tag`` is ``None``) or under its tag.

    ``empty`` says that no value of the field takes any bytes: a struct without fields in a version that is not flexible, or
    a tagged struct that always equals its default.
    """

    number: int
    tag: int | None
    codec: ops.Codec
    empty: bool


def kind(codec: ops.Codec) -> str:
    """The kind of a value, such as ``int32``, ``packed64``, ``[]string`` or ``struct``; records count as bytes."""
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


def compact(codec: ops.Codec) -> tuple[bool, ...]:
    """Whether the lengths of a value and of its elements are compact."""
    match codec:
        case ops.VariableCodec(compact=own):
            return (own,)
        case ops.ArrayCodec(element, compact=own):
            return (own, *compact(element))
        case _:
            return ()


def nullable(codec: ops.Codec) -> bool:
    """Whether the value may be null."""
    match codec:
        case ops.VariableCodec(nullable=own) | ops.ArrayCodec(nullable=own):
            return own
        case ops.StructCodec(null_mark=mark):
            return mark != "never"
        case _:
            return False


def held_layout(codec: ops.Codec) -> int | None:
    """The layout of a struct value, or of struct elements."""
    if isinstance(codec, ops.ArrayCodec):
        codec = codec.element
    return codec.layout if isinstance(codec, ops.StructCodec) else None


class Wire:
    """The bytes of each layout of a plan, by the layout's index: its fields, and what it looks like without names."""

    def __init__(self, plan: ops.MessagePlan) -> None:
        self.slots: list[tuple[Slot, ...]] = []
        self._silent: list[bool] = []
        self._constant: list[bool] = []
        self._digests: list[str] = []
        # A layout refers to earlier ones only, so that each is looked at once, however deep it is nested.
        for layout in plan.layouts:
            found = tuple(self._of_layout(layout))
            self.slots.append(found)
            self._silent.append(not layout.flexible and all(slot.empty for slot in found))
            self._constant.append(all(self._holds(slot.codec, self._constant) for slot in found))
            inside = ",".join(f"{slot.tag}={self.signature(slot.codec)}" for slot in found)
            self._digests.append(sha256(inside.encode()).hexdigest())

    def signature(self, codec: ops.Codec) -> str:
        """The wire format of a value as text, without names: it stays the same if a field is renamed."""
        index = held_layout(codec)
        inside = "" if index is None else f"({self._digests[index]})"
        return f"{kind(codec)}{'c' if True in compact(codec) else ''}{'?' if nullable(codec) else ''}{inside}"

    def _of_layout(self, layout: ops.Layout) -> Iterator[Slot]:
        """The fields of a layout: untagged ones in wire order, then tagged ones by tag."""
        for step in layout.steps:
            for one in step.steps if isinstance(step, ops.RunStep) else (step,):
                yield Slot(one.field, None, one.codec, self._holds(one.codec, self._silent))
        for tagged in layout.tagged:
            yield Slot(tagged.field, tagged.tag, tagged.codec, self._holds(tagged.codec, self._constant))

    def _holds(self, codec: ops.Codec, layouts: Sequence[bool]) -> bool:
        """Whether a value is a struct that is never null, of a layout for which ``layouts`` says yes."""
        return isinstance(codec, ops.StructCodec) and codec.null_mark == "never" and layouts[codec.layout]


def same_default(old: object, new: object) -> bool:
    """Whether two defaults are the same value; 0.0 and -0.0 differ, and NaN equals NaN."""
    if isinstance(old, float) and isinstance(new, float):
        return (old != old and new != new) or struct.pack(">d", old) == struct.pack(">d", new)  # noqa: PLR0124 - NaN
    return old is new or (type(old) is type(new) and old == new)
