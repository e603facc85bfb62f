"""Validates a file against the JSON Schema of its language; each error becomes a finding with a location.

The schema covers the structure: unknown and missing properties, JSON values of the wrong type, unknown keywords. The parsers of
version ranges, field types and encodings report errors in these themselves, because they know better what to write instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from messagegen.primitives import PRIMITIVES
from messagegen.spec.json_text import ArrayNode, Node, ObjectNode, ScalarNode, plain
from messagegen.spec.model import Position
from messagegen.spec.report import Report, below, clipped, did_you_mean, quoted
from messagegen.spec.rules import Rule
from messagegen.spec.schema import Test, compile_schema

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator


@dataclass(frozen=True, slots=True)
class Language:
    """A language of files: its schema, and the terms for a file and its top-level object in findings."""

    schema_file: str
    file: str
    whole: str


MESSAGE_SPEC: Final = Language("message_spec.schema.json", file="a spec", whole="a message")
ERROR_CODES: Final = Language("error_codes.schema.json", file="a file of error codes", whole="a file of error codes")

_COMPARED: Final = 20
_LISTS: Final = ("fields", "commonStructs", "errors")
_ENUM_RULES: Final = {
    "type": Rule.MESSAGE_TYPE_KNOWN,
    "entityType": Rule.ENTITY_TYPE_KNOWN,
    "listeners": Rule.LISTENER_KNOWN,
}
_OLD_LISTENERS: Final = {"zkBroker": "brokers with ZooKeeper, of Kafka 2.8 to 3.9"}
"""Listeners that only specs of old releases name; the schema is for new specs and does not have them."""
_LOOSE_PATTERNS: Final = (
    "apiKey",
    "tag",
    "latestVersionUnstable",
    "ignorable",
    "mapKey",
    "zeroCopy",
    "sensitive",
    "headerVersions",
)
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


def is_schema(data: bytes, language: Language = MESSAGE_SPEC) -> bool:
    """Whether a file contains the JSON Schema of the language, from any version of messagegen."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and cast("dict[str, object]", value).get("$id") == _schema_id(language)


def _schema_id(language: Language) -> str:
    return cast("str", json.loads(schema_text(language))["$id"])


@lru_cache(maxsize=2)
def _test(language: Language) -> Test:
    return compile_schema(json.loads(schema_text(language)))


@lru_cache(maxsize=2)
def _validator(language: Language) -> Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import, and few specs have errors

    return Draft202012Validator(json.loads(schema_text(language)))


def check_structure(root: Node, report: Report, language: Language = MESSAGE_SPEC) -> None:
    """Adds a finding for each error of structure."""
    value = plain(root)
    if _test(language)(value):
        return
    for error in _validator(language).iter_errors(value):
        _tell(error, _locate(root, error.absolute_path, language), report)


@dataclass(frozen=True, slots=True)
class _Spot:
    """The location of an error: the node, its JSON path, its property, and the language of the file."""

    node: Node
    path: str
    name: str
    holder: str
    language: Language


def _locate(root: Node, path: Iterable[str | int], language: Language) -> _Spot:
    """Walks down from the root; anything inside a map of versions counts as the property with the map."""
    node, text, name, holder, in_map = root, "", "", "", False
    for part in path:
        if isinstance(node, ObjectNode) and isinstance(part, str):
            node = node.members[part].value
            if not in_map:
                holder, name = (name if name in _LISTS else holder), part
                text = f"{text}.{part}" if text else part
                in_map = isinstance(node, ObjectNode) and part not in _LISTS
                text += "[0]" if isinstance(node, ObjectNode) and part in _LISTS else ""
        elif isinstance(node, ArrayNode) and isinstance(part, int):
            node = node.items[part]
            text += f"[{part}]"
    return _Spot(node, text, name, holder, language)


def _tell(error: ValidationError, spot: _Spot, report: Report) -> None:
    schema: Mapping[str, Any] = error.schema if isinstance(error.schema, Mapping) else {}
    match error.validator:
        case "additionalProperties":
            _tell_unknown(spot, schema, report)
        case "required":
            _tell_missing(spot, schema, report)
        case "type" | "minProperties":
            _tell_type(spot, schema, report)
        case "enum":
            _tell_enum(spot, schema, report)
        case "pattern":
            _tell_pattern(spot, schema, report)
        case "maxLength":
            _tell_length(spot, schema, report)
        case "minimum" | "maximum":
            _tell_range(spot, schema, report)
        case _:
            # The reader reports null for a required property, because it treats null as missing.
            return


def _tell_unknown(spot: _Spot, schema: Mapping[str, Any], report: Report) -> None:
    known: tuple[str, ...] = tuple(schema["properties"])
    members = spot.node.members if isinstance(spot.node, ObjectNode) else {}
    unknown = [(name, member) for name, member in members.items() if name not in known]
    for number, (name, member) in enumerate(unknown):
        message = f"unknown property {quoted(name)} {_where(spot)}"
        # In an object with entirely different contents, only a few properties are compared with known ones.
        instead = did_you_mean(name, known) if number < _COMPARED else "remove it"
        report.add(Rule.PROPERTY_KNOWN, member.name_position, below(spot.path, name), message, instead)


def _tell_missing(spot: _Spot, schema: Mapping[str, Any], report: Report) -> None:
    members = spot.node.members if isinstance(spot.node, ObjectNode) else {}
    required: Sequence[str] = schema["required"]
    for name in required:
        if name not in members:
            message = f"missing property {quoted(name)} {_where(spot)}"
            instead = f'write "{name}": {_example(schema["properties"][name])}'
            report.add(Rule.PROPERTY_REQUIRED, spot.node.position, below(spot.path, name), message, instead)


def _tell_type(spot: _Spot, schema: Mapping[str, Any], report: Report) -> None:
    what = f'"{spot.name}"' if spot.name else spot.language.file
    given = _json_type(spot.node)
    message = f"{what} must be {_expected(schema)}, not {given}"
    instead = f"write {_example(schema)}"
    report.add(Rule.PROPERTY_TYPE, spot.node.position, spot.path, message, instead)


def _tell_enum(spot: _Spot, schema: Mapping[str, Any], report: Report) -> None:
    rule = _ENUM_RULES.get(spot.name)
    if rule is None or not isinstance(spot.node, ScalarNode):
        return
    names = tuple(str(name) for name in schema["enum"] if name is not None)
    if rule is Rule.LISTENER_KNOWN and spot.node.text in _OLD_LISTENERS:
        message = f"old listener {quoted(spot.node.text)}: {_OLD_LISTENERS[spot.node.text]}"
        report.add(rule, spot.node.position, spot.path, message, "remove it from a new spec", severity="warning")
        return
    what = {"type": "message type", "entityType": "entity type", "listeners": "listener"}[spot.name]
    message = f"unknown {what} {quoted(spot.node.text)}"
    report.add(rule, spot.node.position, spot.path, message, did_you_mean(spot.node.text, names))


def _tell_pattern(spot: _Spot, schema: Mapping[str, Any], report: Report) -> None:
    if not isinstance(spot.node, ScalarNode):
        return
    position, shown = spot.node.position, quoted(spot.node.text)
    if spot.name in _LOOSE_PATTERNS:
        message = f'"{spot.name}" must be {_expected(schema)}, not {shown}'
        report.add(Rule.PROPERTY_TYPE, position, spot.path, message, f"write {_example(schema)}")
    elif spot.name == "name":
        _tell_name(spot, shown, position, report)


def _tell_name(spot: _Spot, shown: str, position: Position, report: Report) -> None:
    if spot.holder == "fields":
        instead = "use letters and digits only, beginning with a letter, such as TopicName"
        report.add(Rule.FIELD_NAME_WELL_FORMED, position, spot.path, f"invalid field name {shown}", instead)
        return
    if spot.holder == "errors":
        instead = "use capitals, digits and single underscores, beginning with a capital, such as REQUEST_TIMED_OUT"
        report.add(Rule.ERROR_NAME_WELL_FORMED, position, spot.path, f"invalid name of an error code {shown}", instead)
        return
    instead = "use letters, digits and underscores only, beginning with a capital, such as "
    if spot.holder == "commonStructs":
        message = f"invalid struct name {shown}"
        report.add(Rule.STRUCT_NAME_WELL_FORMED, position, spot.path, message, instead + "Cursor")
    else:
        message = f"invalid message name {shown}"
        report.add(Rule.MESSAGE_NAME_WELL_FORMED, position, spot.path, message, instead + "MetadataRequest")


def _tell_length(spot: _Spot, schema: Mapping[str, Any], report: Report) -> None:
    rules = {"fields": Rule.FIELD_NAME_WELL_FORMED, "commonStructs": Rule.STRUCT_NAME_WELL_FORMED}
    if isinstance(spot.node, ScalarNode):
        message = f"the name {quoted(spot.node.text)} is too long: {len(spot.node.text)} letters"
        instead = f"write a name of at most {schema['maxLength']} letters"
        rule = rules.get(spot.holder, Rule.MESSAGE_NAME_WELL_FORMED)
        report.add(rule, spot.node.position, spot.path, message, instead)


def _tell_range(spot: _Spot, schema: Mapping[str, Any], report: Report) -> None:
    if spot.name in ("apiKey", "tag", "headerVersions", "code"):
        limits = f"{schema['minimum']} to {schema['maximum']}"
        message = f'"{spot.name}" must be a number from {limits}'
        report.add(Rule.NUMBER_IN_RANGE, spot.node.position, spot.path, message, "write a number in that range")


def _where(spot: _Spot) -> str:
    holder = spot.name if spot.name in _LISTS else ""
    parts = {"fields": "a field", "commonStructs": "a struct", "errors": "an error code"}
    return f"in {parts.get(holder, spot.language.whole)}"


def _examples(schema: Mapping[str, Any]) -> list[Any]:
    """The examples of a property: its intended type, although coercion allows others."""
    if "examples" not in schema and "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        schema = cast(Mapping[str, Any], _validator(MESSAGE_SPEC).schema)["$defs"][name]
    return cast(list[Any], schema["examples"])


def _example(schema: Mapping[str, Any]) -> str:
    return json.dumps(_examples(schema)[0])


def _expected(schema: Mapping[str, Any]) -> str:
    return " or ".join(_JSON_TYPES[type(example)] for example in _examples(schema))


def _json_type(node: Node) -> str:
    if isinstance(node, ArrayNode):
        return "a list"
    if isinstance(node, ObjectNode):
        return "an object" if node.members else "an empty object"
    return quoted(node.text) if isinstance(node.value, str) else clipped(node.text)
