"""The fields of a message in one version, as data.

Programs ask for them that turn messages into objects of other classes, or that handle messages they don't know.

Loaded on first use.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .plan import Codec, Field, Layout, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldInfo:
    """A field of a message or struct in one version of the message.

    ``name`` is the attribute, such as ``leader_id``; ``key`` is the key in JSON, such as ``leaderId``, which is the
    name in the spec with a lower-case first letter. ``type`` is the type in the spec, such as ``int32`` or
    ``[]string``, with the names of classes for structs.
    """

    name: str
    key: str
    type: str
    struct: builtins.type[Any] | None
    """The class of the struct, or of the structs in an array; otherwise ``None``."""
    fields: tuple[FieldInfo, ...]
    """The fields of that struct in the same version of the message, in wire order; empty for other types."""
    tag: int | None
    """The number of a tagged field (KIP-482); ``None`` for a field that is always on the wire."""
    nullable: bool
    """Whether this version can hold null."""
    entity_type: str
    """Kafka's ``entityType``, such as ``topicName``; empty if the spec does not say what the values name."""
    default: Any
    """The value of the field in a message that does not set it."""
    ignorable: bool
    """Whether versions without the field drop its value. In other versions without it, encoding refuses the value."""
    about: str
    """The description in the spec."""

    @property
    def is_array(self) -> bool:
        """Whether the field is an array."""
        return self.type.startswith("[]")

    @property
    def element_type(self) -> str:
        """The type of an array's elements; of another field, its type."""
        return self.type.removeprefix("[]")


def fields_of(plan: Plan, version: int) -> tuple[FieldInfo, ...]:
    """The fields of a message in a valid version, in wire order: tagged fields are last, by tag."""
    return _layout_fields(plan, plan.roots[version])


def _layout_fields(plan: Plan, layout: Layout) -> tuple[FieldInfo, ...]:
    always = [_field_info(plan, field, codec, tag=None) for field, codec in layout.steps]
    tagged = [_field_info(plan, field, codec, tag=tag) for tag, (field, codec) in layout.tagged.items()]
    return (*always, *tagged)


def _field_info(plan: Plan, field: Field, codec: Codec, *, tag: int | None) -> FieldInfo:
    value = codec.element or codec
    return FieldInfo(
        name=field.attribute,
        key=field.key,
        type=field.type,
        struct=value.layout.cls if value.layout else None,
        fields=_layout_fields(plan, value.layout) if value.layout else (),
        tag=tag,
        nullable=codec.null > 0,
        entity_type=field.entity,
        default=field.default,
        ignorable=any(field in layout.skipped for layout in plan.layouts),
        about=field.about,
    )
