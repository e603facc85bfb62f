"""Where each part of a merged spec comes from: the set that has it, and its place in a spec of this set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from messagegen.findings import Location, printable
from messagegen.jsonc import Array, Comment, Document, Object, Part, Position
from messagegen.spec.model import FieldSpec, MessageSpec, StructSpec
from messagegen.spec.place import Place, below
from messagegen.spec.report import placed
from messagegen.versions import ranges_of, versions_text

Key = tuple[str, str]
"""The name of a struct, or of the message, and the name of a field in it, which is empty for the struct itself."""

_NOWHERE: Final = Position(0, 0)
"""Comments of a merged spec are in no text yet."""
_HOLDS: Final = ".fields["
"""Stands in the path of a field, between that of its struct and its own number."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A part of a spec: the label of the set that has the spec, its file, and the place in it."""

    label: str
    file: str
    place: Place

    def location(self, name: str) -> Location:
        """The location of property ``name``, or of the part itself if it has no such property."""
        position = self.place.of(name)
        path = self.place.path(name) if name in self.place.properties else self.place.json_path
        return Location(self.file, position.line, position.column, path)


@dataclass(frozen=True, slots=True)
class Origins:
    """The origins of a message, of its fields and common structs, and the label of the set that has each version."""

    message: Origin
    versions: Mapping[int, str]
    parts: Mapping[Key, Origin]


def origins_of(spec: MessageSpec, label: str) -> Origins:
    """The origins of a spec of a single set."""
    parts = {key: Origin(label, spec.file, placed(part)) for key, part in _parts(spec)}
    return Origins(Origin(label, spec.file, placed(spec)), dict.fromkeys(spec.valid_versions, label), parts)


def origin_of(location: Location, spec: MessageSpec, origins: Origins) -> tuple[Origin, str]:
    """The origin of the part of the merged ``spec`` that a location is in, and the property that it is about."""
    keys = {placed(part).json_path: key for key, part in _parts(spec)}
    path, name = location.json_path, ""
    while path and path not in keys:
        path, _, name = path.rpartition(".")
    return (origins.parts[keys[path]] if path else origins.message), name


def with_comments(document: Document, spec: MessageSpec, origins: Origins, newest: str) -> Document:
    """The document of a merged spec, with comments that say what is not from the ``newest`` set."""
    comments = dict(_comments(spec, origins, newest))
    _annotate(document.root, "", comments)
    return document


def _parts(spec: MessageSpec) -> Iterator[tuple[Key, FieldSpec | StructSpec]]:
    """The fields of a message and of its structs, and the common structs themselves."""
    for struct in (spec.root, *spec.structs):
        if struct.common:
            yield (struct.name, ""), struct
        for field in struct.fields:
            yield (struct.name, field.name), field


def _comments(spec: MessageSpec, origins: Origins, newest: str) -> Iterator[tuple[str, list[str]]]:
    """The comments before each property, field or struct that needs some, by its path."""
    whole = origins.message.label
    if whole != newest:
        yield "", [f"From {whole}."]
    by_label: dict[str, list[int]] = {}
    for version, label in sorted(origins.versions.items()):
        by_label.setdefault(label, []).append(version)
    lines = [_versions_line(versions, label) for label, versions in by_label.items() if label != whole]
    if lines:
        yield "validVersions", lines
    labels = {placed(part).json_path: origins.parts[key].label for key, part in _parts(spec)}
    for path, label in labels.items():
        holder = path.rpartition(_HOLDS)[0]
        if label != labels.get(holder, whole):
            yield path, [f"From {label}."]


def _versions_line(versions: list[int], label: str) -> str:
    text = versions_text(ranges_of(versions))
    return f"{text[0].upper()}{text[1:]} {'is' if len(versions) == 1 else 'are'} from {label}."


def _annotate(part: Part, path: str, comments: Mapping[str, list[str]]) -> None:
    lines = comments.get(path, ())
    part.leading = tuple(
        Comment(f"// {printable(line)}", _NOWHERE, own_line=True, blank_before=False) for line in lines
    )
    if isinstance(part.value, Object):
        for inner in part.value.parts:
            _annotate(inner, below(path, inner.name), comments)
    elif isinstance(part.value, Array):
        for number, inner in enumerate(part.value.parts):
            _annotate(inner, f"{path}[{number}]", comments)
