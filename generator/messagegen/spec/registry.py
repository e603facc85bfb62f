"""Finds, numbers and resolves the structs of a message (upstream: ``StructRegistry``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Final

from messagegen.findings import quoted
from messagegen.spec.field_types import TYPE_NAMES, meant_type, struct_name
from messagegen.spec.model import FieldSpec, MessageSpec, Place, StructSpec
from messagegen.spec.report import Report, defines_struct, did_you_mean, nearest, placed
from messagegen.spec.rules import Rule
from messagegen.versions import VersionRange

MAX_STRUCT_DEPTH: Final = 50
"""Common structs inside each other: generated code nests calls as deeply."""


def resolve(message: MessageSpec, report: Report) -> tuple[StructSpec, ...]:
    """The structs of a message: the inline ones in order of appearance, then the common ones, which it has as written.

    Unresolved names are added to ``report``.
    """
    registry = _Registry(message, report)
    registry.register_common()
    registry.register_inline(message.valid_versions, message.fields)
    registry.check_common()
    return registry.structs()


def _defined(fields: Sequence[FieldSpec]) -> Iterator[str]:
    """The names of the structs that ``fields`` define, at any depth."""
    for field in fields:
        name = struct_name(field.type)
        if name is not None and defines_struct(field):
            yield name
        yield from _defined(field.fields)


class _Registry:
    """The structs registered so far."""

    def __init__(self, message: MessageSpec, report: Report) -> None:
        self._message = message
        self._written = message.structs
        self._report = report
        self._common: dict[str, StructSpec] = {}
        self._inline: dict[str, StructSpec] = {}
        self._defined = frozenset(_defined(message.fields))
        self._known = (*dict.fromkeys((*(struct.name for struct in message.structs), *sorted(self._defined))),)

    def structs(self) -> tuple[StructSpec, ...]:
        return (*self._inline.values(), *self._common.values())

    def register_common(self) -> None:
        for struct in self._written:
            if struct.name in self._common:
                self._tell_twice(struct.name, placed(struct), "name")
            self._tell_message_name(struct.name, placed(struct), "name")
            self._common.setdefault(struct.name, struct)

    def register_inline(self, parent: VersionRange, fields: Sequence[FieldSpec]) -> None:
        """Registers the structs that ``fields`` define; ``parent`` are the versions of their parent."""
        for field in fields:
            name = struct_name(field.type)
            if name is None:
                continue
            if name in self._common:
                self._check_use(field, self._common[name], parent)
                continue
            self._define(name, field, parent)
            self.register_inline(parent.intersect(field.versions), field.fields)

    def _define(self, name: str, field: FieldSpec, parent: VersionRange) -> None:
        place = placed(field)
        defines = defines_struct(field)
        if name in self._inline or (name in self._defined and not defines):
            if defines:
                self._tell_twice(name, place, "type")
            else:
                message = f"struct {quoted(name)} is already defined inside another field"
                instead = "move it to commonStructs to use it twice"
                self._report.add_at(place, "type", Rule.STRUCT_NAME_UNIQUE, message, instead)
            return
        if not defines:
            self._tell_undefined(name, place)
        self._tell_message_name(name, place, "type")
        self._inline[name] = StructSpec(name, field.versions, parent, field.fields, about=field.struct_about)
        known = self._report.clean(f"{place.json_path}.versions", "validVersions")
        if known and field.versions.intersect(parent).empty:
            message = f"struct {quoted(name)} never exists: it has versions {field.versions}, and the enclosing struct has {parent}"
            instead = "use versions in which the enclosing struct exists, or remove the field"
            self._report.add_at(place, "versions", Rule.STRUCT_VERSIONS_MEET_HOLDER, message, instead)

    def _tell_undefined(self, name: str, place: Place) -> None:
        """Reports a field that names a struct without listing fields, which Apache's generator reads as an empty struct."""
        type_ = meant_type(name)
        if type_ is not None:
            message, instead = f"invalid field type {quoted(name)}", f"did you mean {quoted(type_)}?"
            self._report.add_at(place, "type", Rule.FIELD_TYPE_KNOWN, message, instead)
            return
        if not self._report.clean("commonStructs"):
            return
        near = nearest(name, self._known) or nearest(name, TYPE_NAMES)
        instead = 'list its fields here ("fields": [] for a struct without any), or define it in commonStructs'
        message, instead = f"undefined struct {quoted(name)}", f"did you mean {quoted(near)}?" if near else instead
        case = near is not None and near.lower() == name.lower()
        if self._report.old == "warning" and not case:
            message += ", read as a struct without fields"
        self._report.add_at(place, "type", Rule.STRUCT_DEFINED, message, instead, "error" if case else self._report.old)

    def _check_use(self, field: FieldSpec, struct: StructSpec, holder: VersionRange) -> None:
        """Checks a field whose type is a common struct."""
        place = placed(field)
        if field.fields:
            message = f"struct {quoted(struct.name)} already has its fields in commonStructs"
            instead = "remove fields here, or rename the struct"
            self._report.add_at(place, "fields", Rule.STRUCT_FIELDS_IN_ONE_PLACE, message, instead)
        used = holder.intersect(field.versions)
        exists = struct.versions.intersect(self._message.valid_versions)
        known = self._report.clean(f"{place.json_path}.versions", "validVersions")
        if known and not used.empty and (exists.empty or used.lowest < exists.lowest):
            message = f"this field exists from version {used.lowest} on, but struct {quoted(struct.name)} only "
            message += f"in versions {struct.versions}"
            instead = "start the field when the struct starts, or the struct earlier"
            self._report.add_at(place, "versions", Rule.STRUCT_PRESENT_WHERE_USED, message, instead)

    def check_common(self) -> None:
        """Checks the references of fields in common structs."""
        valid = self._message.valid_versions
        for struct in self._written:
            if struct.versions.empty:
                message, instead = f"struct {quoted(struct.name)} has no versions", "give it versions, or remove it"
                self._report.add_at(placed(struct), "versions", Rule.STRUCT_VERSIONS_MEET_HOLDER, message, instead)
            for field in struct.fields:
                self._check_common_field(field, valid.intersect(struct.versions))
        self._check_recursion()
        # A part with an error may be the one that uses it.
        if not self._report.failed:
            self._check_unused()

    def _check_common_field(self, field: FieldSpec, holder: VersionRange) -> None:
        name, place = struct_name(field.type), placed(field)
        if name is None:
            return
        if name in self._common:
            self._check_use(field, self._common[name], holder)
        elif field.fields or name in self._inline:
            message = f"struct {quoted(name)} is not a common struct, but is used inside one"
            instead = "define it in commonStructs"
            self._report.add_at(place, "type", Rule.STRUCT_NOT_INSIDE_COMMON_STRUCT, message, instead)
        elif self._report.clean("commonStructs"):
            message = f"undefined common struct {quoted(name)}"
            advice = did_you_mean(name, tuple(self._common))
            instead = advice if advice.startswith("did") else "define it in commonStructs"
            self._report.add_at(place, "type", Rule.STRUCT_DEFINED, message, instead)

    def _check_recursion(self) -> None:
        uses = {name: {struct_name(field.type) for field in struct.fields} for name, struct in self._common.items()}
        graph = {
            name: sorted(other for other in used if other is not None and other in uses) for name, used in uses.items()
        }
        depths: dict[str, int] = {}
        try:
            for name in TopologicalSorter(graph).static_order():
                depths[name] = 1 + max((depths[other] for other in graph[name]), default=0)
        except CycleError as error:
            # The cycle runs from used to user and repeats its first name at the end.
            names: list[str] = list(reversed(error.args[1]))
            field = next(field for field in self._common[names[0]].fields if struct_name(field.type) == names[1])
            place = placed(field)
            message = (
                "recursive common structs: " + " -> ".join(map(quoted, names[:6])) + (" ..." if len(names) > 6 else "")
            )
            instead = "break the cycle; recursive structs are not supported"
            self._report.add_at(place, "type", Rule.STRUCT_NOT_RECURSIVE, message, instead)
            return
        if deep := [name for name in depths if depths[name] > MAX_STRUCT_DEPTH]:
            message = f"structs are nested too deeply: more than {MAX_STRUCT_DEPTH} levels"
            instead = "move the innermost ones into separate messages and store these as bytes"
            self._report.add_at(placed(self._common[deep[0]]), "name", Rule.STRUCT_NESTING, message, instead)

    def _check_unused(self) -> None:
        """Reports common structs that the fields of the message don't use, directly or indirectly."""
        found: set[str] = set()
        following = [self._message.fields]
        while following:
            for field in following.pop():
                name = struct_name(field.type)
                following.append(field.fields)
                if name in self._common and name not in found:
                    found.add(name)
                    following.append(self._common[name].fields)
        for struct in self._written:
            if struct.name not in found:
                message, instead = f"unused common struct {quoted(struct.name)}", "use it, or remove it"
                self._report.add_at(placed(struct), "name", Rule.STRUCT_USED, message, instead, severity="warning")

    def _tell_twice(self, name: str, place: Place, where: str) -> None:
        message = f"duplicate struct {quoted(name)}"
        instead = "define it once in commonStructs, or rename the second struct"
        self._report.add_at(place, where, Rule.STRUCT_NAME_UNIQUE, message, instead)

    def _tell_message_name(self, name: str, place: Place, where: str) -> None:
        if name == self._message.name:
            message = f"struct {quoted(name)} has the same name as the message"
            self._report.add_at(place, where, Rule.STRUCT_NAME_NOT_MESSAGE_NAME, message, "rename it")
