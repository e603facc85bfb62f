"""A message on one side of a comparison, with its plan; and pairs of both sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from messagegen.evolve.wire import Slot, Wire
from messagegen.findings import Location
from messagegen.plan import ops
from messagegen.plan.build import build_plan
from messagegen.primitives import PRIMITIVES
from messagegen.spec.model import FieldSpec, MessageSpec
from messagegen.spec.place import Place, below


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
        return _location(self.file, self.spec.place, name)

    def python(self, struct: str = "") -> tuple[str, ...]:
        """The alternatives of the attribute's type in Python; ``struct`` replaces the name of a struct."""
        base = self.plan.type.removeprefix("[]")
        names: tuple[str, ...] = (PRIMITIVES[base].python,) if base in PRIMITIVES else (struct or base,)
        if self.plan.zero_copy:
            names = ("bytes", "memoryview")
        if base != self.plan.type:
            names = (f"tuple[{' | '.join(names)}, ...]",)
        return (*names, "None") if self.plan.nullable else names

    def annotation(self) -> str:
        """The attribute's type as a class of Python declares it."""
        return " | ".join(self.python())


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct on one side, which may be the message itself; ``class_name`` is its class in Python."""

    name: str
    class_name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Side:
    """A message on one side; ``unstable`` is its version that may change, ``strict`` says that the others may not."""

    spec: MessageSpec
    unstable: int | None = None
    strict: bool = True

    @cached_property
    def plan(self) -> ops.MessagePlan | None:
        """The plan; ``None`` for a retired message, which has no versions."""
        return None if self.spec.valid_versions.empty else build_plan(self.spec)

    @cached_property
    def wire(self) -> Wire:
        """The bytes of the layouts of the plan."""
        assert self.plan is not None
        return Wire(self.plan)

    @cached_property
    def structs(self) -> tuple[Struct, ...]:
        """The message itself, then its structs, in the order of the plan; none of a retired message."""
        specs = ((self.spec.name, self.spec.fields), *((one.name, one.fields) for one in self.spec.structs))
        return tuple(
            Struct(
                name,
                planned.class_name,
                tuple(Field(self.spec.file, *both) for both in zip(fields, planned.fields, strict=True)),
            )
            for (name, fields), planned in zip(specs, self.plan.structs if self.plan else (), strict=False)
        )

    @cached_property
    def released(self) -> frozenset[int]:
        """The versions to compare: those that must not change, or all of them."""
        unstable = {self.unstable} if self.strict else set[int | None]()
        return frozenset(version for version in self.spec.valid_versions if version not in unstable)

    def location(self, name: str = "") -> Location:
        """The location of a property of the message."""
        return _location(self.spec.file, self.spec.place, name)


def _location(file: str, place: Place | None, name: str) -> Location:
    """The location of property ``name`` of a part of a spec, or of the part itself if it has no such property."""
    if place is None:
        return Location(file, 1, 1)
    position = place.of(name)
    path = below(place.json_path, name) if name in place.properties else place.json_path
    return Location(file, position.line, position.column, path)


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
        """The versions in which bytes of the field carry a tag."""
        return frozenset(version for version, slot in self.slots.items() if slot.tag is not None)


@dataclass(frozen=True, slots=True)
class StructPair:
    """A struct of the old spec and the struct in its place, with the fields of both; ``versions`` are the released ones.

    ``holder`` are the fields that hold it, ``None`` for the message itself; the locations are theirs.
    """

    old: Struct
    new: Struct
    versions: frozenset[int]
    holder: tuple[Field, Field] | None
    fields: tuple[FieldPair, ...]
    removed: tuple[LoneField, ...]
    added: tuple[LoneField, ...]
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
    def compared(self) -> dict[int, int]:
        """The old version that each new one is compared with: itself, or the latest one for a version that is new.

        A new version is expected to be as the latest was, so that a field which ends with that one is reported.
        """
        same = {after: before for before, after in self.numbers.items()}
        if self.old.strict:
            return same
        latest = self.old.spec.valid_versions.highest
        return {version: same.get(version, latest) for version in self.new.spec.valid_versions}


@dataclass(frozen=True, slots=True)
class RemovedMessage:
    """A message that only exists in the old specs."""

    old: Side
