"""Compiles our JSON Schemas to predicates.

Nearly all files are valid, and importing and running ``jsonschema`` takes most of the time of parsing them. So it only
runs for files that a predicate rejects, to find the errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

Predicate = Callable[[Any], bool]
"""Whether a value is valid."""

_ANNOTATIONS: Final = {"$schema", "$id", "$defs", "title", "description", "examples", "if", "then"}
"""Keywords that add no check of their own."""

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "array": (list,),
    "boolean": (bool,),
    "integer": (int,),
    "null": (type(None),),
    "number": (int, float),
    "object": (dict,),
    "string": (str,),
}
"""The classes of values, by type. JSON Schema accepts 1.0 as an integer, Jackson does not."""


def predicate(schema: Mapping[str, Any]) -> Predicate:
    """Return a function that accepts the values that are valid for ``schema``.

    Raise ``NotImplementedError`` for keywords that our schemas do not use.
    """
    return _Compiler(schema.get("$defs", {})).whole(schema)


class _Compiler:
    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._compiled: dict[str, Predicate] = {}

    def whole(self, schema: Mapping[str, Any]) -> Predicate:
        """Return the predicate of a schema with all its keywords."""
        checks = list(self._checks(schema))
        return lambda value: all(check(value) for check in checks)

    def _checks(self, schema: Mapping[str, Any]) -> Iterable[Predicate]:
        unknown = schema.keys() - _ANNOTATIONS - _SIMPLE.keys() - _OF_OBJECTS - {"$ref", "items"}
        if unknown:
            raise NotImplementedError(f"keywords without a predicate: {', '.join(sorted(unknown))}")
        # Types come first, because they reject most invalid values.
        for keyword, simple in _SIMPLE.items():
            if keyword in schema:
                yield simple(schema[keyword])
        if "$ref" in schema:
            yield self._reference(schema["$ref"])
        if "if" in schema:
            yield _conditional(self.whole(schema["if"]), self.whole(schema["then"]))
        if "items" in schema:
            yield _items(self.whole(schema["items"]))
        if _OF_OBJECTS & schema.keys():
            yield self._object(schema)

    def _reference(self, reference: str) -> Predicate:
        """Return a predicate that compiles the referenced schema when it is first needed: fields contain fields."""
        name = reference.removeprefix("#/$defs/")

        def check(value: Any) -> bool:
            found = self._compiled.get(name)
            if found is None:
                found = self._compiled[name] = self.whole(self._definitions[name])
            return found(value)

        return check

    def _object(self, schema: Mapping[str, Any]) -> Predicate:
        required = frozenset(schema.get("required", ()))
        fewest = schema.get("minProperties", 0)
        properties = {name: self.whole(each) for name, each in schema.get("properties", {}).items()}
        names = self.whole(schema.get("propertyNames", {}))
        additional = schema.get("additionalProperties", {})
        other = _nothing if additional is False else self.whole(additional)

        def check(value: Any) -> bool:
            if not isinstance(value, dict):
                return True
            members = cast("dict[str, Any]", value)
            if len(members) < fewest or not required <= members.keys():
                return False
            return all(names(name) and properties.get(name, other)(each) for name, each in members.items())

        return check


_OF_OBJECTS: Final = {"required", "minProperties", "properties", "propertyNames", "additionalProperties"}
"""Keywords that check objects, and accept all other values."""


def _nothing(_: Any) -> bool:
    return False


def _type(names: str | list[str]) -> Predicate:
    classes = {cls for name in ([names] if isinstance(names, str) else names) for cls in _TYPES[name]}
    return lambda value: type(value) in classes


def _pattern(pattern: str) -> Predicate:
    search = re.compile(pattern).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _is_number(value: Any) -> bool:
    return type(value) in _TYPES["number"]


_SIMPLE: Final[Mapping[str, Callable[[Any], Predicate]]] = {
    "type": _type,
    "enum": lambda values: lambda value: value in values,
    "pattern": _pattern,
    "maxLength": lambda most: lambda value: not isinstance(value, str) or len(value) <= most,
    "minimum": lambda least: lambda value: not _is_number(value) or value >= least,
    "maximum": lambda most: lambda value: not _is_number(value) or value <= most,
}
"""Keywords that need no other schema, each with its predicate. All enumerated values are strings."""


def _conditional(condition: Predicate, then: Predicate) -> Predicate:
    return lambda value: not condition(value) or then(value)


def _items(element: Predicate) -> Predicate:
    def check(value: Any) -> bool:
        return not isinstance(value, list) or all(map(element, value))  # pyright: ignore[reportUnknownArgumentType]

    return check
