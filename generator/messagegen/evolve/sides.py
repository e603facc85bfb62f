"""A message on one side of a comparison, with its plan; and pairs of both sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from messagegen.evolve.changes import Location, location
from messagegen.evolve.wire import Slot
from messagegen.plan import ops
from messagegen.plan.build import build_plan
from messagegen.spec.model import FieldSpec, MessageSpec, StructSpec


@dataclass(frozen=True)
class Side:
    """A message on one side; ``unstable`` are its versions that may change."""

    spec: MessageSpec
    unstable: frozenset[int] = frozenset()

    @cached_property
    def plan(self) -> ops.MessagePlan | None:
        """The plan; ``None`` for a retired message, which has no versions."""
        return None if self.spec.valid_versions.empty else build_plan(self.spec)

    @cached_property
    def structs(self) -> tuple[StructSpec, ...]:
        """The message itself as a struct, then its structs, in plan order."""
        spec = self.spec
        return (StructSpec(spec.name, spec.valid_versions, spec.valid_versions, spec.fields), *spec.structs)

    @cached_property
    def released(self) -> frozenset[int]:
        """The versions that must not change."""
        return frozenset(self.spec.valid_versions) - self.unstable

    def layout(self, index: int) -> ops.Layout:
        """A layout of the plan."""
        assert self.plan is not None
        return self.plan.layouts[index]

    @cached_property
    def fields(self) -> tuple[tuple[Field, ...], ...]:
        """The fields of each struct, in the order of plan and spec."""
        assert self.plan is not None
        return tuple(
            tuple(Field(self.spec.file, spec, plan) for spec, plan in zip(struct.fields, planned.fields, strict=True))
            for struct, planned in zip(self.structs, self.plan.structs, strict=True)
        )

    def location(self, name: str = "") -> Location:
        """The location of a property of the message."""
        return location(self.spec.file, self.spec.place, name)


@dataclass(frozen=True, slots=True)
class Field:
    """A field on one side: as written in the spec, and in the plan."""

    file: str
    spec: FieldSpec
    plan: ops.FieldPlan

    @property
    def name(self) -> str:
        """Kafka's name of the field."""
        return self.spec.name

    def location(self, name: str = "") -> Location:
        """The location of a property of the field."""
        return location(self.file, self.spec.place, name)


@dataclass(frozen=True, slots=True)
class FieldPair:
    """A field of the old spec and its counterpart in the new one.

    ``slots`` are the released versions in which both specs have it. ``as_default`` are those in which a new default
    changes the meaning of old bytes: the field is tagged, or part of the default of a tagged struct.
    ``moved`` are those in which its position among the untagged fields changed. ``reused`` is the new field that took its name.
    """

    old: Field
    new: Field
    slots: Mapping[int, tuple[Slot, Slot]]
    as_default: frozenset[int]
    moved: frozenset[int]
    reused: Field | None = None


@dataclass(frozen=True, slots=True)
class LoneField:
    """A field that only one side has, in some or all released versions.

    ``slots`` are these versions. ``other`` is the field on the other side, in other versions. ``refused`` maps each
    version in which the other side knows the tag to the field with that tag there.
    """

    field: Field
    slots: Mapping[int, Slot]
    other: Field | None
    refused: Mapping[int, Field]

    @property
    def untagged(self) -> frozenset[int]:
        """The versions in which the field has bytes that the other side does not expect."""
        return frozenset(version for version, slot in self.slots.items() if slot.tag is None and not slot.empty)

    @property
    def tagged(self) -> frozenset[int]:
        """The versions in which the other side keeps the value as an unknown tagged field."""
        return frozenset(version for version, slot in self.slots.items() if slot.tag is not None) - self.refused.keys()


@dataclass(frozen=True, slots=True)
class StructPair:
    """A struct of the old spec and the struct in its place, with the fields of both.

    ``holder`` are the fields that hold it, ``None`` for the message itself; the locations are theirs.
    """

    old: StructSpec
    new: StructSpec
    versions: frozenset[int]
    holder: tuple[Field, Field] | None
    fields: tuple[FieldPair, ...]
    removed: tuple[LoneField, ...]
    added: tuple[LoneField, ...]
    old_class: str
    new_class: str
    old_location: Location
    new_location: Location


@dataclass(frozen=True, slots=True)
class MessagePair:
    """A message on both sides; ``numbers`` maps the released versions that are still valid to their new numbers."""

    old: Side
    new: Side
    numbers: Mapping[int, int]
    structs: tuple[StructPair, ...] = field(repr=False)

    @property
    def versions(self) -> frozenset[int]:
        """The released versions that are still valid, by their old numbers."""
        return frozenset(self.numbers)


@dataclass(frozen=True, slots=True)
class RemovedMessage:
    """A message that only exists in the old specs."""

    old: Side
