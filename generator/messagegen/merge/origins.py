"""The origin of each part of a merged spec: the set that it comes from, and its place in a spec of that set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from messagegen.console.text import printable
from messagegen.findings import Location
from messagegen.jsonc import Array, Comment, Document, Object, Part, Position
from messagegen.spec.model import FieldSpec, MessageSpec, StructSpec
from messagegen.spec.place import Place, below
from messagegen.spec.report import placed
from messagegen.versions import ranges_of, versions_text

Key = tuple[str, str]
"""The name of a struct or of the message, and the name of its field, which is empty for the struct itself."""

_NOWHERE: Final = Position(0, 0)
"""The position of comments in a merged spec, which is not a text yet."""
_HOLDS: Final = ".fields["
"""The part of a field's JSON path between the path of its struct and the field's index."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A part of a spec: the label of the set that has the spec, its file, and the place in it."""

    label: str
    file: str
    place: Place

    def location(self, name: str) -> Location:
        """Return the location of property ``name``, or of the part itself if it lacks the property."""
        position = self.place.of(name)
        path = self.place.path(name) if name in self.place.properties else self.place.json_path
        return Location(self.file, position.line, position.column, path)


@dataclass(frozen=True, slots=True)
class Origins:
    """The origins of a message, its fields and its common structs, and for each version the label of its set."""

    message: Origin
    versions: Mapping[int, str]
    parts: Mapping[Key, Origin]


def origins_of(spec: MessageSpec, label: str) -> Origins:
    """Return the origins of a spec that comes from one set of specs."""
    parts = {key: Origin(label, spec.file, placed(part)) for key, part in _parts(spec)}
    return Origins(Origin(label, spec.file, placed(spec)), dict.fromkeys(spec.valid_versions, label), parts)


def origin_of(location: Location, spec: MessageSpec, origins: Origins) -> tuple[Origin, str]:
    """Return the origin of the part of the merged ``spec`` at a location, and the name of the property there."""
    keys = {placed(part).json_path: key for key, part in _parts(spec)}
    path, name = location.json_path, ""
    while path and path not in keys:
        path, _, name = path.rpartition(".")
    return (origins.parts[keys[path]] if path else origins.message), name


def with_comments(document: Document, spec: MessageSpec, origins: Origins, newest: str) -> Document:
    """Add comments to the parts of a merged document that are not from the ``newest`` set; return the document."""
    comments = dict(_comments(spec, origins, newest))
    _annotate(document.root, "", comments)
    return document


def _parts(spec: MessageSpec) -> Iterator[tuple[Key, FieldSpec | StructSpec]]:
    """Yield the fields of a message and of its structs, and the common structs themselves."""
    for struct in (spec.root, *spec.structs):
        if struct.common:
            yield (struct.name, ""), struct
        for field in struct.fields:
            yield (struct.name, field.name), field


def _comments(spec: MessageSpec, origins: Origins, newest: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the paths of properties, fields and structs that need comments, each with the comments to put before it."""
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
