"""Compares the wire formats of two plans."""

from __future__ import annotations

from collections.abc import Mapping

from messagegen_arrow.advisor.encodings import split
from messagegen_arrow.plans import Codec, Field, Layout, read_plan

Bytes = tuple[object, ...]
"""The wire format of a struct, with nested structs instead of the numbers of their layouts."""


class IncompatibleError(ValueError):
    """Raised for a changed spec with a wrong wire format; it must not be used."""


def check_new_version(before: str, after: str, encodings: Mapping[tuple[str, str], str]) -> None:
    """Raises ``IncompatibleError`` unless ``after`` only adds one version to the plan ``before``: the last one with these encodings.

    ``encodings`` has struct and key of the fields whose encoding changes. All old versions must be the same, fields and bytes.
    """
    if _structs(before) != _structs(after):
        raise IncompatibleError("the fields of the message, their types or their defaults have changed")
    old, new = layouts(before), layouts(after)
    latest = max(old)
    for version, layout in old.items():
        if new.get(version) != layout:
            raise IncompatibleError(f"version {version} would be read and written differently")
    if max(new) != latest + 1:
        raise IncompatibleError(f"the new version is not {latest + 1}")
    if new[latest + 1] != layouts(before, encodings)[latest]:
        raise IncompatibleError(
            f"version {latest + 1} would not be version {latest} with other encodings and nothing else; does the spec have fields "
            f"or flexibleVersions that begin with version {latest + 1}? Add that version by hand, and advise on it"
        )


def layouts(plan_text: str, encodings: Mapping[tuple[str, str], str] | None = None) -> dict[int, Bytes]:
    """The wire format by version, independent of the numbers of layouts; with other ``encodings``, if there are any."""
    plan = read_plan(plan_text)
    known: list[Bytes] = []
    for layout in plan.layouts:
        known.append(_bytes(layout, known, encodings or {}))
    return {version: known[layout.number] for version, layout in plan.roots.items()}


def _structs(plan_text: str) -> dict[str, list[tuple[object, ...]]]:
    """The fields of each struct as callers see them; their layouts say in which versions they may be null."""
    return {
        name: [
            (
                field.attribute,
                field.key,
                field.type,
                field.default_text,
                struct.sensitive.get(field.attribute),
            )
            for field in struct.fields.values()
        ]
        for name, struct in read_plan(plan_text).structs.items()
    }


def _bytes(layout: Layout, known: list[Bytes], encodings: Mapping[tuple[str, str], str]) -> Bytes:
    struct = layout.struct.class_name

    def codec_of(field: Field, codec: Codec) -> tuple[object, ...]:
        return field.attribute, _codec(codec, known, encodings.get((struct, field.key)))

    steps = [codec_of(*step) for step in layout.steps]
    tagged = [(tag, *codec_of(*step)) for tag, step in layout.tagged.items()]
    absent = ([field.attribute for field in fields] for fields in (layout.guarded, layout.skipped))
    return struct, layout.flexible, steps, tagged, layout.foreign, *absent


def _codec(codec: Codec, known: list[Bytes], encoding: str | None) -> tuple[object, ...]:
    """A codec without numbers of layouts, with another encoding of its integers if given."""
    if codec.element:
        return codec.compact, codec.null, _codec(codec.element, known, encoding)
    if codec.layout:
        return codec.null, known[codec.layout.number]
    if encoding is None:
        return (codec.text,)
    form, width = split(encoding)
    return (f"int{width}" if form == "fixed" else encoding,)
