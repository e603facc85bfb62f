"""Examples of the rules about changes, which the command ``breaking`` checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from messagegen.examples.example import Example

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
    "FIELD_SAME_COLUMN_TYPE": Example(
        bad='{ "name": "Count", "type": "int64", "versions": "0+", "encoding": "fixed32" }',
        good='{ "name": "Count", "type": "int32", "versions": "0+", "encoding": "fixed32" }',
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
"""The examples, by rule id."""
