"""Applies the spec edits that the advisor prints, as its page describes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from messagegen.jsonc import parse_json, plain
from messagegen.versions import VersionRange
from messagegen_arrow.advisor.edits import Encodings, FieldName
from messagegen_arrow.catalog import MessageTable

_MAPS: Final = ("encoding", "elementEncoding", "type", "headerVersions")
_WORDS: Final = {"fixed": "int", "packed": "varint", "upacked": "unsigned_varint"}
Spec = dict[str, Any]


def pasted(text: str, table: MessageTable, edits: Mapping[FieldName, Encodings]) -> str:
    """Return the spec with a new version of its message, whose fields have the encodings in ``edits``."""
    spec: Any = plain(parse_json(text).root.value)
    latest = table.valid_versions[1]
    _add_version(spec, latest)
    for name, field in fields_of(spec, table):
        if name in edits:
            _paste(field, edits[name], latest + 1)
    return json.dumps(spec)


def fields_of(spec: Spec, table: MessageTable) -> Iterator[tuple[FieldName, Spec]]:
    """Yield each field of a spec once, with its name in plans."""
    plan = table.parsed_plan
    common = {struct["name"]: struct for struct in spec.get("commonStructs", ())}
    waiting, seen = [(plan.root.class_name, spec)], set[str]()
    while waiting:
        class_name, holder = waiting.pop()
        if class_name in seen:
            continue
        seen.add(class_name)
        planned = {field.key: field for field in plan.structs[class_name].fields.values()}
        for field in _objects(holder.get("fields", ())):
            name: str = field["name"]
            found = planned.get(name[:1].lower() + name[1:])
            if found is None:
                continue
            yield (class_name, found.key), field
            if found.element_type in plan.structs:
                waiting.append((found.element_type, common.get(str(field["type"]).removeprefix("[]"), field)))


def _objects(fields: Any) -> list[Spec]:
    """Return a list of fields; Apache's reader also accepts a single field."""
    return fields if isinstance(fields, list) else [fields]


def _add_version(value: Any, latest: int) -> None:
    """Extend each version range that ends with the last version by the next version."""
    if isinstance(value, list):
        for item in value:
            _add_version(item, latest)
    if not isinstance(value, dict):
        return
    for name, part in [*value.items()]:
        if name in _MAPS and isinstance(part, dict):
            value[name] = _with_next_key(part, latest)
        elif name.endswith("ersions") and name != "deprecatedVersions" and not isinstance(part, dict):
            value[name] = _with_next(str(part), latest)
        else:
            _add_version(part, latest)


def _with_next_key(entries: Spec, latest: int) -> Spec:
    if any(latest + 1 in VersionRange.parse(key) for key in entries):
        return entries
    return {_with_next(key, latest): each for key, each in entries.items()}


def _with_next(text: str, latest: int) -> str:
    versions = VersionRange.parse(text)
    ends = not versions.empty and versions.highest == latest
    return str(VersionRange(versions.lowest, latest + 1)) if ends else text


def _paste(field: Spec, edit: Encodings, version: int) -> None:
    own = VersionRange.parse(str(field.get("versions") or field["taggedVersions"]))
    next_versions = str(VersionRange(version, own.highest))
    *earlier, (_, encoding) = edit.items()
    if isinstance(field["type"], dict) or "varint" in field["type"]:
        field["type"] = {**_types_before(field["type"], own, version), next_versions: _type_word(field, encoding)}
        return
    ranges = {VersionRange.parse(key): each for key, each in earlier}
    first = next(iter(ranges))
    fitting = {VersionRange(min(own.lowest, first.lowest), first.highest): ranges.pop(first), **ranges}
    name = "elementEncoding" if field["type"].startswith("[]") else "encoding"
    field[name] = {str(each): word for each, word in fitting.items()} | {next_versions: encoding}


def _types_before(types: Any, own: VersionRange, version: int) -> dict[str, str]:
    """Return the types of a field by version, for versions before ``version``."""
    by_range = types if isinstance(types, dict) else {str(own): types}
    found = {VersionRange.parse(key): word for key, word in by_range.items()}
    return {str(VersionRange(key.lowest, min(key.highest, version - 1))): word for key, word in found.items()}


def _type_word(field: Spec, encoding: str) -> str:
    """Return the type with an encoding: ``varint32`` for ``packed32``."""
    match = re.fullmatch(r"([a-z]+)(\d+)", encoding)
    assert match is not None
    return f"{'[]' if '[]' in str(field['type']) else ''}{_WORDS[match[1]]}{match[2]}"
