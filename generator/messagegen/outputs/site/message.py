"""The page of a message: what the template places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from messagegen.explain import explain_body
from messagegen.explain.table import rows
from messagegen.outputs.site.catalog import group_of, page_of
from messagegen.outputs.site.templates import rendered
from messagegen.outputs.site.wire import layouts, structs
from messagegen.plan.by_version import OnWire, on_wire
from messagegen.plan.ops import EmptyValue, FieldPlan, MessagePlan
from messagegen.plan.walkable import walkable
from messagegen.runtime.walk import walk_encode
from messagegen.vectors import SHAPES, too_large
from messagegen.vectors.make import MOST_VALUES
from messagegen.vectors.values import message_of
from messagegen.versions import VersionRange

_BYTES_A_LINE = 16
_EXAMPLE = "A message of made-up values: every field is set, and an array has one or two elements."
_TOO_LARGE = f"Each message of the latest version has more than {MOST_VALUES:,} values."
_SHAPE = next(shape for shape in SHAPES if shape.name == "typical")


@dataclass(frozen=True, slots=True)
class Field:
    """A field; ``versions`` are empty where all versions have it. ``type`` is the text before the ``struct``, if it is one."""

    name: str
    type: str
    struct: tuple[str, ...]
    versions: str
    marks: tuple[str, ...]
    about: str


def message_page(plan: MessagePlan, partner: MessagePlan | None, site: str) -> str:
    """The page of one message."""
    names = {struct.class_name for struct in plan.structs}
    examples = list(_example(plan))
    return rendered(
        "message.html.j2",
        site=site,
        root="../",
        title=f"{plan.name} · {site}",
        name=plan.name,
        about=plan.about,
        group=group_of(plan),
        facts=list(_facts(plan)),
        partners=[(partner.kind, partner.name, page_of(partner).removeprefix("messages/"))] if partner else [],
        structs=[
            (
                struct.class_name,
                struct.about if index else "",
                [_field(field, names, plan.valid_versions) for field in struct.fields],
            )
            for index, struct in enumerate(plan.structs)
        ],
        layouts=[
            ("" if number else "open", _ranges(versions), structs(plan, root))
            for number, (versions, root) in enumerate(layouts(plan))
        ],
        history=list(_history(plan))[::-1],
        examples=examples,
        note=_EXAMPLE if examples else _TOO_LARGE,
    )


def _facts(plan: MessagePlan) -> Iterator[tuple[str, str]]:
    """What is said of a message in short, term by term."""
    valid = plan.valid_versions
    yield "Kind", plan.kind
    if plan.api_key is not None:
        yield "API key" if plan.kind in {"request", "response"} else "Type", str(plan.api_key)
    yield "Versions", str(valid)
    yield "Flexible", "never" if plan.flexible_versions.empty else _shown(plan.flexible_versions, valid)
    if not plan.deprecated_versions.empty:
        yield "Deprecated", str(plan.deprecated_versions)
    if plan.latest_version_unstable:
        yield "Unstable", str(valid.highest)
    if plan.listeners:
        yield "Listeners", ", ".join(plan.listeners)
    if plan.header_versions:
        yield "Header", "; ".join(
            f"{header} for {_shown(versions, valid)}" for versions, header in plan.header_versions
        )


def _field(field: FieldPlan, structs: set[str], valid: VersionRange) -> Field:
    element = field.type.removeprefix("[]")
    versions = "" if field.versions == valid else _shown(field.versions, valid)
    struct = (element,) if element in structs else ()
    type_ = field.type.removesuffix(element) if struct else field.type
    return Field(field.name, type_, struct, versions, tuple(_marks(field, valid)), field.about)


def _marks(field: FieldPlan, valid: VersionRange) -> Iterator[str]:
    for word, versions in (("nullable", field.nullable_versions), (f"tag {field.tag}", field.tagged_versions)):
        if not versions.empty:
            yield word + ("" if versions == field.versions else f" in {_shown(versions, valid)}")
    if field.entity:
        yield field.entity
    words = ("map key", field.map_key), ("ignorable", field.ignorable), ("sensitive", field.sensitive is not None)
    yield from (word for word, holds in words if holds)
    value = field.default
    if value is None:
        yield "default null"
    elif not isinstance(value, EmptyValue) and value and (not isinstance(value, UUID) or value.int):
        yield f"default {json.dumps(value, ensure_ascii=False) if isinstance(value, bool | str) else value!s}"


def _history(plan: MessagePlan) -> Iterator[tuple[int, list[str], list[tuple[str, str]]]]:
    """What each version changed: notes about it as a whole, and fields that were added, removed or changed."""
    headers = {number: header for versions, header in plan.header_versions for number in versions}
    roots, changes = dict(plan.roots), _changes(plan)
    for version in plan.valid_versions:
        before, notes = version - 1, list[str]()
        if version > plan.valid_versions.lowest:
            if version in plan.flexible_versions and before not in plan.flexible_versions:
                notes.append("Flexible since this version: compact lengths, and tagged fields in every struct.")
            elif roots[version] == roots[before]:
                notes.append(f"The same bytes as version {before}.")
            if headers.get(version) != headers.get(before):
                notes.append(f"Sent with header version {headers.get(version)}.")
        notes += ["Deprecated."] * (version in plan.deprecated_versions)
        unstable = plan.latest_version_unstable and version == plan.valid_versions.highest
        yield version, [*notes, *["Unstable: it may still change."] * unstable], changes[version]


def _changes(plan: MessagePlan) -> dict[int, list[tuple[str, str]]]:
    """What each version changed in fields, which are named with their struct; a struct that is new or gone is so as a whole."""
    found: dict[int, list[tuple[str, str]]] = {version: [] for version in plan.valid_versions}
    for index, struct in enumerate(plan.structs):
        fields = on_wire(plan, index)
        known = {version for of_field in fields.values() for version in of_field}
        for version in list(plan.valid_versions)[1:]:
            if not index or {version, version - 1} <= known:
                for number, field in enumerate(struct.fields):
                    both = fields[number].get(version - 1), fields[number].get(version)
                    found[version] += ((kind, f"{struct.name}.{field.name}: {text}") for kind, text in _change(*both))
    return found


def _change(before: OnWire | None, now: OnWire | None) -> Iterator[tuple[str, str]]:
    if before is None or now is None:
        if before != now:
            yield ("added", now.type) if now else ("removed", before.type if before else "")
        return
    if before.type != now.type:
        yield "changed", f"{now.type}, not {before.type}"
    for word, was, is_now in (
        ("nullable", before.nullable, now.nullable),
        ("a tagged field", before.tagged, now.tagged),
    ):
        if was != is_now:
            yield "changed", f"{'now' if is_now else 'no longer'} {word}"


def _example(plan: MessagePlan) -> Iterator[tuple[int, int, str, list[Any]]]:
    """A message of made-up values in the latest version: its version, size, bytes as a dump, and parts; none if it is too large."""
    version = plan.valid_versions.highest
    if version in too_large(plan):
        return
    source = walkable(plan)
    data = walk_encode(source, message_of(_SHAPE, source.roots[version]), version)
    dump = "\n".join(f"{at:04x}  {data[at : at + _BYTES_A_LINE].hex(' ')}" for at in range(0, len(data), _BYTES_A_LINE))
    # The first row is the message as a whole, which has no bytes of its own. The values are made up, so that none is hidden.
    yield version, len(data), dump, list(rows(explain_body(data, source, version, sensitive=True), full=True))[1:]


def _shown(versions: VersionRange, valid: VersionRange) -> str:
    """Versions as Kafka writes them: those up to the last valid one without an end."""
    return f"{versions.lowest}+" if versions.lowest < versions.highest == valid.highest else str(versions)


def _ranges(versions: tuple[int, ...]) -> str:
    """Ascending versions in the fewest ranges, as ``Versions 0-2, 5``."""
    starts = [version for version in versions if version - 1 not in versions]
    ends = [version for version in versions if version + 1 not in versions]
    texts = [str(start) if start == end else f"{start}-{end}" for start, end in zip(starts, ends, strict=True)]
    return f"Version{'s' * (len(versions) > 1)} {', '.join(texts)}"
