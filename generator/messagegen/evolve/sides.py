"""One side of a comparison: a message, its structs and its fields, as in the spec and as in the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from messagegen.evolve.wire import Slot, slots_of
from messagegen.findings import Location
from messagegen.plan import ops
from messagegen.plan.build import build_plan
from messagegen.spec.field_types import struct_name
from messagegen.spec.model import FieldSpec, MessageSpec


@dataclass(frozen=True, slots=True)
class Field:
    """A field on one side: its position in its struct, its spec, and its plan."""

    number: int
    spec: FieldSpec
    plan: ops.FieldPlan


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct on one side, which may be the message itself.

    ``numbers`` are the positions of the fields, by their names in JSON.
    """

    name: str
    fields: tuple[Field, ...]
    numbers: Mapping[str, int]


def _struct(name: str, specs: Sequence[FieldSpec], plan: ops.StructPlan) -> Struct:
    fields = tuple(
        Field(number, spec, planned) for number, (spec, planned) in enumerate(zip(specs, plan.fields, strict=True))
    )
    return Struct(name, fields, {field.plan.key: field.number for field in fields})


@dataclass(frozen=True)
class Side:
    """A message on one side; ``unstable`` is the version that may still change, or ``None``."""

    spec: MessageSpec
    unstable: int | None = None

    @cached_property
    def plan(self) -> ops.MessagePlan:
        """The plan. Retired messages have no versions and no plan."""
        return build_plan(self.spec)

    @cached_property
    def slots(self) -> list[tuple[Slot, ...]]:
        """The slots of each layout of the plan."""
        return slots_of(self.plan)

    @cached_property
    def structs(self) -> tuple[Struct, ...]:
        """The message itself, then its structs, in the order of the plan; empty for a retired message."""
        if self.spec.valid_versions.empty:
            return ()
        specs = [(self.spec.name, self.spec.fields)]
        specs += [(struct.name, struct.fields) for struct in self.spec.structs]
        return tuple(
            _struct(name, fields, planned) for (name, fields), planned in zip(specs, self.plan.structs, strict=True)
        )

    @cached_property
    def _numbers_of_structs(self) -> dict[str, int]:
        """The numbers of structs in the plan, by name. The message itself is omitted, because no field holds it."""
        return {struct.name: number for number, struct in enumerate(self.spec.structs, 1)}

    def number_of_struct(self, field: FieldSpec) -> int | None:
        """Return the plan's number of the struct that a field holds, alone or in an array; ``None`` for other types."""
        name = struct_name(field.type)
        return None if name is None else self._numbers_of_structs[name]

    @property
    def released(self) -> list[int]:
        """The released versions, which must not change."""
        return [version for version in self.spec.valid_versions if version != self.unstable]

    def location(self, part: MessageSpec | FieldSpec, name: str) -> Location:
        """Return the location of property ``name`` of a part of the spec, or of the part if it lacks the property."""
        place = part.place
        if place is None:
            return Location(self.spec.file, 1, 1)
        position = place.of(name)
        path = place.path(name) if name in place.properties else place.json_path
        return Location(self.spec.file, position.line, position.column, path)
