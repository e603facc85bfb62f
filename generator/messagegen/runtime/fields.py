"""Field descriptions: ``FieldInfo`` for programs, documentation for ``help``.

Loaded on first use.
"""

from __future__ import annotations

import builtins
import sys
import textwrap
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

from .plan import read_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .plan import Codec, Field, Layout, Plan, StructPlan

_WIDTH = 100
_TAGS = "unknown_tagged_fields"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldInfo:
    """A field of a message or struct in one version of the message.

    ``name`` is the attribute, such as ``leader_id``. ``key`` is the JSON key, such as ``leaderId``: the name in the
    spec with a lower-case first letter. ``type`` is the type in the spec, such as ``int32`` or ``[]string``, but a
    struct has the name of its class.
    """

    name: str
    key: str
    type: str
    struct: builtins.type[Any] | None
    """The class of the struct, or of the structs in an array; otherwise ``None``."""
    fields: tuple[FieldInfo, ...]
    """The fields of ``struct`` in the same version of the message, in wire order; empty for other types."""
    tag: int | None
    """The number of a tagged field (KIP-482); ``None`` for a field that is always on the wire."""
    nullable: bool
    """Whether this version can hold null."""
    entity_type: str
    """Kafka's ``entityType``, such as ``topicName``; empty if the spec has none."""
    default: Any
    """The value of the field in a message that does not set the field."""
    ignorable: bool
    """Whether versions without the field drop its value. If not, encoding in such a version refuses the value."""
    about: str
    """The description in the spec."""

    @property
    def is_array(self) -> bool:
        """Whether the field is an array."""
        return self.type.startswith("[]")

    @property
    def element_type(self) -> str:
        """The type of the elements if the field is an array, otherwise the field's own type."""
        return self.type.removeprefix("[]")


def fields_of(plan: Plan, version: int) -> tuple[FieldInfo, ...]:
    """Return the fields of a message in a valid version, in wire order: tagged fields come last, sorted by tag."""
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


def document(cls: type[Any], summary: str) -> str:
    """Return the docstring of a class with its fields. ``summary`` is the docstring in the source code."""
    names = [name for name in cls.__defaults__ if name != _TAGS]
    if not names:
        return summary
    return "\n".join([cleandoc(summary), "", "Fields:", *_fields(cls, names)])


def _fields(cls: type[Any], names: list[str]) -> Iterator[str]:
    text = getattr(sys.modules.get(cls.__module__), "_PLAN", None)
    plan = read_plan(text) if text else None
    struct = plan.structs.get(cls.__name__) if plan else None
    annotations = _annotations(cls)
    for name in names:
        yield f"    {name}: {annotations.get(name, '')} = {_shown(cls.__defaults__[name])}"
        if plan and struct and name in struct.fields:
            about = [struct.fields[name].about, *facts(plan, struct, name)]
            hidden = ["Sensitive: repr and errors don't show it."] if name in cls.SENSITIVE else []
            yield from _wrapped(" ".join(filter(None, [*about, *hidden])))


def _shown(default: object) -> str:
    """Return a default as Python code; a struct is shown without its fields."""
    struct = type(default)
    return f"{struct.__name__}()" if hasattr(struct, "__defaults__") else repr(default)


def _wrapped(text: str) -> list[str]:
    margin = " " * 8
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _annotations(cls: type[Any]) -> dict[str, str]:
    """Return the field types as text, with names as users import them instead of the module's private aliases."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        own: dict[str, Any] = getattr(base, "__annotations__", {})
        found.update({name: str(text).replace("_builtins.", "").replace("_UUID", "UUID") for name, text in own.items()})
    return found


def facts(plan: Plan, struct: StructPlan, attribute: str) -> Iterator[str]:
    """Yield sentences about a field: its versions, its nullable versions, and its tag."""
    layouts = [layout for layout in plan.layouts if layout.struct is struct]
    present = [layout for layout in layouts if attribute in layout.codecs]
    if len(present) < len(layouts):
        yield f"In {_versions(plan, present)}."
    nullable = [layout for layout in present if layout.codecs[attribute].null]
    if nullable:
        yield "May be null." if len(nullable) == len(present) else f"May be null in {_versions(plan, nullable)}."
    tagged = [layout for layout in present if attribute in layout.optional]
    for layout in tagged[:1]:
        tag = next(tag for tag, (field, _) in layout.tagged.items() if field.attribute == attribute)
        yield f"Tag {tag}." if len(tagged) == len(present) else f"Tag {tag} in {_versions(plan, tagged)}."


def _versions(plan: Plan, layouts: list[Layout]) -> str:
    """Return the versions of layouts, such as ``versions 0-2, 5+``."""
    versions = sorted({version for layout in layouts for version in layout.versions})
    last = plan.valid_versions[-1]
    runs: list[list[int]] = []
    for version in versions:
        if runs and runs[-1][1] == version - 1:
            runs[-1][1] = version
        else:
            runs.append([version, version])
    texts = [_version_range(low, high, last) for low, high in runs]
    unit = "versions" if len(versions) > 1 else "version"
    return f"{unit} {', '.join(texts) or 'none'}"


def _version_range(low: int, high: int, last: int) -> str:
    if high == last:
        return f"{low}+"
    return f"{low}-{high}" if low < high else str(low)
