"""The input of rules: specs as a model and as written (the syntax tree), side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from messagegen.findings import Finding
from messagegen.jsonc import Container, Document, TreeError, Value, parse_tree
from messagegen.spec import MessageSpec, parse
from messagegen.spec.model import FieldSpec


@dataclass(frozen=True, slots=True)
class FieldSubject:
    """A field: its model, its JSON object, and all fields of its struct, including itself."""

    spec: FieldSpec
    node: Container
    path: str
    siblings: tuple[FieldSpec, ...]


@dataclass(frozen=True)
class SpecSubject:
    """A spec without errors: its file name, its text as a tree, its model, and the reader's warnings."""

    file: str
    document: Document
    root: Container
    spec: MessageSpec
    warnings: tuple[Finding, ...]

    @cached_property
    def fields(self) -> tuple[FieldSubject, ...]:
        """All fields of the message, of nested structs and of common structs; none if the message is retired."""
        nodes = dict(_elements(self.root, ""))
        spec = self.spec
        found = list(_fields(spec.fields, nodes))
        for struct in spec.structs:
            if struct.common:
                found.extend(_fields(struct.fields, nodes))
        return tuple(found)

    @cached_property
    def structs(self) -> tuple[tuple[str, Container], ...]:
        """Each entry of ``commonStructs`` with its path."""
        return tuple(
            pair for pair in _elements(self.root, "") if pair[0].startswith("commonStructs[") and "." not in pair[0]
        )

    @cached_property
    def objects(self) -> tuple[tuple[str, Container], ...]:
        """The objects of the message, its common structs and its fields, each with its path."""
        if self.spec.valid_versions.empty:
            return (("", self.root),)
        return (("", self.root), *_elements(self.root, ""))


def read_subject(data: bytes, file: str) -> tuple[SpecSubject | None, tuple[Finding, ...]]:
    """A spec as rules see it, or ``None`` if it has errors, and the findings of the parser."""
    parsed = parse(data, file)
    if parsed.spec is None:
        return None, parsed.findings
    try:
        document = parse_tree(data.decode("utf-8"))
    except TreeError:
        # Text after the spec is the only warning that leaves no tree.
        return None, parsed.findings
    root = document.root.value
    assert isinstance(root, Container), "a spec without errors is an object"
    return SpecSubject(file, document, root, parsed.spec, parsed.findings), parsed.findings


def _elements(holder: Container, path: str) -> Iterator[tuple[str, Container]]:
    """The objects in the lists of fields and structs of an object, at any depth, with their paths as findings give them."""
    for part in holder.parts:
        if part.name in ("fields", "commonStructs"):
            for index, element in enumerate(_items(part.value)):
                if isinstance(element, Container):
                    below = f"{path}.{part.name}[{index}]" if path else f"{part.name}[{index}]"
                    yield below, element
                    yield from _elements(element, below)


def _items(value: Value) -> Sequence[Value]:
    if isinstance(value, Container) and not value.is_object:
        return [part.value for part in value.parts]
    return [value]


def _fields(fields: tuple[FieldSpec, ...], nodes: dict[str, Container]) -> Iterator[FieldSubject]:
    for field in fields:
        assert field.place is not None, "only specs that were read from text are checked"
        path = field.place.json_path
        yield FieldSubject(field, nodes[path], path, fields)
        yield from _fields(field.fields, nodes)
