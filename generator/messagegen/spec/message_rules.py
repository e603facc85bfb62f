"""The rules of Apache's generator for a message as a whole, and for its structs.

Upstream: ``MessageSpec``, ``MessageDataGenerator``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from messagegen.findings import quoted
from messagegen.spec.field_types import TYPE_NAMES, meant_type, struct_name
from messagegen.spec.header_versions import API_VERSIONS, FLEXIBLE_HEADER
from messagegen.spec.model import ArrayType, FieldSpec, MessageKind, MessageSpec, StructSpec
from messagegen.spec.report import did_you_mean
from messagegen.spec.rule import Problem, messages, rule, structs, versions_of, written
from messagegen.versions import VersionRange

MAX_STRUCT_DEPTH: Final = 50
"""The maximum nesting depth of common structs, because generated code nests its calls as deeply."""

_WITH_API_KEY: Final = (
    MessageKind.REQUEST,
    MessageKind.RESPONSE,
    MessageKind.COORDINATOR_KEY,
    MessageKind.COORDINATOR_VALUE,
)
_HIGHEST_HEADER: Final = {
    MessageKind.REQUEST: 3,
    MessageKind.RESPONSE: 1,
}
_ONLY_ON: Final = {
    "listeners": (MessageKind.REQUEST,),
    "latestVersionUnstable": (MessageKind.REQUEST,),
    "headerVersions": (MessageKind.REQUEST, MessageKind.RESPONSE),
}


@rule(messages)
def message_valid_versions_closed(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that validVersions is not open-ended."""
    valid = spec.valid_versions
    if valid.open_ended:
        instead = f'write "{valid.lowest}-N", where N is the latest version'
        yield spec, "validVersions", f"valid versions {valid} are open-ended", instead


@rule(messages, allowed_in_releases=True)
def message_flexible_versions_written(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a message states which of its versions are flexible.

    Kafka 2.4 to 2.8 omit flexibleVersions in messages without flexible versions; later generators require it.
    """
    if not written(spec, "flexibleVersions"):
        message = 'missing property "flexibleVersions", so no version is flexible'
        yield spec, "flexibleVersions", message, 'write "flexibleVersions": "0+" for a new message, or "none"'


@rule(messages)
def message_flexible_versions_open_ended(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a message stays flexible in all versions after its first flexible version."""
    flexible = spec.flexible_versions
    if not flexible.empty and not flexible.open_ended:
        message = f"flexible versions {flexible} must be open-ended"
        yield spec, "flexibleVersions", message, f'write "{flexible.lowest}+" or "none"'


@rule(messages)
def message_deprecated_versions_within_valid(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that the deprecated versions of a message are valid versions."""
    valid, deprecated = spec.valid_versions, spec.deprecated_versions
    if deprecated.lowest > valid.highest or not (deprecated.open_ended or valid.covers(deprecated)):
        message = f"deprecated versions {deprecated} are outside the valid versions, {valid}"
        both = deprecated.intersect(valid)
        instead = "remove deprecatedVersions" if both.empty else f'write "{both}", or make all of these versions valid'
        yield spec, "deprecatedVersions", message, instead


@rule(messages)
def api_key_written(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that requests, responses, coordinator keys and coordinator values have an API key."""
    if spec.kind in _WITH_API_KEY and spec.api_key is None:
        instead = 'write the number of the request or of the type of record, such as "apiKey": 1000'
        yield spec, "apiKey", f"missing API key of {spec.kind.value} {quoted(spec.name)}", instead


@rule(messages)
def property_fits_message_type(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that only requests have listeners or latestVersionUnstable, and only they and responses headerVersions."""
    unused = {"listeners": not spec.listeners, "latestVersionUnstable": not spec.latest_version_unstable}
    for name, kinds in _ONLY_ON.items():
        if written(spec, name) and spec.kind not in kinds and not unused.get(name):
            message = f"{name} is not allowed on a message of type {spec.kind.value}"
            yield spec, name, message, f"remove {name}"


@rule(messages)
def coordinator_key_version_zero(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a coordinator key has only version 0, and that this version is not flexible."""
    if spec.kind is not MessageKind.COORDINATOR_KEY:
        return
    if spec.valid_versions != VersionRange(0, 0):
        message = f"a coordinator-key must have only version 0, not {spec.valid_versions}"
        yield spec, "validVersions", message, 'write "validVersions": "0"; a new layout needs a new API key'
    if not spec.flexible_versions.empty:
        message = "a coordinator-key can't have flexible versions"
        yield spec, "flexibleVersions", message, 'write "flexibleVersions": "none"'


@rule(messages)
def header_version_fits(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that header versions exist, never decrease, and are flexible for flexible versions."""
    if not written(spec, "headerVersions") or spec.kind not in FLEXIBLE_HEADER or spec.header_versions is None:
        return
    flexible = spec.valid_versions.intersect(spec.flexible_versions)
    is_api_versions = spec.kind is MessageKind.RESPONSE and spec.api_key == API_VERSIONS
    needed = 0 if is_api_versions else FLEXIBLE_HEADER[spec.kind]
    highest = _HIGHEST_HEADER[spec.kind]
    before = 0
    for versions, header in spec.header_versions.entries:
        lowest = before if versions.intersect(flexible).empty else max(before, needed)
        if not lowest <= header <= highest:
            message = f"header version {header} does not fit versions {versions} of a {spec.kind.value}"
            numbers = " or ".join(str(number) for number in range(lowest, highest + 1))
            instead = f"write {numbers} for {versions}; flexible versions have at least {needed}"
            yield spec, "headerVersions", message, instead
            return
        before = header


@rule(messages)
def map_key_inside_struct(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that no top-level field of a message is a map key."""
    for field in spec.fields:
        if field.map_key:
            yield field, "mapKey", "a top-level field of a message can't be a map key", "remove mapKey"


@rule(messages)
def struct_name_unique(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a struct is defined once in a message, and not named like the message."""
    known = {spec.name}
    common = _common(spec)
    for struct in spec.structs:
        if struct.common and (struct.name == spec.name or struct is not common[struct.name]):
            yield struct, "name", *_duplicate_struct(spec, struct.name, "define it once, or rename the second one")
    defined = _defined_in_fields(spec)
    for field in _fields_outside_common(spec):
        name = struct_name(field.type)
        if name is None or (name in common and not field.fields):
            continue
        if name in known or name in common or (name in defined and not written(field, "fields")):
            instead = "define it once, in commonStructs, or rename the second one"
            if name in common:
                instead = "remove fields"
            yield field, "type", *_duplicate_struct(spec, name, instead)
        else:
            known.add(name)


def _duplicate_struct(spec: MessageSpec, name: str, instead: str) -> tuple[str, str]:
    """Return the message and the advice about a duplicate struct."""
    if name == spec.name:
        return f"duplicate struct {quoted(name)}: the message has the same name", "rename the struct"
    return f"duplicate struct {quoted(name)}", instead


@rule(messages)
def struct_not_inside_common_struct(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that common structs contain only common structs."""
    common = _common(spec)
    for struct in common.values():
        for field in struct.fields:
            name = struct_name(field.type)
            if name is not None and name not in common:
                message = f"struct {quoted(name)} is not a common struct, but is used inside one"
                # Do not suggest a struct that contains this one, because both would become recursive.
                others = tuple(other for other in common if struct.name not in _inside(common, [other]))
                near = did_you_mean(name, others) if others else ""
                known = f"{near} Otherwise define" if near.startswith("did you mean") else "define"
                yield field, "type", message, f"{known} {quoted(name)} in commonStructs"


@rule(messages, allowed_in_releases=True)
def struct_defined(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a field whose type is a struct lists its fields, or names a common struct.

    Old generators read an undefined struct as one without fields.
    """
    common = _common(spec)
    defined = tuple(sorted(_defined_in_fields(spec)))
    for field in _fields_outside_common(spec):
        name = struct_name(field.type)
        if name is not None and name not in common and not written(field, "fields"):
            yield field, "type", f"undefined struct {quoted(name)}", _struct_advice(field, name, tuple(common), defined)


def _struct_advice(field: FieldSpec, name: str, common: tuple[str, ...], defined: tuple[str, ...]) -> str:
    """Return the advice for an undefined struct; ``defined`` are the structs that other fields define."""
    array = "[]" if isinstance(field.type, ArrayType) else ""
    own = f'write its "fields" here, [] if it has none, or define {quoted(name)} in commonStructs'
    meant = meant_type(name)
    if meant is not None:
        return f"did you mean {quoted(array + meant)}? Otherwise {own}"
    known = tuple(f"{array}{each}" for each in (*common, *defined, *TYPE_NAMES))
    near = did_you_mean(array + name, known)
    if not near.startswith("did you mean"):
        return own
    moved = [each for each in defined if quoted(array + each) in near]
    return f"{near} Then move {moved[0]} to commonStructs. Otherwise {own}" if moved else f"{near} Otherwise {own}"


@rule(messages)
def struct_nesting(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that common structs are neither recursive nor nested too deeply."""
    inner = {name: {struct_name(field.type) or "" for field in struct.fields} for name, struct in _common(spec).items()}
    # Each round keeps only the structs that are nested one level deeper.
    deep = set(inner)
    for _ in range(MAX_STRUCT_DEPTH):
        deep = {name for outer in deep for name in inner[outer] if name in inner}
    for struct in spec.structs:
        if struct.common and struct.name in deep:
            message = (
                f"struct {quoted(struct.name)} contains itself, or is in more than {MAX_STRUCT_DEPTH} other structs"
            )
            yield struct, "name", message, "move the innermost structs into separate messages and store these as bytes"
            return


@rule(messages, severity="warning")
def struct_used(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a common struct is used."""
    common = _common(spec)
    used = _inside(common, _struct_names(_fields_outside_common(spec)))
    for struct in common.values():
        if struct.name not in used:
            yield struct, "name", f"unused common struct {quoted(struct.name)}", "use it, or remove the struct"


@rule(messages)
def struct_present_where_used(spec: MessageSpec) -> Iterator[Problem]:
    """Checks that a common struct is not used in versions before its first one."""
    common = _common(spec)
    for _, struct in structs([spec]) if common else ():
        yield from _present_where_used(spec, struct, common)


def _present_where_used(spec: MessageSpec, struct: StructSpec, common: Mapping[str, StructSpec]) -> Iterator[Problem]:
    holder = versions_of(spec, struct)
    for field in struct.fields:
        used = holder.intersect(field.versions)
        other = common.get(struct_name(field.type) or "")
        exists = versions_of(spec, other) if other else holder
        if not used.empty and (exists.empty or used.lowest < exists.lowest):
            message = (
                f"this field exists from version {used.lowest} on, but its struct exists only in versions {exists}"
            )
            yield field, "versions", message, "start the field when the struct starts, or start the struct earlier"


def _inside(common: Mapping[str, StructSpec], names: Iterable[str]) -> set[str]:
    """Return the common structs among ``names``, and all common structs nested in them."""
    found: set[str] = set()
    following = list(names)
    while following:
        name = following.pop()
        if name in common and name not in found:
            found.add(name)
            following.extend(_struct_names(common[name].fields))
    return found


def _struct_names(fields: Iterable[FieldSpec]) -> list[str]:
    """Return the names of the structs that fields hold, alone or in arrays."""
    return [name for field in fields if (name := struct_name(field.type)) is not None]


def _common(spec: MessageSpec) -> dict[str, StructSpec]:
    """Return the common structs by name; of two structs with the same name, the first."""
    return {struct.name: struct for struct in reversed(spec.structs) if struct.common}


def _fields_outside_common(spec: MessageSpec) -> list[FieldSpec]:
    return [field for _, struct in structs([spec]) if not struct.common for field in struct.fields]


def _defined_in_fields(spec: MessageSpec) -> set[str]:
    """Return the names of the structs that fields define."""
    fields_ = (field for field in _fields_outside_common(spec) if written(field, "fields"))
    return {name for field in fields_ if (name := struct_name(field.type)) is not None}
