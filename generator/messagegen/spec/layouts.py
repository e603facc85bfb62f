"""Limits the layouts of a message: a struct has a new layout in each version that changes its bytes.

Code is generated for each layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from messagegen.spec.field_types import struct_name
from messagegen.spec.model import FieldSpec, MessageSpec, StructSpec
from messagegen.spec.rule import Problem, messages, rule, structs, versions_of
from messagegen.versions import VersionRange

MAX_LAYOUT_FIELDS: Final = 20_000
"""The maximum number of fields in all layouts of a message together; they become about 5 MB of code."""


@rule(messages)
def layout_fields_limited(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that the layouts of a message have at most 20,000 fields together.

    A struct has a new layout in each version that changes any of its fields, and code is generated for each layout. For
    example, a thousand fields that were added in a thousand versions would count as a million fields.
    """
    count = layout_fields(spec)
    if count > MAX_LAYOUT_FIELDS:
        message = (
            f"too much code: the layouts of all versions have {count} fields together, more than {MAX_LAYOUT_FIELDS}"
        )
        instead = "drop old versions from validVersions, or split the message"
        yield spec, "validVersions", message, instead


def layout_fields(spec: MessageSpec) -> int:
    """Return the number of fields in all layouts of a message: for each struct, its layouts times its fields."""
    by_name = {struct.name: struct for struct in spec.structs}
    known: dict[str, set[int]] = {}
    count = 0
    for _, struct in structs([spec]):
        changes = _changes(spec, struct, by_name, known) & set(versions_of(spec, struct))
        count += (1 + len(changes)) * len(struct.fields)
    return count


def _changes(
    spec: MessageSpec, struct: StructSpec, by_name: Mapping[str, StructSpec], known: dict[str, set[int]]
) -> set[int]:
    """Return the versions that change the layout of a struct, except its first version."""
    if (found := known.get(struct.name)) is not None:
        return found
    changes = known[struct.name] = set[int]()
    for field in struct.fields:
        for versions in _ranges(spec, field):
            if not versions.empty:
                changes |= {versions.lowest, versions.highest + 1}
        inner = by_name.get(struct_name(field.type) or "")
        if inner is not None:
            changes |= _changes(spec, inner, by_name, known)
    changes.discard(versions_of(spec, struct).lowest)
    return changes


def _ranges(spec: MessageSpec, field: FieldSpec) -> Iterator[VersionRange]:
    """Yield the version ranges that affect the bytes of a field. Its bytes change where a range starts or stops."""
    yield from (spec.flexible_versions, field.versions, field.nullable_versions, field.tagged_versions)
    if field.flexible_versions is not None:
        yield field.flexible_versions
    if field.encodings is not None:
        yield from (versions for versions, _ in field.encodings.entries)
