"""Compares the wire formats of two plans."""

from __future__ import annotations

from collections.abc import Mapping

from messagegen_arrow.advisor.encodings import split
from messagegen_arrow.plans import Codec, Field, Layout, read_plan

FieldEncodings = Mapping[tuple[str, str], str]
"""Struct and key (Kafka's JSON name) of fields to their new encodings."""
WireFormat = tuple[object, ...]
"""The bytes of a struct, a field or a value, with nested structs instead of the numbers of their layouts."""


class IncompatibleError(ValueError):
    """Raised for a changed spec with a wrong wire format; it must not be used."""


def check_new_version(before: str, after: str, encodings: FieldEncodings) -> None:
    """Raises ``IncompatibleError`` unless ``after`` is ``before`` and one more version: the last with these encodings.

    Both are texts of plans; ``encodings`` has struct and key of the fields whose encoding changes. All old versions
    must be the same, fields and bytes.
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
            f"version {latest + 1} would not be version {latest} with other encodings and nothing else; does the spec "
            f"have fields or flexibleVersions that begin with version {latest + 1}? Add that version by hand, and "
            "advise on it"
        )


def layouts(plan_text: str, encodings: FieldEncodings | None = None) -> dict[int, WireFormat]:
    """The wire format by version, independent of the numbers of layouts; with other ``encodings``, if there are any."""
    plan = read_plan(plan_text)
    formats = _Formats(encodings or {})
    for layout in plan.layouts:
        formats.add(layout)
    return {version: formats.known[layout.number] for version, layout in plan.roots.items()}


def _structs(plan_text: str) -> dict[str, list[tuple[object, ...]]]:
    """The fields of each struct as callers see them; their layouts say in which versions they may be null."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for name, struct in read_plan(plan_text).structs.items():
        found[name] = [
            (field.attribute, field.key, field.type, field.default_text, struct.sensitive.get(field.attribute))
            for field in struct.fields.values()
        ]
    return found


class _Formats:
    """The wire formats of a plan's layouts, in their order: a layout only refers to earlier ones."""

    def __init__(self, encodings: FieldEncodings) -> None:
        self.known: list[WireFormat] = []
        self._encodings = encodings

    def add(self, layout: Layout) -> None:
        """Adds the next layout."""
        struct = layout.struct.class_name
        steps = [self._field(struct, *step) for step in layout.steps]
        tagged = [(tag, self._field(struct, *step)) for tag, step in layout.tagged.items()]
        guarded = [field.attribute for field in layout.guarded]
        skipped = [field.attribute for field in layout.skipped]
        self.known.append((struct, layout.flexible, steps, tagged, layout.foreign, guarded, skipped))

    def _field(self, struct: str, field: Field, codec: Codec) -> WireFormat:
        return field.attribute, self._codec(codec, self._encodings.get((struct, field.key)))

    def _codec(self, codec: Codec, encoding: str | None) -> WireFormat:
        """A codec without numbers of layouts, with another encoding of its integers if given."""
        if codec.element:
            return codec.compact, codec.null, self._codec(codec.element, encoding)
        if codec.layout:
            return codec.null, self.known[codec.layout.number]
        if encoding is None:
            return (codec.text,)
        form, width = split(encoding)
        return (f"int{width}" if form == "fixed" else encoding,)
