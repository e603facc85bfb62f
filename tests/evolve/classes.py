"""Compares the API of the generated classes of two specs: annotations, defaults and attributes."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Final

from messagegen.evolve import BreakingChange
from messagegen.names import snake_case
from messagegen.spec.model import FieldSpec, MessageSpec

FIELD_RULES: Final = (
    "FIELD_NOT_REMOVED",
    "TAGGED_FIELD_NOT_REMOVED",
    "FIELD_SAME_NAME",
    "FIELD_SAME_ATTRIBUTE",
    "STRUCT_SAME_NAME",
    "FIELD_SAME_ANNOTATION",
    "FIELD_SAME_DEFAULT",
    "TAGGED_FIELD_SAME_DEFAULT",
)
"""The rules about annotations, defaults and attributes. Other rules about the API guard behaviour."""
_RENAMED: Final = re.compile(r": name was (\w+), now (\w+)$")
_CLASS: Final = re.compile(r"\b(?!None\b)[A-Z]\w*")


@dataclasses.dataclass
class Differing:
    """Fields of the old spec whose classes differ, by their paths in the spec (``fields[0].fields[1]``).

    Findings must name the fields in ``certain``, and may also name the fields in ``possible``: these are in structs of
    the same class that are the value of a different field.
    """

    certain: set[str] = dataclasses.field(default_factory=set[str])
    possible: set[str] = dataclasses.field(default_factory=set[str])

    def agrees(self, changes: list[BreakingChange]) -> bool:
        """Whether findings name every certain field, and all other fields that they name are possible or renamed."""
        claimed = claimed_fields(changes)
        return self.certain <= claimed <= self.certain | self.possible | _reused(changes)


def compare_classes(spec: MessageSpec, versions: set[int], old: ModuleType, new: ModuleType, name: str) -> Differing:
    """Compare the classes of a message, which is called ``name`` in the package ``new``.

    ``spec`` is the old spec. Only fields of ``versions`` count.
    """
    walk = _Walk({struct.name: struct.fields for struct in spec.structs})
    walk.compare((getattr(old, spec.name), getattr(new, name)), spec.fields, versions, walk.result.certain)
    return walk.result


def claimed_fields(changes: list[BreakingChange]) -> set[str]:
    """Return the fields of the old spec whose classes differ according to findings."""
    return {_field_of(change) for change in changes if change.rule in FIELD_RULES}


def _reused(changes: list[BreakingChange]) -> set[str]:
    """Return the renamed fields. A different field may now have the old name, and look the same."""
    found: set[str] = set()
    for change in changes:
        renamed = _RENAMED.search(change.message)
        if change.rule == "FIELD_SAME_NAME" and renamed and snake_case(renamed[1]) != snake_case(renamed[2]):
            found.add(_field_of(change))
    return found


def _field_of(change: BreakingChange) -> str:
    """Return the path of the old field, without a property."""
    assert change.previous is not None
    path = change.previous.json_path
    return path if path.endswith("]") else path.rpartition(".")[0]


class _Walk:
    """Walks the classes of both sides from the message down, and collects the fields that differ."""

    def __init__(self, structs: Mapping[str, tuple[FieldSpec, ...]]) -> None:
        self.structs = structs
        self.result = Differing()

    def compare(
        self, classes: tuple[Any, Any], fields: tuple[FieldSpec, ...], versions: set[int], found: set[str]
    ) -> None:
        """Add the differing fields of a pair of classes, and of the structs in them, to ``found``."""
        old, new = classes
        now = {field.name: field for field in dataclasses.fields(new)}
        for spec, before in zip(fields, _own_fields(old), strict=True):
            within = {version for version in versions if version in spec.versions}
            if not within:
                continue
            assert spec.place is not None
            after = now.get(before.name)
            if after is None or _shape(before) != _shape(after):
                found.add(spec.place.json_path)
            held = _struct_of(before, old)
            if held is None:
                continue
            inside = self.structs[held.__name__.rstrip("_")]
            same = _struct_of(after, new) if after and _is_array(before) == _is_array(after) else None
            if same is not None:
                self.compare((held, same), inside, within, found)
            namesake = getattr(sys.modules[new.__module__], held.__name__, None)
            if namesake not in (None, same):
                self.compare((held, namesake), inside, within, self.result.possible)


def _own_fields(cls: Any) -> Iterator[dataclasses.Field[Any]]:
    """Yield the fields of the spec, in order, without the field of unknown tagged fields."""
    yield from (field for field in dataclasses.fields(cls) if field.name != "unknown_tagged_fields")


def _annotation(field: dataclasses.Field[Any]) -> str:
    return str(field.type).replace("_builtins.", "")


def _is_array(field: dataclasses.Field[Any]) -> bool:
    return _annotation(field).startswith("tuple[")


def _shape(field: dataclasses.Field[Any]) -> tuple[str, str]:
    """Return a field's annotation and default; the default of a struct is made of its own fields' defaults."""
    is_struct = dataclasses.is_dataclass(field.default)
    return _annotation(field), "struct" if is_struct else repr(field.default)


def _struct_of(field: dataclasses.Field[Any], holder: Any) -> Any:
    """Return the class of a struct, or of the elements of an array."""
    found = _CLASS.search(_annotation(field))
    return getattr(sys.modules[holder.__module__], found[0]) if found else None
