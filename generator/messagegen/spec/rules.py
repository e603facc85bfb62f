"""Every rule of the spec parser in one table: the name is the rule id of a finding, the value is what it checks."""

from __future__ import annotations

from enum import Enum, unique


@unique
class Rule(Enum):
    """A rule of the spec language. Code can be generated from any spec that breaks none of them."""

    # The text
    SPEC_TEXT_UTF8 = "Checks that the text of a spec is UTF-8 and its strings are whole Unicode characters."
    SPEC_TEXT_JSON = "Checks that a spec is JSON, with // and /* */ comments allowed."
    SPEC_TEXT_ONE_VALUE = "Checks that a spec is one JSON value with nothing but comments around it."
    SPEC_TEXT_NESTING = "Checks that objects and arrays are not nested too deeply to be read."
    SPEC_SIZE = "Checks that the text of a spec is not too large."
    PROPERTY_WRITTEN_ONCE = "Checks that no object has a property twice."

    # The structure
    PROPERTY_KNOWN = "Checks that properties are known."
    PROPERTY_REQUIRED = "Checks that required properties are present."
    PROPERTY_TYPE = "Checks that properties have values of the right JSON type."
    NUMBER_IN_RANGE = "Checks that API keys and error codes fit 16 bits and that tags and header versions fit 32 bits."
    VERSION_RANGE_WELL_FORMED = 'Checks that version ranges are "3", "0-9", "2+" or "none", lowest first.'
    MESSAGE_NAME_WELL_FORMED = "Checks that the message's name is a capitalised identifier."
    STRUCT_NAME_WELL_FORMED = "Checks that the names of structs are capitalised identifiers."
    FIELD_NAME_WELL_FORMED = "Checks that field names consist of letters and digits and start with a letter."
    MESSAGE_TYPE_KNOWN = "Checks that message types are known to Kafka."
    ENTITY_TYPE_KNOWN = "Checks that entity types are known to Kafka."
    LISTENER_KNOWN = "Checks that listeners are known to Kafka."

    # The message
    MESSAGE_VALID_VERSIONS_CLOSED = "Checks that validVersions is not open-ended."
    MESSAGE_FLEXIBLE_VERSIONS_WRITTEN = "Checks that a message says which of its versions are flexible."
    MESSAGE_FLEXIBLE_VERSIONS_OPEN_ENDED = "Checks that a message stays flexible once it is."
    MESSAGE_FLEXIBLE_VERSIONS_MEET_VALID = (
        "Checks that the flexible versions of a message do not start after its last version."
    )
    MESSAGE_DEPRECATED_VERSIONS_WITHIN_VALID = "Checks that the deprecated versions of a message are valid versions."
    REQUEST_API_KEY_WRITTEN = "Checks that requests and responses have an API key."
    LISTENERS_ONLY_ON_REQUESTS = "Checks that only requests name listeners."
    LATEST_VERSION_UNSTABLE_ONLY_ON_REQUESTS = "Checks that only requests set latestVersionUnstable."
    COORDINATOR_API_KEY_WRITTEN = "Checks that coordinator keys and values have an API key."
    COORDINATOR_KEY_VERSION_ZERO = "Checks that a coordinator key has version 0 only."
    COORDINATOR_KEY_NOT_FLEXIBLE = "Checks that a coordinator key has no flexible versions."
    HEADER_VERSIONS_ONLY_ON_REQUESTS_AND_RESPONSES = "Checks that only requests and responses map header versions."
    HEADER_VERSIONS_CONTIGUOUS = "Checks that header versions start at version 0 and cover each version exactly once."
    HEADER_VERSION_KNOWN = "Checks that each header version exists."
    HEADER_VERSIONS_NEVER_DECREASE = "Checks that a later version never has an earlier header."
    HEADER_VERSION_FLEXIBLE = "Checks that a flexible version has a flexible header."

    # Structs
    STRUCT_NAME_UNIQUE = "Checks that a struct is defined once in a message."
    STRUCT_NAME_NOT_MESSAGE_NAME = "Checks that no struct has the same name as its message."
    STRUCT_FIELDS_IN_ONE_PLACE = "Checks that a field whose type is a common struct does not list fields again."
    STRUCT_DEFINED = "Checks that a field whose type is a struct lists its fields, or names a common struct."
    STRUCT_USED = "Checks that a common struct is used."
    STRUCT_ABOUT_WITH_FIELDS = "Checks that only fields that define a struct have structAbout."
    STRUCT_NOT_INSIDE_COMMON_STRUCT = "Checks that common structs do not define nested structs."
    STRUCT_NESTING = "Checks that structs are not nested too deeply to be generated."
    STRUCT_NOT_RECURSIVE = "Checks that common structs are not recursive."
    STRUCT_VERSIONS_MEET_HOLDER = "Checks that a struct has versions in common with the enclosing struct."
    STRUCT_PRESENT_WHERE_USED = "Checks that a common struct is not used in versions before its first."
    MAP_KEY_INSIDE_STRUCT = "Checks that no top-level field of a message is a map key."

    # Fields
    FIELD_NAME_UNIQUE = "Checks that the fields of a struct have different names."
    FIELD_JSON_KEY_UNIQUE = "Checks that the fields of a struct have different keys in JSON."
    FIELD_TYPE_KNOWN = "Checks that the type of a field is one of Kafka's, or the name of a struct."
    ARRAY_ELEMENT_TYPE = "Checks that the elements of an array are neither arrays, nor bytes, nor records."
    FIELD_VERSIONS_WRITTEN = "Checks that a field states its versions."
    FIELD_VERSIONS_MEET_HOLDER = "Checks that a field exists in some version of the enclosing message or struct."
    FIELD_NULLABLE_TYPE = "Checks that only fields of nullable types are nullable."
    FIELDS_ONLY_IN_STRUCTS = "Checks that only structs and arrays list fields."
    FIELDS_OF_PRIMITIVE_ARRAY = "Checks that an array of primitives does not list fields."
    ENTITY_TYPE_FITS_TYPE = "Checks that the entity type of a field matches its type."
    FIELD_FLEXIBLE_VERSIONS_TYPE = "Checks that only string and bytes fields have their own flexible versions."
    FIELD_FLEXIBLE_VERSIONS_WITHIN_MESSAGE = "Checks that a field is flexible only in flexible versions of its message."
    ZERO_COPY_ONLY_ON_BYTES = "Checks that only bytes fields are zero copy."
    MAP_KEY_NOT_TAGGED = "Checks that no map key is a tagged field."
    DEFAULT_FITS_TYPE = "Checks that the default of a field is a value of its type."
    DEFAULT_NOT_OCTAL = "Checks that no default has a leading 0, which makes it octal."
    DEFAULT_NULL_WHERE_NULLABLE = (
        "Checks that the default of a field is null only if the field is nullable in all of its versions."
    )

    # Tagged fields
    TAG_NOT_NEGATIVE = "Checks that no tag is negative."
    TAG_WITH_TAGGED_VERSIONS = "Checks that tag and taggedVersions are used together."
    TAG_UNIQUE = "Checks that the tags of a struct are different."
    TAGS_CONTIGUOUS = "Checks that the tags of a struct run from 0 without gaps."
    TAGGED_VERSIONS_NULLABLE_ALL_OR_NONE = "Checks that a field is nullable in all of its tagged versions or in none."
    TAGGED_VERSIONS_OPEN_ENDED = "Checks that a field stays tagged once it is."
    TAGGED_VERSIONS_WITHIN_VERSIONS = "Checks that a field is tagged only in versions in which it exists."
    TAGGED_VERSIONS_WITHIN_FLEXIBLE_VERSIONS = "Checks that a field is tagged only in flexible versions."
    TAGGED_FIELD_NOT_RECORDS = "Checks that no tagged field is of type records."
    TAGGED_FIELD_NOT_ZERO_COPY = "Checks that no tagged field is zero copy."

    # Encodings, KIP-625
    ENCODING_KNOWN = "Checks that encodings are named (fixed|packed|upacked)(16|32|64)."
    ENCODING_FOR_INTEGERS = "Checks that only int16, int32 and int64, alone or in arrays, have an encoding."
    ENCODING_FITS_TYPE = "Checks that no encoding is wider than its type."
    ENCODING_COVERS_VERSIONS = "Checks that encodings cover exactly the versions of the field."
    ENCODING_RANGES_DISJOINT = "Checks that no version of a field has two encodings."
    ENCODING_WRITTEN_ONCE = "Checks that a field whose type names an encoding has no other encoding."
    TYPE_MAP_COVERS_VERSIONS = "Checks that types cover exactly the versions of the field."
    TYPE_MAP_RANGES_DISJOINT = "Checks that no version of a field has two types."
    TYPE_MAP_OF_INTEGERS = "Checks that only integers, alone or in arrays, have a type that depends on the version."

    # Error codes
    ERROR_NAME_WELL_FORMED = "Checks that names of error codes consist of capital letters, digits and underscores."
    ERROR_CODE_UNIQUE = "Checks that error codes have different numbers."
    ERROR_NAME_UNIQUE = "Checks that error codes have different names."
    ERROR_CODE_NONE = "Checks that error code 0, and only 0, is named NONE."

    # Several specs
    MESSAGE_NAME_UNIQUE = "Checks that messages in one output have different names."
    API_KEY_UNIQUE = "Checks that requests, and responses, in one output have different API keys."
