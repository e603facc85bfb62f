"""Examples of rules, for ``messagegen rules RULE``: parts of specs that break them, and parts that do not.

Each part is what a reader needs to see of a message: its properties, or its fields. A test adds the rest, and checks
that the bad part breaks the rule and that the good one does not. Rules of style have theirs in their docstrings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What breaks a rule and what does not. A rule about changes also has what was there before."""

    bad: str
    good: str
    before: str = ""


SPECS: Final[Mapping[str, Example]] = {
    "SPEC_TEXT_JSON": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "0+", }',
        good='{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "PROPERTY_WRITTEN_ONCE": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "0+", "versions": "2+" }',
        good='{ "name": "Count", "type": "int32", "versions": "2+" }',
    ),
    "PROPERTY_KNOWN": Example(
        bad='{ "name": "Count", "type": "int32", "version": "0+" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "PROPERTY_REQUIRED": Example(
        bad='{ "name": "Count", "versions": "0+" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "PROPERTY_TYPE": Example(
        bad='{ "name": "note_text", "type": "string", "versions": "0+" }',
        good='{ "name": "NoteText", "type": "string", "versions": "0+" }',
    ),
    "VERSION_RANGE_WELL_FORMED": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "3-1" }',
        good='{ "name": "Count", "type": "int32", "versions": "1-3" }',
    ),
    "VERSION_MAP_COVERS_VERSIONS": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "0+", "encoding": { "0": "fixed32", "2+": "packed32" } }',
        good=(
            '{ "name": "Count", "type": "int32", "versions": "0+", '
            '"encoding": { "0-1": "fixed32", "2+": "packed32" } }'
        ),
    ),
    "FIELD_TYPE_KNOWN": Example(
        bad='{ "name": "Count", "type": "integer", "versions": "0+" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "FIELD_VERSIONS_WRITTEN": Example(
        bad='{ "name": "Count", "type": "int32" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "DEFAULT_FITS_TYPE": Example(
        bad='{ "name": "Count", "type": "int8", "versions": "0+", "default": "200" }',
        good='{ "name": "Count", "type": "int16", "versions": "0+", "default": "200" }',
    ),
    "DEFAULT_NOT_OCTAL": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "0+", "default": "017" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+", "default": "17" }',
    ),
    "TYPE_MAP_OF_INTEGERS": Example(
        bad='{ "name": "Id", "type": { "0-1": "int32", "2+": "string" }, "versions": "0+" }',
        good='{ "name": "Id", "type": { "0-1": "int32", "2+": "int64" }, "versions": "0+" }',
    ),
    "ERROR_CODE_UNIQUE": Example(
        bad='{ "code": 7, "name": "REQUEST_TIMED_OUT" },\n{ "code": 7, "name": "BROKER_NOT_AVAILABLE" }',
        good='{ "code": 7, "name": "REQUEST_TIMED_OUT" },\n{ "code": 8, "name": "BROKER_NOT_AVAILABLE" }',
    ),
    "ERROR_CODE_NONE": Example(
        bad='{ "code": 0, "name": "SUCCESS" }',
        good='{ "code": 0, "name": "NONE" }',
    ),
    "MESSAGE_VALID_VERSIONS_CLOSED": Example(
        bad='"validVersions": "0+"',
        good='"validVersions": "0-3"',
    ),
    "MESSAGE_FLEXIBLE_VERSIONS_WRITTEN": Example(
        bad='"type": "data", "name": "Example", "validVersions": "0-3"',
        good='"type": "data", "name": "Example", "validVersions": "0-3", "flexibleVersions": "0+"',
    ),
    "MESSAGE_FLEXIBLE_VERSIONS_OPEN_ENDED": Example(
        bad='"flexibleVersions": "2-3"',
        good='"flexibleVersions": "2+"',
    ),
    "MESSAGE_DEPRECATED_VERSIONS_WITHIN_VALID": Example(
        bad='"validVersions": "0-3", "deprecatedVersions": "2-4"',
        good='"validVersions": "0-3", "deprecatedVersions": "0-1"',
    ),
    "API_KEY_WRITTEN": Example(
        bad='"type": "request", "name": "PingRequest"',
        good='"type": "request", "name": "PingRequest", "apiKey": 1000',
    ),
    "PROPERTY_FITS_MESSAGE_TYPE": Example(
        bad='"type": "data", "listeners": ["broker"]',
        good='"type": "request", "apiKey": 1000, "listeners": ["broker"]',
    ),
    "COORDINATOR_KEY_VERSION_ZERO": Example(
        bad='"type": "coordinator-key", "apiKey": 4, "validVersions": "0-1", "flexibleVersions": "none"',
        good='"type": "coordinator-key", "apiKey": 4, "validVersions": "0", "flexibleVersions": "none"',
    ),
    "HEADER_VERSION_FITS": Example(
        bad='"type": "request", "apiKey": 1000, "flexibleVersions": "2+", "headerVersions": { "0+": 1 }',
        good='"type": "request", "apiKey": 1000, "flexibleVersions": "2+", "headerVersions": { "0-1": 1, "2+": 2 }',
    ),
    "MAP_KEY_INSIDE_STRUCT": Example(
        bad='{ "name": "Topic", "type": "string", "versions": "0+", "mapKey": true }',
        good='{ "name": "Topics", "type": "[]Topic", "versions": "0+", "fields": [\n'
        '  { "name": "Name", "type": "string", "versions": "0+", "mapKey": true }\n]}',
    ),
    "STRUCT_NAME_UNIQUE": Example(
        bad='{ "name": "From", "type": "Place", "versions": "0+", "fields": [] },\n'
        '{ "name": "To", "type": "Place", "versions": "0+", "fields": [] }',
        good='"commonStructs": [{ "name": "Place", "versions": "0+", "fields": [] }],\n"fields": [\n'
        '  { "name": "From", "type": "Place", "versions": "0+" },\n'
        '  { "name": "To", "type": "Place", "versions": "0+" }\n]',
    ),
    "STRUCT_NOT_INSIDE_COMMON_STRUCT": Example(
        bad='"commonStructs": [\n  { "name": "Page", "versions": "0+", "fields": [\n'
        '    { "name": "Rows", "type": "[]Row", "versions": "0+", "fields": [] }\n  ]}\n],\n'
        '"fields": [{ "name": "First", "type": "Page", "versions": "0+" }]',
        good='"commonStructs": [\n  { "name": "Row", "versions": "0+", "fields": [] },\n'
        '  { "name": "Page", "versions": "0+", "fields": [{ "name": "Rows", "type": "[]Row", "versions": "0+" }]}\n],\n'
        '"fields": [{ "name": "First", "type": "Page", "versions": "0+" }]',
    ),
    "STRUCT_DEFINED": Example(
        bad='{ "name": "Shelves", "type": "[]Shelf", "versions": "0+" }',
        good='{ "name": "Shelves", "type": "[]Shelf", "versions": "0+", "fields": [\n'
        '  { "name": "Height", "type": "int32", "versions": "0+" }\n]}',
    ),
    "STRUCT_NESTING": Example(
        bad='"commonStructs": [\n  { "name": "Node", "versions": "0+", "fields": [\n'
        '    { "name": "Children", "type": "[]Node", "versions": "0+" }\n  ]}\n],\n'
        '"fields": [{ "name": "Root", "type": "Node", "versions": "0+" }]',
        good='"commonStructs": [\n  { "name": "Node", "versions": "0+", "fields": [\n'
        '    { "name": "Parent", "type": "int32", "versions": "0+" }\n  ]}\n],\n'
        '"fields": [{ "name": "Nodes", "type": "[]Node", "versions": "0+" }]',
    ),
    "STRUCT_USED": Example(
        bad='"commonStructs": [{ "name": "Place", "versions": "0+", "fields": [] }],\n"fields": []',
        good='"commonStructs": [{ "name": "Place", "versions": "0+", "fields": [] }],\n'
        '"fields": [{ "name": "From", "type": "Place", "versions": "0+" }]',
    ),
    "STRUCT_PRESENT_WHERE_USED": Example(
        bad='"commonStructs": [{ "name": "Place", "versions": "2+", "fields": [] }],\n'
        '"fields": [{ "name": "From", "type": "Place", "versions": "0+" }]',
        good='"commonStructs": [{ "name": "Place", "versions": "2+", "fields": [] }],\n'
        '"fields": [{ "name": "From", "type": "Place", "versions": "2+" }]',
    ),
    "FIELD_NAME_UNIQUE": Example(
        bad=(
            '{ "name": "Count", "type": "int32", "versions": "0" },\n'
            '{ "name": "count", "type": "int64", "versions": "1+" }'
        ),
        good=(
            '{ "name": "Count", "type": "int32", "versions": "0" },\n'
            '{ "name": "Total", "type": "int64", "versions": "1+" }'
        ),
    ),
    "FIELD_VERSIONS_MEET_HOLDER": Example(
        bad='"validVersions": "0-3", "fields": [{ "name": "Count", "type": "int32", "versions": "4+" }]',
        good='"validVersions": "0-4", "fields": [{ "name": "Count", "type": "int32", "versions": "4+" }]',
    ),
    "FIELDS_ONLY_IN_STRUCTS": Example(
        bad='{ "name": "Counts", "type": "[]int32", "versions": "0+", "fields": [\n'
        '  { "name": "Count", "type": "int32", "versions": "0+" }\n]}',
        good='{ "name": "Counts", "type": "[]int32", "versions": "0+" }',
    ),
    "PROPERTY_FITS_TYPE": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "0+", "nullableVersions": "0+" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+", "default": "-1" }',
    ),
    "ENCODING_FITS_TYPE": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "0+", "encoding": "packed64" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+", "encoding": "packed32" }',
    ),
    "ENTITY_TYPE_KNOWN": Example(
        bad='{ "name": "Topic", "type": "string", "versions": "0+", "entityType": "topic_name" }',
        good='{ "name": "Topic", "type": "string", "versions": "0+", "entityType": "topicName" }',
    ),
    "NAN_DEFAULT_IGNORABLE": Example(
        bad='{ "name": "Rate", "type": "float64", "versions": "1+", "default": "NaN" }',
        good='{ "name": "Rate", "type": "float64", "versions": "1+", "default": "NaN", "ignorable": true }',
    ),
    "LAYOUT_FIELDS_LIMITED": Example(
        bad="each of 300 versions adds a field",
        good="the fields that are added are tagged, which needs no new version",
    ),
    "DEFAULT_NULL_WHERE_NULLABLE": Example(
        bad='{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "2+", "default": "null" }',
        good='{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "0+", "default": "null" }',
    ),
    "FIELD_FLEXIBLE_VERSIONS_WITHIN_MESSAGE": Example(
        bad='"flexibleVersions": "2+",\n'
        '"fields": [{ "name": "Rack", "type": "string", "versions": "0+", "flexibleVersions": "1+" }]',
        good='"flexibleVersions": "2+",\n'
        '"fields": [{ "name": "Rack", "type": "string", "versions": "0+", "flexibleVersions": "none" }]',
    ),
    "TAG_WITH_TAGGED_VERSIONS": Example(
        bad='{ "name": "Rack", "type": "string", "versions": "2+", "tag": 0 }',
        good='{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
    ),
    "TAGS_CONTIGUOUS": Example(
        bad='{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 1 }',
        good='{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
    ),
    "TAGGED_VERSIONS_NULLABLE_ALL_OR_NONE": Example(
        bad=(
            '{ "name": "Rack", "type": "string", "versions": "2+", '
            '"taggedVersions": "2+", "tag": 0, "nullableVersions": "3+" }'
        ),
        good=(
            '{ "name": "Rack", "type": "string", "versions": "2+", '
            '"taggedVersions": "2+", "tag": 0, "nullableVersions": "2+" }'
        ),
    ),
    "TAGGED_VERSIONS_OPEN_ENDED": Example(
        bad='{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2-3", "tag": 0 }',
        good='{ "name": "Rack", "type": "string", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
    ),
    "TAGGED_VERSIONS_WITHIN_VERSIONS": Example(
        bad='{ "name": "Rack", "type": "string", "versions": "3+", "taggedVersions": "2+", "tag": 0 }',
        good='{ "name": "Rack", "type": "string", "versions": "3+", "taggedVersions": "3+", "tag": 0 }',
    ),
    "TAGGED_FIELD_PLAIN": Example(
        bad='{ "name": "Batch", "type": "records", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
        good='{ "name": "Batch", "type": "bytes", "versions": "2+", "taggedVersions": "2+", "tag": 0 }',
    ),
    "MESSAGE_NAME_UNIQUE": Example(
        bad='"name": "SensorReading" and "name": "Sensor_Reading"',
        good='"name": "SensorReading" and "name": "SensorSummary"',
    ),
    "API_KEY_UNIQUE": Example(
        bad='"name": "PingRequest", "apiKey": 1000 and "name": "MoveRequest", "apiKey": 1000',
        good='"name": "PingRequest", "apiKey": 1000 and "name": "MoveRequest", "apiKey": 1001',
    ),
}
"""The rules of the spec language."""

_COUNT: Final = '{ "name": "Count", "type": "int32", "versions": "0+" }'
_RACK: Final = '{ "name": "Rack", "type": "string", "versions": "0+" }'
_REQUEST: Final = '"type": "request", "name": "ExampleRequest", "apiKey": 1000'
_TAGGED: Final = '{ "name": "Epoch", "type": "int32", "versions": "0+", "taggedVersions": "0+", "tag": 0 }'

CHANGES: Final[Mapping[str, Example]] = {
    "MESSAGE_NOT_REMOVED": Example(
        bad="",
        good='"name": "Example", "deprecatedVersions": "0-1"',
        before='"name": "Example"',
    ),
    "MESSAGE_SAME_NAME": Example(
        bad='"type": "request", "name": "PingRequest", "apiKey": 1000',
        good=_REQUEST + ', "about": "Asks."',
        before=_REQUEST,
    ),
    "MESSAGE_SAME_TYPE": Example(
        bad='"type": "response", "name": "ExampleRequest", "apiKey": 1000',
        good=_REQUEST + ', "about": "Asks."',
        before=_REQUEST,
    ),
    "MESSAGE_SAME_API_KEY": Example(
        bad='"type": "request", "name": "ExampleRequest", "apiKey": 1001',
        good=_REQUEST + ', "about": "Asks."',
        before=_REQUEST,
    ),
    "MESSAGE_KEEPS_API_KEY": Example(
        bad='"type": "data", "apiKey": 8',
        good='"type": "data", "apiKey": 7, "about": "Read."',
        before='"type": "data", "apiKey": 7',
    ),
    "MESSAGE_VERSIONS_NOT_REMOVED": Example(
        bad='"validVersions": "1"',
        good='"validVersions": "0-1", "deprecatedVersions": "0"',
        before='"validVersions": "0-1"',
    ),
    "MESSAGE_VERSIONS_SAME_NUMBERS": Example(
        bad='"type": "coordinator-key", "validVersions": "0", "apiKey": 1, "flexibleVersions": "none"',
        good='"type": "data", "validVersions": "1", "flexibleVersions": "none", "about": "A key."',
        before='"type": "data", "validVersions": "1", "flexibleVersions": "none"',
    ),
    "MESSAGE_RELEASED_VERSION_STABLE": Example(
        bad=_REQUEST + ', "validVersions": "0-1", "latestVersionUnstable": true',
        good=_REQUEST + ', "validVersions": "0-2", "latestVersionUnstable": true',
        before=_REQUEST + ', "validVersions": "0-1"',
    ),
    "MESSAGE_SAME_FLEXIBLE_VERSIONS": Example(
        bad='"validVersions": "0-1", "flexibleVersions": "0+"',
        good='"validVersions": "0-2", "flexibleVersions": "2+"',
        before='"validVersions": "0-1", "flexibleVersions": "none"',
    ),
    "MESSAGE_SAME_HEADER_VERSIONS": Example(
        bad=_REQUEST + ', "headerVersions": { "0+": 3 }',
        good=_REQUEST + ', "validVersions": "0-2", "headerVersions": { "0-1": 2, "2+": 3 }',
        before=_REQUEST + ', "headerVersions": { "0+": 2 }',
    ),
    "MESSAGE_LISTENER_NOT_REMOVED": Example(
        bad=_REQUEST + ', "listeners": ["controller"]',
        good=_REQUEST + ', "listeners": ["broker", "controller"]',
        before=_REQUEST + ', "listeners": ["broker"]',
    ),
    "STRUCT_SAME_NAME": Example(
        bad='{ "name": "Rows", "type": "[]Line", "versions": "0+", "fields": [' + _COUNT + "] }",
        good='{ "name": "Rows", "type": "[]Row", "versions": "0+", "about": "All.", "fields": [' + _COUNT + "] }",
        before='{ "name": "Rows", "type": "[]Row", "versions": "0+", "fields": [' + _COUNT + "] }",
    ),
    "FIELD_NOT_REMOVED": Example(
        bad=_RACK,
        good='"validVersions": "0-2", "fields": [{ "name": "Count", "type": "int32", "versions": "0-1" }, '
        + _RACK
        + "]",
        before=f"{_COUNT},\n{_RACK}",
    ),
    "TAGGED_FIELD_NOT_REMOVED": Example(
        bad=_COUNT,
        good=f"{_COUNT},\n{_TAGGED}",
        before=f"{_COUNT},\n{_TAGGED}",
    ),
    "FIELD_NOT_ADDED": Example(
        bad=f"{_COUNT},\n{_RACK}",
        good=f'"validVersions": "0-2", "fields": [{_COUNT}, {{ "name": "Rack", "type": "string", "versions": "2+" }}]',
        before=_COUNT,
    ),
    "FIELD_SAME_VERSIONS": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "1+" }',
        good='"validVersions": "0-2", "fields": [{ "name": "Count", "type": "int32", "versions": "0-1" }]',
        before=_COUNT,
    ),
    "FIELD_SAME_NAME": Example(
        bad='{ "name": "Total", "type": "int32", "versions": "0+" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+", "about": "How many." }',
        before=_COUNT,
    ),
    "FIELD_SAME_TYPE": Example(
        bad='{ "name": "Count", "type": "int64", "versions": "0+" }',
        good='"validVersions": "0-2", "fields": [\n  { "name": "Count", "type": "int32", "versions": "0-1" },\n'
        '  { "name": "Total", "type": "int64", "versions": "2+" }\n]',
        before=_COUNT,
    ),
    "FIELD_SAME_ENCODING": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "0+", "encoding": "packed32" }',
        good='"validVersions": "0-2", "fields": [\n  { "name": "Count", "type": "int32", "versions": "0+",\n'
        '    "encoding": { "0-1": "fixed32", "2+": "packed32" } }\n]',
        before=_COUNT,
    ),
    "FIELD_SAME_NULLABLE_VERSIONS": Example(
        bad='{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "0+" }',
        good=(
            '"validVersions": "0-2", '
            '"fields": [{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "2+" }]'
        ),
        before=_RACK,
    ),
    "FIELD_SAME_FLEXIBLE_VERSIONS": Example(
        bad='{ "name": "Rack", "type": "string", "versions": "0+", "flexibleVersions": "none" }',
        good='{ "name": "Rack", "type": "string", "versions": "0+", "flexibleVersions": "0+" }',
        before=_RACK,
    ),
    "FIELD_SAME_TAG": Example(
        bad='{ "name": "Epoch", "type": "int32", "versions": "0+" }',
        good=(
            '{ "name": "Epoch", "type": "int32", "versions": "0+", '
            '"taggedVersions": "0+", "tag": 0, "about": "The epoch." }'
        ),
        before=_TAGGED,
    ),
    "FIELD_SAME_ORDER": Example(
        bad=f"{_RACK},\n{_COUNT}",
        good=f"{_COUNT},\n{_RACK}",
        before=f"{_COUNT},\n{_RACK}",
    ),
    "TAGGED_FIELD_SAME_DEFAULT": Example(
        bad='{ "name": "Epoch", "type": "int32", "versions": "0+", "taggedVersions": "0+", "tag": 0, "default": "-1" }',
        good=_TAGGED,
        before=_TAGGED,
    ),
    "FIELD_SAME_DEFAULT": Example(
        bad='{ "name": "Count", "type": "int32", "versions": "0+", "default": "-1" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+", "default": "0" }',
        before=_COUNT,
    ),
    "FIELD_SAME_ATTRIBUTE": Example(
        bad='{ "name": "iSRNodes", "type": "int32", "versions": "0+" }',
        good='{ "name": "ISRNodes", "type": "int32", "versions": "0+", "about": "How many." }',
        before='{ "name": "ISRNodes", "type": "int32", "versions": "0+" }',
    ),
    "FIELD_SAME_JSON_NAME": Example(
        bad='{ "name": "TopicId", "type": "uuid", "versions": "0+" }',
        good='{ "name": "TopicID", "type": "uuid", "versions": "0+", "about": "Which." }',
        before='{ "name": "TopicID", "type": "uuid", "versions": "0+" }',
    ),
    "FIELD_SAME_ANNOTATION": Example(
        bad=(
            '"validVersions": "0-2", '
            '"fields": [{ "name": "Rack", "type": "string", "versions": "0+", "nullableVersions": "2+" }]'
        ),
        good='"validVersions": "0-2", "fields": [' + _RACK + "]",
        before=_RACK,
    ),
    "FIELD_SAME_ENTITY_TYPE": Example(
        bad='{ "name": "Group", "type": "string", "versions": "0+" }',
        good='{ "name": "Group", "type": "string", "versions": "0+", "entityType": "groupId", "about": "Which." }',
        before='{ "name": "Group", "type": "string", "versions": "0+", "entityType": "groupId" }',
    ),
    "FIELD_SAME_IGNORABLE": Example(
        bad='{ "name": "Rack", "type": "string", "versions": "1+" }',
        good='{ "name": "Rack", "type": "string", "versions": "1+", "ignorable": true, "about": "Where it is." }',
        before='{ "name": "Rack", "type": "string", "versions": "1+", "ignorable": true }',
    ),
    "FIELD_STAYS_SENSITIVE": Example(
        bad='{ "name": "Password", "type": "string", "versions": "0+" }',
        good='{ "name": "Password", "type": "string", "versions": "0+", "sensitive": true, "about": "A secret." }',
        before='{ "name": "Password", "type": "string", "versions": "0+", "sensitive": true }',
    ),
}
"""The rules about changes."""

OTHERS: Final[Mapping[str, Example]] = {
    "SPEC_FORMATTED": Example(
        bad='{"name":"Count","type":"int32","versions":"0+"}',
        good='{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "OUTPUT_UP_TO_DATE": Example(
        bad="a spec that was changed alone",
        good="a spec and the code that `messagegen generate` wrote",
    ),
    "SPECS_CAN_MERGE": Example(
        bad="one field is an int32 in version 3 of one release and a string in version 3 of another",
        good="one field is an int32 up to version 3 and a string from version 4 on",
    ),
}
"""The rules of other commands."""
