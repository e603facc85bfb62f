"""Specs as plain JSON values, which keep what the model does not: how a default, an about or a type was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from messagegen.jsonc import parse_json, plain

Raw = dict[str, Any]


def raw_of(text: bytes) -> Raw:
    """The value of a spec that parses, with its properties in their order; what old releases leave out is there."""
    raw: Any = plain(parse_json(text).root.value)
    return {"flexibleVersions": "none", **raw}


def fields_of(holder: Mapping[str, Any], name: str = "fields") -> list[Raw]:
    """The objects of a list; one object counts as a list of one, as in Apache's reader."""
    found: Any = holder.get(name) or []
    return [cast("Raw", found)] if isinstance(found, dict) else found


def struct_of(field: Mapping[str, Any]) -> str | None:
    """The name of the struct that a field holds, or that its elements are."""
    text = field["type"]
    name = text.removeprefix("[]") if isinstance(text, str) else ""
    return name if name[:1].isupper() else None


def definitions(message: Raw) -> dict[str, Raw]:
    """What holds the ``fields`` of each struct: a field or a common struct. The message itself is under its own name."""
    found = {message["name"]: message}
    found |= {struct["name"]: struct for struct in fields_of(message, "commonStructs")}
    found |= {name: field for field in _walk(message) if (name := struct_of(field)) and fields_of(field)}
    return found


def _walk(holder: Mapping[str, Any]) -> Iterator[Raw]:
    for field in (*fields_of(holder), *(each for one in fields_of(holder, "commonStructs") for each in fields_of(one))):
        yield field
        yield from _walk(field)
