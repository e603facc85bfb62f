"""The structs of a message with their fields, as callers see them in all versions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from markupsafe import Markup, escape

from messagegen.outputs.site.templates import linked
from messagegen.outputs.site.wire import anchor, shown
from messagegen.plan.ops import EmptyValue, FieldPlan, MessagePlan, PlanDefault, StructPlan
from messagegen.versions import VersionRange


@dataclass(frozen=True, slots=True)
class Field:
    """A field; ``first`` and ``last`` are the versions that have it, ``versions`` says so where not all of them do.

    ``default`` and ``about`` hold one text or none.
    """

    anchor: str
    name: str
    type: Markup
    marks: tuple[str, ...]
    versions: str
    first: int
    last: int
    default: tuple[str, ...]
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct, and the id of its table."""

    anchor: str
    name: str
    about: tuple[str, ...]
    fields: tuple[Field, ...]


def structs(plan: MessagePlan) -> list[Struct]:
    """The structs of a message, the message itself first."""
    names = {struct.class_name for struct in plan.structs}
    return [
        Struct(
            anchor=f"struct-{struct.class_name}",
            name=struct.class_name,
            about=texts(struct.about if index else ""),
            fields=tuple(_field(struct, field, names, plan.valid_versions) for field in struct.fields),
        )
        for index, struct in enumerate(plan.structs)
    ]


def texts(text: str) -> tuple[str, ...]:
    """A text for a template that shows it if it is not empty."""
    return (text,) if text.split() else ()


def _field(struct: StructPlan, field: FieldPlan, structs: set[str], valid: VersionRange) -> Field:
    element = field.type.removeprefix("[]")
    return Field(
        anchor=anchor(struct, field),
        name=field.name,
        type=escape(field.type.removesuffix(element)) + linked(element, f"#struct-{element}" * (element in structs)),
        marks=tuple(_marks(field, valid)),
        versions="" if field.versions == valid else shown(field.versions, valid),
        first=field.versions.lowest,
        last=field.versions.highest,
        default=texts(_default(field.default)),
        about=texts(field.about),
    )


def _marks(field: FieldPlan, valid: VersionRange) -> Iterator[str]:
    for word, versions in (("nullable", field.nullable_versions), (f"tag {field.tag}", field.tagged_versions)):
        if not versions.empty:
            yield word + ("" if versions == field.versions else f" in {shown(versions, valid)}")
    if field.entity:
        yield field.entity
    words = (
        ("map key", field.map_key),
        ("ignorable", field.ignorable),
        ("zero-copy", field.zero_copy),
        ("sensitive", field.sensitive is not None),
    )
    yield from (word for word, present in words if present)


def _default(value: PlanDefault) -> str:
    """A default as a spec writes it; empty for the empty array, struct and string, and for false and zero."""
    if value is None:
        return "null"
    if isinstance(value, EmptyValue) or not value or (isinstance(value, UUID) and not value.int):
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | str) else str(value)
