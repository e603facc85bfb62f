"""Builds plans from specs: the wire format of each version.

The rules follow Apache's ``MessageDataGenerator``: presence, nullability and flexibility depend on the message's
version, clamped to the versions of the struct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from messagegen import names
from messagegen.plan import ops
from messagegen.plan.charges import with_charges
from messagegen.primitives import INTEGER_OF_WIDTH, Primitive
from messagegen.spec.field_types import element_or_self
from messagegen.spec.meanings import address_of, entity_by, entity_of
from messagegen.spec.model import (
    ArrayType,
    EmptyDefault,
    Encoding,
    EncodingForm,
    EntityType,
    FieldSpec,
    MessageSpec,
    StructSpec,
    StructType,
)
from messagegen.spec.rule import versions_of
from messagegen.spec.sensitive import sensitive_by, sensitive_structs
from messagegen.versions import VersionRange, ranges_of


def build_plan(spec: MessageSpec) -> ops.MessagePlan:
    """Return the plan of a message. ``spec`` must have no errors and at least one valid version."""
    return with_charges(_Builder(spec).build())


class _Builder:
    """Collects the layouts of one message; equal layouts are stored once."""

    def __init__(self, spec: MessageSpec) -> None:
        self.spec = spec
        root = StructSpec(spec.name, spec.valid_versions, spec.valid_versions, spec.fields, about=spec.about)
        self.structs = (root, *spec.structs)
        self.classes = names.class_names(struct.name for struct in self.structs)
        self.index_of = {struct.name: index for index, struct in enumerate(self.structs) if index}
        self.about_of_holder = _abouts(self.structs)
        self.holder_of = _holders(self.structs)
        self.sensitive = sensitive_structs(spec.name, self.structs)
        self.layouts: dict[ops.Layout, int] = {}
        self.seen: dict[tuple[int, int], int] = {}

    def build(self) -> ops.MessagePlan:
        spec = self.spec
        # This comes first, because building the layouts of the message itself also collects all other layouts.
        roots = tuple((version, self.layout(0, version)) for version in spec.valid_versions)
        return ops.MessagePlan(
            name=spec.name,
            module=names.module_name(spec.name),
            kind=spec.kind.value,
            about=spec.about,
            api_key=spec.api_key,
            valid_versions=spec.valid_versions,
            flexible_versions=spec.flexible_versions.intersect(spec.valid_versions),
            deprecated_versions=spec.deprecated_versions.intersect(spec.valid_versions),
            latest_version_unstable=spec.latest_version_unstable,
            listeners=spec.listeners,
            header_versions=tuple(self.header_versions()),
            structs=tuple(self.struct_plan(index) for index in range(len(self.structs))),
            layouts=tuple(self.finished_layouts()),
            roots=roots,
        )

    def header_versions(self) -> Iterator[tuple[VersionRange, int]]:
        """Yield the ranges of valid message versions, each with its header version (KIP-1313)."""
        header = self.spec.header_versions
        for versions, number in header.entries if header else ():
            valid = versions.intersect(self.spec.valid_versions)
            if not valid.empty:
                yield valid, number

    def struct_plan(self, index: int) -> ops.StructPlan:
        struct = self.structs[index]
        attribute_of = _attribute_of(struct.fields)
        return ops.StructPlan(
            name=struct.name,
            class_name=self.classes[index],
            about=struct.about or self.about_of_holder.get(struct.name, ""),
            fields=tuple(self.field_plan(struct, field, attribute_of) for field in struct.fields),
            address=self.address_plan(struct, attribute_of),
        )

    def address_plan(self, struct: StructSpec, attribute_of: Mapping[str, str]) -> ops.AddressPlan | None:
        holder, held_by = self.holder_of.get(struct.name, (None, None))
        above = () if holder is None else holder.fields
        address = address_of(self.spec.name, struct.fields, above, held_by)
        if address is None:
            return None
        node_id = address.node_id
        if node_id is not None:
            node_id = _attribute_of(above)[node_id] if address.held else attribute_of[node_id]
        return ops.AddressPlan(attribute_of[address.host], attribute_of[address.port], node_id, address.held)

    def field_plan(self, struct: StructSpec, field: FieldSpec, attribute_of: Mapping[str, str]) -> ops.FieldPlan:
        deciders = () if struct.name in self.sensitive else sensitive_by(self.spec.name, struct.fields, field)
        entity = entity_of(self.spec.name, struct.name, field)
        versions = versions_of(self.spec, struct).intersect(field.versions)
        return ops.FieldPlan(
            name=field.name,
            attribute=attribute_of[field.name],
            key=names.json_name(field.name),
            type=self.type_text(field),
            default=_default(field),
            about=field.about,
            entity="" if entity is EntityType.UNKNOWN else entity.value,
            entity_by=self.entity_by_plan(struct, field, attribute_of),
            map_key=field.map_key,
            sensitive=None if deciders is None else tuple(attribute_of[name] for name in deciders),
            versions=versions,
            nullable_versions=field.nullable_versions.intersect(versions),
            tagged_versions=field.tagged_versions.intersect(versions),
            tag=field.tag,
            ignorable=field.ignorable,
        )

    def entity_by_plan(
        self, struct: StructSpec, field: FieldSpec, attribute_of: Mapping[str, str]
    ) -> ops.EntityByPlan | None:
        found = entity_by(self.spec.name, struct.fields, field)
        if found is None:
            return None
        decider = names.snake_case(found.decider) if found.request else attribute_of[found.decider]
        types = tuple((value, entity.value) for value, entity in found.types.items())
        return ops.EntityByPlan(decider, types, found.request, found.wildcard)

    def type_text(self, field: FieldSpec) -> str:
        if isinstance(field.type, ArrayType):
            return f"[]{self.element_text(field.type.element)}"
        return self.element_text(field.type)

    def element_text(self, type_: Primitive | StructType) -> str:
        if isinstance(type_, Primitive):
            return type_.name
        return self.classes[self.index_of[type_.name]]

    def layout(self, struct_index: int, version: int) -> int:
        """Return the index of the struct's layout in a version of the message."""
        if (known := self.seen.get((struct_index, version))) is not None:
            return known
        struct = self.structs[struct_index]
        nearest = struct.versions.intersect(struct.parent_versions).clamp(version)
        layout = self.new_layout(struct_index, nearest)
        self.seen[struct_index, version] = index = self.layouts.setdefault(layout, len(self.layouts))
        return index

    def new_layout(self, struct_index: int, version: int) -> ops.Layout:
        plain: list[ops.FieldStep] = []
        tagged: list[ops.TaggedField] = []
        foreign: list[int] = []
        guarded: list[int] = []
        ignored: list[int] = []
        flexible = version in self.spec.flexible_versions
        for number, field in enumerate(self.structs[struct_index].fields):
            is_tagged = field.tag is not None and version in field.tagged_versions
            if field.tag is not None and flexible and not is_tagged:
                foreign.append(field.tag)
            if version not in field.versions:
                if field.ignorable:
                    ignored.append(number)
                else:
                    guarded.append(number)
                self.absent(field, version)
            elif is_tagged:
                assert field.tag is not None
                tagged.append(ops.TaggedField(field.tag, number, self.codec(field, version, tagged=True)))
            else:
                plain.append(ops.FieldStep(number, self.codec(field, version, tagged=False)))
        return ops.Layout(
            struct=struct_index,
            versions=(),
            steps=tuple(_fused(plain)),
            flexible=flexible,
            tagged=tuple(sorted(tagged, key=lambda field: field.tag)),
            foreign_tags=tuple(sorted(foreign)),
            guarded=tuple(guarded),
            ignored=tuple(ignored),
        )

    def absent(self, field: FieldSpec, version: int) -> None:
        """Plan the layout of a common struct for a version without ``field``, which holds the struct.

        As in Apache's classes, JSON of that version may contain the field anyway.
        """
        element = field.type.element if isinstance(field.type, ArrayType) else field.type
        if isinstance(element, StructType) and self.structs[self.index_of[element.name]].common:
            self.layout(self.index_of[element.name], version)

    def codec(self, field: FieldSpec, version: int, *, tagged: bool) -> ops.Codec:
        flexible_versions = self.spec.flexible_versions if field.flexible_versions is None else field.flexible_versions
        compact = version in flexible_versions
        nullable = version in field.nullable_versions
        encoding = field.encodings.get(version) if field.encodings else None
        if isinstance(field.type, ArrayType):
            element = self.element_codec(field.type.element, encoding, version, compact=compact)
            return ops.ArrayCodec(element, compact, nullable)
        return self.element_codec(field.type, encoding, version, compact=compact, nullable=nullable, tagged=tagged)

    def element_codec(
        self,
        type_: Primitive | StructType,
        encoding: Encoding | None,
        version: int,
        *,
        compact: bool,
        nullable: bool = False,
        tagged: bool = False,
    ) -> ops.ElementCodec:
        if isinstance(type_, StructType):
            return ops.StructCodec(self.layout(self.index_of[type_.name], version), nullable, tagged)
        if not type_.size:
            return ops.VariableCodec(type_.name, compact, nullable)
        if encoding is None:
            return ops.FixedCodec(type_.name)
        match encoding.form:
            case EncodingForm.FIXED:
                return ops.FixedCodec(INTEGER_OF_WIDTH[encoding.bits].name)
            case EncodingForm.PACKED:
                return ops.VarintCodec("packed", encoding.bits)
            case EncodingForm.UPACKED:
                return ops.VarintCodec("upacked", encoding.bits)

    def finished_layouts(self) -> Iterator[ops.Layout]:
        versions: dict[int, list[int]] = {}
        for (_, version), index in self.seen.items():
            versions.setdefault(index, []).append(version)
        for layout, index in self.layouts.items():
            yield replace(layout, versions=tuple(ranges_of(versions[index])))


def _abouts(structs: Sequence[MessageSpec | StructSpec]) -> dict[str, str]:
    """Return a fallback for the about text of each struct: the about text of the first field that holds the struct."""
    abouts: dict[str, str] = {}
    for struct in structs:
        for field in struct.fields:
            if not field.about.split():
                continue
            if isinstance(field.type, StructType):
                abouts.setdefault(field.type.name, field.about)
            elif isinstance(field.type, ArrayType) and isinstance(field.type.element, StructType):
                abouts.setdefault(field.type.element.name, f"Element of {field.name}: {field.about}")
    return abouts


def _holders(structs: Sequence[StructSpec]) -> dict[str, tuple[StructSpec, str]]:
    """Return the enclosing struct and the field's name for each struct that only one field holds."""
    found: dict[str, list[tuple[StructSpec, str]]] = {}
    for struct in structs:
        for field in struct.fields:
            element = element_or_self(field.type)
            if isinstance(element, StructType):
                found.setdefault(element.name, []).append((struct, field.name))
    return {name: holders[0] for name, holders in found.items() if len(holders) == 1}


def _attribute_of(fields: Sequence[FieldSpec]) -> dict[str, str]:
    """Return the attribute of each field of a struct, by field name."""
    attributes = names.attribute_names(field.name for field in fields)
    return {field.name: attribute for field, attribute in zip(fields, attributes, strict=True)}


def _fused(steps: list[ops.FieldStep]) -> Iterator[ops.Step]:
    """Merge adjacent fields of constant size into runs, which take one call instead of one per field."""
    for is_fixed, group in groupby(steps, lambda step: isinstance(step.codec, ops.FixedCodec)):
        if is_fixed:
            yield ops.RunStep(tuple(group))
        else:
            yield from group


def _default(field: FieldSpec) -> ops.PlanDefault:
    if not isinstance(field.default, EmptyDefault):
        return field.default
    return ops.EMPTY_ARRAY if isinstance(field.type, ArrayType) else ops.EMPTY_STRUCT
