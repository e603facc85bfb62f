"""Validates a file against the JSON Schema of its language; each error becomes a finding with a location.

The schema covers the structure: unknown and missing properties, JSON values of the wrong type, unknown keywords. The parsers of
version ranges, field types and encodings report errors in these themselves, because they know better what to write instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from messagegen.findings import clipped, quoted
from messagegen.jsonc import Array, Object, Scalar, Value, plain
from messagegen.primitives import PRIMITIVES
from messagegen.spec.report import Report, below, did_you_mean
from messagegen.spec.rules import Rule

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Language:
    """A language of files: its schema, and the terms for a file and its top-level object in findings."""

    schema_file: str
    file: str
    whole: str


MESSAGE_SPEC: Final = Language("message_spec.schema.json", file="a spec", whole="a message")
ERROR_CODES: Final = Language("error_codes.schema.json", file="a file of error codes", whole="a file of error codes")

_COMPARED: Final = 20
_LISTS: Final = {"fields": "a field", "commonStructs": "a struct", "errors": "an error code"}
_ENUMS: Final = {
    "type": (Rule.MESSAGE_TYPE_KNOWN, "message type"),
    "entityType": (Rule.ENTITY_TYPE_KNOWN, "entity type"),
    "listeners": (Rule.LISTENER_KNOWN, "listener"),
}
_OLD_LISTENERS: Final = {"zkBroker": "brokers with ZooKeeper, of Kafka 2.8 to 3.9"}
"""Listeners that only specs of old releases name; the schema is for new specs and does not have them."""
_IDENTIFIER: Final = "use letters, digits and underscores only, beginning with a capital, such as "
_NAMES: Final = {
    "fields": (
        *(Rule.FIELD_NAME_WELL_FORMED, "field name"),
        "use letters and digits only, beginning with a letter, such as TopicName",
    ),
    "errors": (
        *(Rule.ERROR_NAME_WELL_FORMED, "name of an error code"),
        "use capitals, digits and single underscores, beginning with a capital, such as REQUEST_TIMED_OUT",
    ),
    "commonStructs": (Rule.STRUCT_NAME_WELL_FORMED, "struct name", f"{_IDENTIFIER}Cursor"),
    "": (Rule.MESSAGE_NAME_WELL_FORMED, "message name", f"{_IDENTIFIER}MetadataRequest"),
}
"""The rule of a name, what it is the name of, and what to write, by the list that it is in."""
_OWN_PARSERS: Final = (
    *("versions", "validVersions", "deprecatedVersions", "flexibleVersions", "nullableVersions", "taggedVersions"),
    *("encoding", "elementEncoding"),
)
"""Properties whose text and numbers have parsers that report more."""
_JSON_TYPES: Final[Mapping[type, str]] = {
    str: "text",
    int: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def schema_text(language: Language = MESSAGE_SPEC) -> str:
    """The published JSON Schema (2020-12) of the spec language or of error code files, as text."""
    text = files("messagegen.spec").joinpath(language.schema_file).read_text(encoding="utf-8")
    return text.replace("{primitives}", ", ".join(PRIMITIVES))


@lru_cache(maxsize=2)
def _validator(language: Language) -> Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import, and some runs read no spec

    return Draft202012Validator(json.loads(schema_text(language)))


def check_structure(root: Value, report: Report, language: Language = MESSAGE_SPEC) -> None:
    """Adds a finding for each error of structure."""
    for error in _validator(language).iter_errors(plain(root)):
        _tell(error, _locate(root, error.absolute_path, language), report)


@dataclass(frozen=True, slots=True)
class _Spot:
    """The location of an error: the node, its JSON path, its property, the list that it is in, and the language."""

    node: Value
    path: str
    name: str
    holder: str
    language: Language


def _locate(root: Value, path: Iterable[str | int], language: Language) -> _Spot:
    """Walks down from the root; anything inside a map of versions counts as the property with the map."""
    node, text, name, holder, in_map = root, "", "", "", False
    for part in path:
        if isinstance(node, Object) and isinstance(part, str):
            node = node.members[part].value
            if not in_map:
                holder, name = (name if name in _LISTS else holder), part
                text = below(text, part)
                in_map = isinstance(node, Object) and part not in _LISTS
                text += "[0]" if isinstance(node, Object) and part in _LISTS else ""
        elif isinstance(node, Array) and isinstance(part, int):
            node = node.items[part]
            text += f"[{part}]"
    return _Spot(node, text, name, holder, language)


def _tell(error: ValidationError, spot: _Spot, report: Report) -> None:
    """Turns an error of ``jsonschema`` into findings."""
    schema = cast("Schema", error.schema)
    match error.validator, spot.node:
        case "additionalProperties", Object(members=members):
            _tell_unknown(spot, [name for name in members if name not in schema["properties"]], schema, report)
        case "required", Object(members=members):
            _tell_missing(spot, [name for name in schema["required"] if name not in members], schema, report)
        case ("type" | "minProperties"), node:
            _tell_type(spot, schema, _json_type(node), report)
        case "enum", Scalar() if spot.name in _ENUMS:
            _tell_enum(spot, schema, report)
        case "pattern", Scalar() if spot.name not in ("name", *_OWN_PARSERS):
            _tell_type(spot, schema, quoted(spot.node.text), report)
        case ("pattern" | "maxLength"), Scalar() if spot.name == "name":
            _tell_name(spot, schema, spot.node.text, report)
        case ("minimum" | "maximum"), _ if spot.name not in _OWN_PARSERS:
            message = f'"{spot.name}" must be a number from {schema["minimum"]} to {schema["maximum"]}'
            report.add(Rule.NUMBER_IN_RANGE, spot.node.position, spot.path, message, "write a number in that range")
        case _:
            # The reader reports null for a required property, because it treats null as missing.
            return


def _tell_unknown(spot: _Spot, names: list[str], schema: Schema, report: Report) -> None:
    known: tuple[str, ...] = tuple(schema["properties"])
    for number, name in enumerate(names):
        message = f"unknown property {quoted(name)} {_where(spot)}"
        # In an object with entirely different contents, only a few properties are compared with known ones.
        instead = did_you_mean(name, known) if number < _COMPARED else "remove it"
        position = cast("Object", spot.node).members[name].position
        report.add(Rule.PROPERTY_KNOWN, position, below(spot.path, name), message, instead)


def _tell_missing(spot: _Spot, names: list[str], schema: Schema, report: Report) -> None:
    for name in names:
        message = f"missing property {quoted(name)} {_where(spot)}"
        instead = f'write "{name}": {_example(schema["properties"][name])}'
        report.add(Rule.PROPERTY_REQUIRED, spot.node.position, below(spot.path, name), message, instead)


def _tell_type(spot: _Spot, schema: Schema, given: str, report: Report) -> None:
    what = f'"{spot.name}"' if spot.name else spot.language.file
    expected = " or ".join(_JSON_TYPES[type(example)] for example in _examples(schema))
    message, instead = f"{what} must be {expected}, not {given}", f"write {_example(schema)}"
    report.add(Rule.PROPERTY_TYPE, spot.node.position, spot.path, message, instead)


def _tell_enum(spot: _Spot, schema: Schema, report: Report) -> None:
    (rule, what), text = _ENUMS[spot.name], cast("Scalar", spot.node).text
    if rule is Rule.LISTENER_KNOWN and text in _OLD_LISTENERS:
        message, instead = f"old listener {quoted(text)}: {_OLD_LISTENERS[text]}", "remove it from a new spec"
        report.add(rule, spot.node.position, spot.path, message, instead, severity="warning")
        return
    names = tuple(str(name) for name in schema["enum"] if name is not None)
    message = f"unknown {what} {quoted(text)}"
    report.add(rule, spot.node.position, spot.path, message, did_you_mean(text, names))


def _tell_name(spot: _Spot, schema: Schema, text: str, report: Report) -> None:
    rule, what, instead = _NAMES[spot.holder]
    message = f"invalid {what} {quoted(text)}"
    if len(text) > schema.get("maxLength", len(text)):
        message = f"the name {quoted(text)} is too long: {len(text)} letters"
        instead = f"write a name of at most {schema['maxLength']} letters"
    report.add(rule, spot.node.position, spot.path, message, instead)


def _where(spot: _Spot) -> str:
    return f"in {_LISTS.get(spot.name, spot.language.whole)}"


def _examples(schema: Schema) -> list[Any]:
    """The examples of a property: its intended type, although coercion allows others."""
    if "examples" not in schema and "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        schema = cast("Schema", _validator(MESSAGE_SPEC).schema)["$defs"][name]
    return cast("list[Any]", schema["examples"])


def _example(schema: Schema) -> str:
    return json.dumps(_examples(schema)[0])


def _json_type(node: Value) -> str:
    if isinstance(node, Array):
        return "a list"
    if isinstance(node, Object):
        return "an object" if node.members else "an empty object"
    return quoted(node.text) if isinstance(node.value, str) else clipped(node.text)
