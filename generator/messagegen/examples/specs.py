"""Examples of the rules of the spec language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from messagegen.examples.example import Example

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
"""The examples, by rule id."""
