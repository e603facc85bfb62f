"""Examples of rules, for ``messagegen rules RULE``: parts of specs that break them, and parts that do not.

Each part is what a reader needs to see of a message: its properties, or its fields. A test adds the rest, and checks that the bad part
breaks the rule and that the good one does not. Rules of style have theirs in their docstrings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Example(NamedTuple):
    """What breaks a rule and what does not. A rule about changes also has what was there before."""

    bad: str
    good: str
    before: str = ""


SPECS: Final[Mapping[str, Example]] = {
    "SPEC_TEXT_JSON": Example(
        '{ "name": "Count", "type": "int32", "versions": "0+", }',
        '{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "PROPERTY_WRITTEN_ONCE": Example(
        '{ "name": "Count", "type": "int32", "versions": "0+", "versions": "2+" }',
        '{ "name": "Count", "type": "int32", "versions": "2+" }',
    ),
    "PROPERTY_KNOWN": Example(
        '{ "name": "Count", "type": "int32", "version": "0+" }',
        '{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "PROPERTY_REQUIRED": Example(
        '{ "name": "Count", "versions": "0+" }',
        '{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "PROPERTY_TYPE": Example(
        '{ "name": "note_text", "type": "string", "versions": "0+" }',
        '{ "name": "NoteText", "type": "string", "versions": "0+" }',
    ),
    "VERSION_RANGE_WELL_FORMED": Example(
        '{ "name": "Count", "type": "int32", "versions": "3-1" }',
        '{ "name": "Count", "type": "int32", "versions": "1-3" }',
    ),
    "VERSION_MAP_COVERS_VERSIONS": Example(
        '{ "name": "Count", "type": "int32", "versions": "0+", "encoding": { "0": "fixed32", "2+": "packed32" } }',
        '{ "name": "Count", "type": "int32", "versions": "0+", "encoding": { "0-1": "fixed32", "2+": "packed32" } }',
    ),
    "FIELD_TYPE_KNOWN": Example(
        '{ "name": "Count", "type": "integer", "versions": "0+" }',
        '{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "FIELD_VERSIONS_WRITTEN": Example(
        '{ "name": "Count", "type": "int32" }', '{ "name": "Count", "type": "int32", "versions": "0+" }'
    ),
    "DEFAULT_FITS_TYPE": Example(
        '{ "name": "Count", "type": "int8", "versions": "0+", "default": "200" }',
        '{ "name": "Count", "type": "int16", "versions": "0+", "default": "200" }',
    ),
    "DEFAULT_NOT_OCTAL": Example(
        '{ "name": "Count", "type": "int32", "versions": "0+", "default": "017" }',
        '{ "name": "Count", "type": "int32", "versions": "0+", "default": "17" }',
    ),
    "TYPE_MAP_OF_INTEGERS": Example(
        '{ "name": "Id", "type": { "0-1": "int32", "2+": "string" }, "versions": "0+" }',
        '{ "name": "Id", "type": { "0-1": "int32", "2+": "int64" }, "versions": "0+" }',
    ),
    "ERROR_CODE_UNIQUE": Example(
        '{ "code": 7, "name": "REQUEST_TIMED_OUT" },\n{ "code": 7, "name": "BROKER_NOT_AVAILABLE" }',
        '{ "code": 7, "name": "REQUEST_TIMED_OUT" },\n{ "code": 8, "name": "BROKER_NOT_AVAILABLE" }',
    ),
    "ERROR_CODE_NONE": Example('{ "code": 0, "name": "SUCCESS" }', '{ "code": 0, "name": "NONE" }'),
    "MESSAGE_VALID_VERSIONS_CLOSED": Example('"validVersions": "0+"', '"validVersions": "0-3"'),
    "MESSAGE_FLEXIBLE_VERSIONS_WRITTEN": Example(
        '"type": "data", "name": "Example", "validVersions": "0-3"',
        '"type": "data", "name": "Example", "validVersions": "0-3", "flexibleVersions": "0+"',
    ),
    "MESSAGE_FLEXIBLE_VERSIONS_OPEN_ENDED": Example('"flexibleVersions": "2-3"', '"flexibleVersions": "2+"'),
    "MESSAGE_DEPRECATED_VERSIONS_WITHIN_VALID": Example(
        '"validVersions": "0-3", "deprecatedVersions": "2-4"', '"validVersions": "0-3", "deprecatedVersions": "0-1"'
    ),
    "API_KEY_WRITTEN": Example(
        '"type": "request", "name": "PingRequest"', '"type": "request", "name": "PingRequest", "apiKey": 1000'
    ),
    "PROPERTY_FITS_MESSAGE_TYPE": Example(
        '"type": "data", "listeners": ["broker"]', '"type": "request", "apiKey": 1000, "listeners": ["broker"]'
    ),
    "COORDINATOR_KEY_VERSION_ZERO": Example(
        '"type": "coordinator-key", "apiKey": 4, "validVersions": "0-1", "flexibleVersions": "none"',
        '"type": "coordinator-key", "apiKey": 4, "validVersions": "0", "flexibleVersions": "none"',
    ),
    "HEADER_VERSION_FITS": Example(
        '"type": "request", "apiKey": 1000, "flexibleVersions": "2+", "headerVersions": { "0+": 1 }',
        '"type": "request", "apiKey": 1000, "flexibleVersions": "2+", "headerVersions": { "0-1": 1, "2+": 2 }',
    ),
    "MAP_KEY_INSIDE_STRUCT": Example(
        '{ "name": "Topic", "type": "string", "versions": "0+", "mapKey": true }',
        '{ "name": "Topics", "type": "[]Topic", "versions": "0+", "fields": [\n'
        '  { "name": "Name", "type": "string", "versions": "0+", "mapKey": true }\n]}',
    ),
    "STRUCT_NAME_UNIQUE": Example(
        '{ "name": "From", "type": "Place", "versions": "0+", "fields": [] },\n'
        '{ "name": "To", "type": "Place", "versions": "0+", "fields": [] }',
        '"commonStructs": [{ "name": "Place", "versions": "0+", "fields": [] }],\n"fields": [\n'
        '  { "name": "From", "type": "Place", "versions": "0+" },\n  { "name": "To", "type": "Place", "versions": "0+" }\n]',
    ),
    "STRUCT_NOT_INSIDE_COMMON_STRUCT": Example(
        '"commonStructs": [\n  { "name": "Page", "versions": "0+", "fields": [\n'
        '    { "name": "Rows", "type": "[]Row", "versions": "0+", "fields": [] }\n  ]}\n],\n'
        '"fields": [{ "name": "First", "type": "Page", "versions": "0+" }]',
        '"commonStructs": [\n  { "name": "Row", "versions": "0+", "fields": [] },\n'
        '  { "name": "Page", "versions": "0+", "fields": [{ "name": "Rows", "type": "[]Row", "versions": "0+" }]}\n],\n'
        '"fields": [{ "name": "First", "type": "Page", "versions": "0+" }]',
    ),
    "STRUCT_DEFINED": Example(
        '{ "name": "Shelves", "type": "[]Shelf", "versions": "0+" }',
        '{ "name": "Shelves", "type": "[]Shelf", "versions": "0+", "fields": [\n'
        '  { "name": "Height", "type": "int32", "versions": "0+" }\n]}',
    ),
    "STRUCT_NESTING": Example(
        '"commonStructs": [\n  { "name": "Node", "versions": "0+", "fields": [\n'
        '    { "name": "Children", "type": "[]Node", "versions": "0+" }\n  ]}\n],\n'
        '"fields": [{ "name": "Root", "type": "Node", "versions": "0+" }]',
        '"commonStructs": [\n  { "name": "Node", "versions": "0+", "fields": [\n'
        '    { "name": "Parent", "type": "int32", "versions": "0+" }\n  ]}\n],\n'
        '"fields": [{ "name": "Nodes", "type": "[]Node", "versions": "0+" }]',
    ),
    "STRUCT_USED": Example(
        '"commonStructs": [{ "name": "Place", "versions": "0+", "fields": [] }],\n"fields": []',
        '"commonStructs": [{ "name": "Place", "versions": "0+", "fields": [] }],\n'
        '"fields": [{ "name": "From", "type": "Place", "versions": "0+" }]',
    ),
    "STRUCT_PRESENT_WHERE_USED": Example(
        '"commonStructs": [{ "name": "Place", "versions": "2+", "fields": [] }],\n'
        '"fields": [{ "name": "From", "type": "Place", "versions": "0+" }]',
        '"commonStructs": [{ "name": "Place", "versions": "2+", "fields": [] }],\n'
        '"fields": [{ "name": "From", "type": "Place", "versions": "2+" }]',
    ),
    "FIELD_NAME_UNIQUE": Example(
        '{ "name": "Count", "type": "int32", "versions": "0" },\n{ "name": "count", "type": "int64", "versions": "1+" }',
        '{ "name": "Count", "type": "int32", "versions": "0" },\n{ "name": "Total", "type": "int64", "versions": "1+" }',
    ),
    "FIELD_VERSIONS_MEET_HOLDER": Example(
        '"validVersions": "0-3", "fields": [{ "name": "Count", "type": "int32", "versions": "4+" }]',
        '"validVersions": "0-4", "fields": [{ "name": "Count", "type": "int32", "versions": "4+" }]',
    ),
    "FIELDS_ONLY_IN_STRUCTS": Example(
        '{ "name": "Counts", "type": "[]int32", "versions": "0+", "fields": [\n'
        '  { "name": "Count", "type": "int32", "versions": "0+" }\n]}',
        '{ "name": "Counts", "type": "[]int32", "versions": "0+" }',
    ),
    "PROPERTY_FITS_TYPE": Example(
        '{ "name": "Count", "type": "int32", "versions": "0+", "nullableVersions": "0+" }',
        '{ "name": "Count", "type": "int32", "versions": "0+", "default": "-1" }',
    ),
    "ENCODING_FITS_TYPE": Example(
        '{ "name": "Count", "type": "int32", "versions": "0+", "encoding": "packed64" }',
        '{ "name": "Count", "type": "int32", "versions": "0+", "encoding": "packed32" }',
    ),
    "ENTITY_TYPE_KNOWN": Example(
        '{ "name": "Topic", "type": "string", "versions": "0+", "entityType": "topic_name" }',
        '{ "name": "Topic", "type": "string", "versions": "0+", "entityType": "topicName" }',
    ),
    "NAN_DEFAULT_IGNORABLE": Example(
        '{ "name": "Rate", "type": "float64", "versions": "1+", "default": "NaN" }',
        '{ "name": "Rate", "type": "float64", "versions": "1+", "default": "NaN", "ignorable": true }',
    ),
    "LAYOUT_FIELDS_LIMITED": Example(
        "each of 300 versions adds a field", "the fields that are added are tagged, which needs no new version"
    ),
    "DEFAULT_NULL_WHERE_NULLABLE": Example(
        '{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "2+", "default": "null" }',
        '{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "0+", "default": "null" }',
    ),
    "FIELD_FLEXIBLE_VERSIONS_WITHIN_MESSAGE": Example(
        '"flexibleVersions": "2+",\n'
        '"fields": [{ "name": "Rack", "type": "string", "versions": "0+", "flexibleVersions": "1+" }]',
        '"flexibleVersions": "2+",\n'
        '"fields": [{ "name": "Rack", "type": "string", "versions": "0+", "flexibleVersions": "none" }]',
    ),
    "TAG_WITH_TAGGED_VERSIONS": Example(
        '{ "name": "Rack", "type": "string", "versions": "2+", "tag": 0 }',
        '{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
    ),
    "TAGS_CONTIGUOUS": Example(
        '{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 1 }',
        '{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
    ),
    "TAGGED_VERSIONS_NULLABLE_ALL_OR_NONE": Example(
        '{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0, "nullableVersions": "3+" }',
        '{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0, "nullableVersions": "2+" }',
    ),
    "TAGGED_VERSIONS_OPEN_ENDED": Example(
        '{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2-3", "tag": 0 }',
        '{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
    ),
    "TAGGED_VERSIONS_WITHIN_VERSIONS": Example(
        '{ "name": "Rack", "type": "string", "versions": "3+", "taggedVersions": "2+", "tag": 0 }',
        '{ "name": "Rack", "type": "string", "versions": "3+", "taggedVersions": "3+", "tag": 0 }',
    ),
    "TAGGED_FIELD_PLAIN": Example(
        '{ "name": "Batch", "type": "records", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
        '{ "name": "Batch", "type": "bytes", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
    ),
    "MESSAGE_NAME_UNIQUE": Example(
        '"name": "SensorReading" and "name": "Sensor_Reading"', '"name": "SensorReading" and "name": "SensorSummary"'
    ),
    "API_KEY_UNIQUE": Example(
        '"name": "PingRequest", "apiKey": 1000 and "name": "MoveRequest", "apiKey": 1000',
        '"name": "PingRequest", "apiKey": 1000 and "name": "MoveRequest", "apiKey": 1001',
    ),
}
"""The rules of the spec language."""

_COUNT: Final = '{ "name": "Count", "type": "int32", "versions": "0+" }'
_RACK: Final = '{ "name": "Rack", "type": "string", "versions": "0+" }'
_REQUEST: Final = '"type": "request", "name": "ExampleRequest", "apiKey": 1000'
_TAGGED: Final = '{ "name": "Epoch", "type": "int32", "versions": "0+", "taggedVersions": "0+", "tag": 0 }'

CHANGES: Final[Mapping[str, Example]] = {
    "MESSAGE_NOT_REMOVED": Example("", '"name": "Example", "deprecatedVersions": "0-1"', '"name": "Example"'),
    "MESSAGE_SAME_NAME": Example(
        '"type": "request", "name": "PingRequest", "apiKey": 1000', _REQUEST + ', "about": "Asks."', _REQUEST
    ),
    "MESSAGE_SAME_TYPE": Example(
        '"type": "response", "name": "ExampleRequest", "apiKey": 1000', _REQUEST + ', "about": "Asks."', _REQUEST
    ),
    "MESSAGE_SAME_API_KEY": Example(
        '"type": "request", "name": "ExampleRequest", "apiKey": 1001', _REQUEST + ', "about": "Asks."', _REQUEST
    ),
    "MESSAGE_KEEPS_API_KEY": Example(
        '"type": "data", "apiKey": 8', '"type": "data", "apiKey": 7, "about": "Read."', '"type": "data", "apiKey": 7'
    ),
    "MESSAGE_VERSIONS_NOT_REMOVED": Example(
        '"validVersions": "1"', '"validVersions": "0-1", "deprecatedVersions": "0"', '"validVersions": "0-1"'
    ),
    "MESSAGE_VERSIONS_SAME_NUMBERS": Example(
        '"type": "coordinator-key", "validVersions": "0", "apiKey": 1, "flexibleVersions": "none"',
        '"type": "data", "validVersions": "1", "flexibleVersions": "none", "about": "A key."',
        '"type": "data", "validVersions": "1", "flexibleVersions": "none"',
    ),
    "MESSAGE_RELEASED_VERSION_STABLE": Example(
        _REQUEST + ', "validVersions": "0-1", "latestVersionUnstable": true',
        _REQUEST + ', "validVersions": "0-2", "latestVersionUnstable": true',
        _REQUEST + ', "validVersions": "0-1"',
    ),
    "MESSAGE_SAME_FLEXIBLE_VERSIONS": Example(
        '"validVersions": "0-1", "flexibleVersions": "0+"',
        '"validVersions": "0-2", "flexibleVersions": "2+"',
        '"validVersions": "0-1", "flexibleVersions": "none"',
    ),
    "MESSAGE_SAME_HEADER_VERSIONS": Example(
        _REQUEST + ', "headerVersions": { "0+": 3 }',
        _REQUEST + ', "validVersions": "0-2", "headerVersions": { "0-1": 2, "2+": 3 }',
        _REQUEST + ', "headerVersions": { "0+": 2 }',
    ),
    "MESSAGE_LISTENER_NOT_REMOVED": Example(
        _REQUEST + ', "listeners": ["controller"]',
        _REQUEST + ', "listeners": ["broker", "controller"]',
        _REQUEST + ', "listeners": ["broker"]',
    ),
    "STRUCT_SAME_NAME": Example(
        '{ "name": "Rows", "type": "[]Line", "versions": "0+", "fields": [' + _COUNT + "] }",
        '{ "name": "Rows", "type": "[]Row", "versions": "0+", "about": "All.", "fields": [' + _COUNT + "] }",
        '{ "name": "Rows", "type": "[]Row", "versions": "0+", "fields": [' + _COUNT + "] }",
    ),
    "FIELD_NOT_REMOVED": Example(
        _RACK,
        '"validVersions": "0-2", "fields": [{ "name": "Count", "type": "int32", "versions": "0-1" }, ' + _RACK + "]",
        f"{_COUNT},\n{_RACK}",
    ),
    "TAGGED_FIELD_NOT_REMOVED": Example(_COUNT, f"{_COUNT},\n{_TAGGED}", f"{_COUNT},\n{_TAGGED}"),
    "FIELD_NOT_ADDED": Example(
        f"{_COUNT},\n{_RACK}",
        f'"validVersions": "0-2", "fields": [{_COUNT}, {{ "name": "Rack", "type": "string", "versions": "2+" }}]',
        _COUNT,
    ),
    "FIELD_SAME_VERSIONS": Example(
        '{ "name": "Count", "type": "int32", "versions": "1+" }',
        '"validVersions": "0-2", "fields": [{ "name": "Count", "type": "int32", "versions": "0-1" }]',
        _COUNT,
    ),
    "FIELD_SAME_NAME": Example(
        '{ "name": "Total", "type": "int32", "versions": "0+" }',
        '{ "name": "Count", "type": "int32", "versions": "0+", "about": "How many." }',
        _COUNT,
    ),
    "FIELD_SAME_TYPE": Example(
        '{ "name": "Count", "type": "int64", "versions": "0+" }',
        '"validVersions": "0-2", "fields": [\n  { "name": "Count", "type": "int32", "versions": "0-1" },\n'
        '  { "name": "Total", "type": "int64", "versions": "2+" }\n]',
        _COUNT,
    ),
    "FIELD_SAME_ENCODING": Example(
        '{ "name": "Count", "type": "int32", "versions": "0+", "encoding": "packed32" }',
        '"validVersions": "0-2", "fields": [\n  { "name": "Count", "type": "int32", "versions": "0+",\n'
        '    "encoding": { "0-1": "fixed32", "2+": "packed32" } }\n]',
        _COUNT,
    ),
    "FIELD_SAME_NULLABLE_VERSIONS": Example(
        '{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "0+" }',
        '"validVersions": "0-2", "fields": [{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "2+" }]',
        _RACK,
    ),
    "FIELD_SAME_FLEXIBLE_VERSIONS": Example(
        '{ "name": "Rack", "type": "string", "versions": "0+", "flexibleVersions": "none" }',
        '{ "name": "Rack", "type": "string", "versions": "0+", "flexibleVersions": "0+" }',
        _RACK,
    ),
    "FIELD_SAME_TAG": Example(
        '{ "name": "Epoch", "type": "int32", "versions": "0+" }',
        '{ "name": "Epoch", "type": "int32", "versions": "0+", "taggedVersions": "0+", "tag": 0, "about": "The epoch." }',
        _TAGGED,
    ),
    "FIELD_SAME_ORDER": Example(f"{_RACK},\n{_COUNT}", f"{_COUNT},\n{_RACK}", f"{_COUNT},\n{_RACK}"),
    "TAGGED_FIELD_SAME_DEFAULT": Example(
        '{ "name": "Epoch", "type": "int32", "versions": "0+", "taggedVersions": "0+", "tag": 0, "default": "-1" }',
        _TAGGED,
        _TAGGED,
    ),
    "FIELD_SAME_DEFAULT": Example(
        '{ "name": "Count", "type": "int32", "versions": "0+", "default": "-1" }',
        '{ "name": "Count", "type": "int32", "versions": "0+", "default": "0" }',
        _COUNT,
    ),
    "FIELD_SAME_ATTRIBUTE": Example(
        '{ "name": "iSRNodes", "type": "int32", "versions": "0+" }',
        '{ "name": "ISRNodes", "type": "int32", "versions": "0+", "about": "How many." }',
        '{ "name": "ISRNodes", "type": "int32", "versions": "0+" }',
    ),
    "FIELD_SAME_JSON_NAME": Example(
        '{ "name": "TopicId", "type": "uuid", "versions": "0+" }',
        '{ "name": "TopicID", "type": "uuid", "versions": "0+", "about": "Which." }',
        '{ "name": "TopicID", "type": "uuid", "versions": "0+" }',
    ),
    "FIELD_SAME_ANNOTATION": Example(
        '"validVersions": "0-2", "fields": [{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "2+" }]',
        '"validVersions": "0-2", "fields": [' + _RACK + "]",
        _RACK,
    ),
    "FIELD_SAME_ENTITY_TYPE": Example(
        '{ "name": "Group", "type": "string", "versions": "0+" }',
        '{ "name": "Group", "type": "string", "versions": "0+", "entityType": "groupId", "about": "Which." }',
        '{ "name": "Group", "type": "string", "versions": "0+", "entityType": "groupId" }',
    ),
    "FIELD_SAME_IGNORABLE": Example(
        '{ "name": "Rack", "type": "string", "versions": "1+" }',
        '{ "name": "Rack", "type": "string", "versions": "1+", "ignorable": true, "about": "Where it is." }',
        '{ "name": "Rack", "type": "string", "versions": "1+", "ignorable": true }',
    ),
    "FIELD_STAYS_SENSITIVE": Example(
        '{ "name": "Password", "type": "string", "versions": "0+" }',
        '{ "name": "Password", "type": "string", "versions": "0+", "sensitive": true, "about": "A secret." }',
        '{ "name": "Password", "type": "string", "versions": "0+", "sensitive": true }',
    ),
}
"""The rules about changes."""

OTHERS: Final[Mapping[str, Example]] = {
    "SPEC_FORMATTED": Example(
        '{"name":"Count","type":"int32","versions":"0+"}', '{ "name": "Count", "type": "int32", "versions": "0+" }'
    ),
    "OUTPUT_UP_TO_DATE": Example(
        "a spec that was changed alone", "a spec and the code that `messagegen generate` wrote"
    ),
    "SPECS_CAN_MERGE": Example(
        "one field is an int32 in version 3 of one release and a string in version 3 of another",
        "one field is an int32 up to version 3 and a string from version 4 on",
    ),
}
"""The rules of other commands."""
