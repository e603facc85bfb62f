"""Rules that earlier versions had, with what became of them: configurations and comments may still name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Moved(NamedTuple):
    """What became of a rule: the rule that checks the same ``now``, or why nothing does any more."""

    now: str = ""
    why: str = ""

    @property
    def advice(self) -> str:
        """What to write instead."""
        return f"it is {self.now} now" if self.now else f"it was removed, because {self.why}; remove it"


_ONE_FORM: Final = Moved(why="how a value is written changes nothing")

MOVED: Final[Mapping[str, Moved]] = {
    # The text
    "SPEC_SIZE": Moved("SPEC_TEXT_JSON"),
    "SPEC_TEXT_NESTING": Moved("SPEC_TEXT_JSON"),
    "SPEC_TEXT_ONE_VALUE": Moved("SPEC_TEXT_JSON"),
    "SPEC_TEXT_UTF8": Moved("SPEC_TEXT_JSON"),
    # The structure
    "ENCODING_KNOWN": Moved("PROPERTY_TYPE"),
    "ERROR_NAME_WELL_FORMED": Moved("PROPERTY_TYPE"),
    "FIELD_NAME_WELL_FORMED": Moved("PROPERTY_TYPE"),
    "LISTENER_KNOWN": Moved("PROPERTY_TYPE"),
    "MESSAGE_NAME_WELL_FORMED": Moved("PROPERTY_TYPE"),
    "MESSAGE_TYPE_KNOWN": Moved("PROPERTY_TYPE"),
    "NUMBER_IN_RANGE": Moved("PROPERTY_TYPE"),
    "STRUCT_NAME_WELL_FORMED": Moved("PROPERTY_TYPE"),
    "TAG_NOT_NEGATIVE": Moved("PROPERTY_TYPE"),
    # The message
    "COORDINATOR_API_KEY_WRITTEN": Moved("API_KEY_WRITTEN"),
    "COORDINATOR_KEY_NOT_FLEXIBLE": Moved("COORDINATOR_KEY_VERSION_ZERO"),
    "HEADER_VERSION_FLEXIBLE": Moved("HEADER_VERSION_FITS"),
    "HEADER_VERSION_KNOWN": Moved("HEADER_VERSION_FITS"),
    "HEADER_VERSIONS_CONTIGUOUS": Moved("VERSION_MAP_COVERS_VERSIONS"),
    "HEADER_VERSIONS_NEVER_DECREASE": Moved("HEADER_VERSION_FITS"),
    "HEADER_VERSIONS_ONLY_ON_REQUESTS_AND_RESPONSES": Moved("PROPERTY_FITS_MESSAGE_TYPE"),
    "LATEST_VERSION_UNSTABLE_ONLY_ON_REQUESTS": Moved("PROPERTY_FITS_MESSAGE_TYPE"),
    "LISTENERS_ONLY_ON_REQUESTS": Moved("PROPERTY_FITS_MESSAGE_TYPE"),
    "MESSAGE_FLEXIBLE_VERSIONS_MEET_VALID": Moved("LATEST_VERSION_FLEXIBLE"),
    "REQUEST_API_KEY_WRITTEN": Moved("API_KEY_WRITTEN"),
    # Structs
    "STRUCT_ABOUT_WITH_FIELDS": Moved("FIELDS_ONLY_IN_STRUCTS"),
    "STRUCT_FIELDS_IN_ONE_PLACE": Moved("STRUCT_NAME_UNIQUE"),
    "STRUCT_NAME_NOT_MESSAGE_NAME": Moved("STRUCT_NAME_UNIQUE"),
    "STRUCT_NOT_RECURSIVE": Moved("STRUCT_NESTING"),
    "STRUCT_VERSIONS_MEET_HOLDER": Moved("FIELD_VERSIONS_MEET_HOLDER"),
    # Fields
    "ARRAY_ELEMENT_TYPE": Moved("FIELD_TYPE_KNOWN"),
    "ENTITY_TYPE_FITS_TYPE": Moved("PROPERTY_FITS_TYPE"),
    "FIELD_FLEXIBLE_VERSIONS_TYPE": Moved("PROPERTY_FITS_TYPE"),
    "FIELD_JSON_KEY_UNIQUE": Moved("FIELD_NAME_UNIQUE"),
    "FIELD_NULLABLE_TYPE": Moved("PROPERTY_FITS_TYPE"),
    "FIELDS_OF_PRIMITIVE_ARRAY": Moved("FIELDS_ONLY_IN_STRUCTS"),
    "MAP_KEY_NOT_TAGGED": Moved("TAGGED_FIELD_PLAIN"),
    "TAG_UNIQUE": Moved("TAGS_CONTIGUOUS"),
    "TAGGED_FIELD_NOT_RECORDS": Moved("TAGGED_FIELD_PLAIN"),
    "TAGGED_FIELD_NOT_ZERO_COPY": Moved("TAGGED_FIELD_PLAIN"),
    "TAGGED_VERSIONS_WITHIN_FLEXIBLE_VERSIONS": Moved("TAGGED_VERSIONS_WITHIN_VERSIONS"),
    "ZERO_COPY_ONLY_ON_BYTES": Moved("PROPERTY_FITS_TYPE"),
    # Encodings
    "ENCODING_COVERS_VERSIONS": Moved("VERSION_MAP_COVERS_VERSIONS"),
    "ENCODING_FOR_INTEGERS": Moved("PROPERTY_FITS_TYPE"),
    "ENCODING_RANGES_DISJOINT": Moved("VERSION_MAP_COVERS_VERSIONS"),
    "ENCODING_WRITTEN_ONCE": Moved("PROPERTY_FITS_TYPE"),
    "TYPE_MAP_COVERS_VERSIONS": Moved("VERSION_MAP_COVERS_VERSIONS"),
    "TYPE_MAP_RANGES_DISJOINT": Moved("VERSION_MAP_COVERS_VERSIONS"),
    # Error codes
    "ERROR_NAME_UNIQUE": Moved("ERROR_CODE_UNIQUE"),
    # Style
    "DEFAULT_NOT_REDUNDANT": _ONE_FORM,
    "DEFAULT_SPELLING": _ONE_FORM,
    "PROPERTY_NOT_REDUNDANT": _ONE_FORM,
    "TYPE_SPELLING": _ONE_FORM,
    "VALUE_SPELLING": _ONE_FORM,
    "VERSIONS_SPELLING": _ONE_FORM,
    # Changes
    "FIELD_ATTRIBUTE_NOT_REMOVED": Moved("FIELD_NOT_REMOVED"),
    "FIELD_NAME_NOT_REUSED": Moved("FIELD_SAME_NAME"),
    "FIELD_SAME_MAP_KEY": Moved(why="a map key changes nothing in Python"),
    "FIELD_SAME_PYTHON_TYPE": Moved("FIELD_SAME_ANNOTATION"),
    "FIELD_SAME_TAGGED_VERSIONS": Moved("FIELD_SAME_TAG"),
    "FIELD_SAME_WIRE_TYPE": Moved("FIELD_SAME_TYPE"),
    "TAG_NOT_REUSED": Moved("FIELD_SAME_TAG"),
}
"""By the id that the rule had. A rule that is removed or renamed gets a row."""
