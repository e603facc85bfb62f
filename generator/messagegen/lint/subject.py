"""The input of rules: specs as a model and as written (the syntax tree), side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from messagegen.findings import Finding
from messagegen.jsonc import Array, Document, JsonError, Object, Value, parse_json
from messagegen.spec import parse
from messagegen.spec.model import FieldSpec, MessageSpec


@dataclass(frozen=True, slots=True)
class FieldSubject:
    """A field: its model, its JSON object, and all fields of its struct, including itself."""

    spec: FieldSpec
    node: Object
    path: str
    siblings: tuple[FieldSpec, ...]


@dataclass(frozen=True)
class SpecSubject:
    """A spec without errors: its file name, its text as a tree, its model, and the reader's warnings."""

    file: str
    document: Document
    root: Object
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
    def structs(self) -> tuple[tuple[str, Object], ...]:
        """Each entry of ``commonStructs`` with its path."""
        return tuple(
            pair for pair in _elements(self.root, "") if pair[0].startswith("commonStructs[") and "." not in pair[0]
        )


def read_subject(data: bytes, file: str, *, released: bool = False) -> tuple[SpecSubject | None, tuple[Finding, ...]]:
    """A spec as rules see it, or ``None`` if it has errors, and the findings of the parser."""
    try:
        document = parse_json(data)
    except JsonError:
        return None, parse(data, file).findings
    parsed = parse(document, file, released=released)
    if parsed.spec is None:
        return None, parsed.findings
    root = document.root.value
    assert isinstance(root, Object), "a spec without errors is an object"
    return SpecSubject(file, document, root, parsed.spec, parsed.findings), parsed.findings


def _elements(holder: Object, path: str) -> Iterator[tuple[str, Object]]:
    """The objects in the lists of fields and structs of an object, at any depth, with their paths as findings give them."""
    for part in holder.parts:
        if part.name in ("fields", "commonStructs"):
            for index, element in enumerate(_items(part.value)):
                if isinstance(element, Object):
                    below = f"{path}.{part.name}[{index}]" if path else f"{part.name}[{index}]"
                    yield below, element
                    yield from _elements(element, below)


def _items(value: Value) -> Sequence[Value]:
    return value.items if isinstance(value, Array) else [value]


def _fields(fields: tuple[FieldSpec, ...], nodes: dict[str, Object]) -> Iterator[FieldSubject]:
    for field in fields:
        assert field.place is not None, "only specs that were read from text are checked"
        path = field.place.json_path
        yield FieldSubject(field, nodes[path], path, fields)
        yield from _fields(field.fields, nodes)
