"""Rules that earlier versions had, with what became of them: configurations and comments may still name them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What became of a rule: the rule that checks the same ``now``, or why nothing does any more."""

    now: str = ""
    removed_because: str = ""

    @property
    def advice(self) -> str:
        """What to write instead."""
        if self.now:
            return f"it is {self.now} now"
        return f"it was removed, because {self.removed_because}; remove it"


_NO_EFFECT: Final = "how a value is written changes nothing"

MOVED: Final[Mapping[str, Moved]] = {
    # The text
    "SPEC_SIZE": Moved(now="SPEC_TEXT_JSON"),
    "SPEC_TEXT_NESTING": Moved(now="SPEC_TEXT_JSON"),
    "SPEC_TEXT_ONE_VALUE": Moved(now="SPEC_TEXT_JSON"),
    "SPEC_TEXT_UTF8": Moved(now="SPEC_TEXT_JSON"),
    # The structure
    "ENCODING_KNOWN": Moved(now="PROPERTY_TYPE"),
    "ERROR_NAME_WELL_FORMED": Moved(now="PROPERTY_TYPE"),
    "FIELD_NAME_WELL_FORMED": Moved(now="PROPERTY_TYPE"),
    "LISTENER_KNOWN": Moved(now="PROPERTY_TYPE"),
    "MESSAGE_NAME_WELL_FORMED": Moved(now="PROPERTY_TYPE"),
    "MESSAGE_TYPE_KNOWN": Moved(now="PROPERTY_TYPE"),
    "NUMBER_IN_RANGE": Moved(now="PROPERTY_TYPE"),
    "STRUCT_NAME_WELL_FORMED": Moved(now="PROPERTY_TYPE"),
    "TAG_NOT_NEGATIVE": Moved(now="PROPERTY_TYPE"),
    # The message
    "COORDINATOR_API_KEY_WRITTEN": Moved(now="API_KEY_WRITTEN"),
    "COORDINATOR_KEY_NOT_FLEXIBLE": Moved(now="COORDINATOR_KEY_VERSION_ZERO"),
    "HEADER_VERSION_FLEXIBLE": Moved(now="HEADER_VERSION_FITS"),
    "HEADER_VERSION_KNOWN": Moved(now="HEADER_VERSION_FITS"),
    "HEADER_VERSIONS_CONTIGUOUS": Moved(now="VERSION_MAP_COVERS_VERSIONS"),
    "HEADER_VERSIONS_NEVER_DECREASE": Moved(now="HEADER_VERSION_FITS"),
    "HEADER_VERSIONS_ONLY_ON_REQUESTS_AND_RESPONSES": Moved(now="PROPERTY_FITS_MESSAGE_TYPE"),
    "LATEST_VERSION_UNSTABLE_ONLY_ON_REQUESTS": Moved(now="PROPERTY_FITS_MESSAGE_TYPE"),
    "LISTENERS_ONLY_ON_REQUESTS": Moved(now="PROPERTY_FITS_MESSAGE_TYPE"),
    "MESSAGE_FLEXIBLE_VERSIONS_MEET_VALID": Moved(now="LATEST_VERSION_FLEXIBLE"),
    "REQUEST_API_KEY_WRITTEN": Moved(now="API_KEY_WRITTEN"),
    # Structs
    "STRUCT_ABOUT_WITH_FIELDS": Moved(now="FIELDS_ONLY_IN_STRUCTS"),
    "STRUCT_FIELDS_IN_ONE_PLACE": Moved(now="STRUCT_NAME_UNIQUE"),
    "STRUCT_NAME_NOT_MESSAGE_NAME": Moved(now="STRUCT_NAME_UNIQUE"),
    "STRUCT_NOT_RECURSIVE": Moved(now="STRUCT_NESTING"),
    "STRUCT_VERSIONS_MEET_HOLDER": Moved(now="FIELD_VERSIONS_MEET_HOLDER"),
    # Fields
    "ARRAY_ELEMENT_TYPE": Moved(now="FIELD_TYPE_KNOWN"),
    "ENTITY_TYPE_FITS_TYPE": Moved(now="PROPERTY_FITS_TYPE"),
    "FIELD_FLEXIBLE_VERSIONS_TYPE": Moved(now="PROPERTY_FITS_TYPE"),
    "FIELD_JSON_KEY_UNIQUE": Moved(now="FIELD_NAME_UNIQUE"),
    "FIELD_NULLABLE_TYPE": Moved(now="PROPERTY_FITS_TYPE"),
    "FIELDS_OF_PRIMITIVE_ARRAY": Moved(now="FIELDS_ONLY_IN_STRUCTS"),
    "MAP_KEY_NOT_TAGGED": Moved(now="TAGGED_FIELD_PLAIN"),
    "TAG_UNIQUE": Moved(now="TAGS_CONTIGUOUS"),
    "TAGGED_FIELD_NOT_RECORDS": Moved(now="TAGGED_FIELD_PLAIN"),
    "TAGGED_FIELD_NOT_ZERO_COPY": Moved(now="TAGGED_FIELD_PLAIN"),
    "TAGGED_VERSIONS_WITHIN_FLEXIBLE_VERSIONS": Moved(now="TAGGED_VERSIONS_WITHIN_VERSIONS"),
    "ZERO_COPY_ONLY_ON_BYTES": Moved(now="PROPERTY_FITS_TYPE"),
    # Encodings
    "ENCODING_COVERS_VERSIONS": Moved(now="VERSION_MAP_COVERS_VERSIONS"),
    "ENCODING_FOR_INTEGERS": Moved(now="PROPERTY_FITS_TYPE"),
    "ENCODING_RANGES_DISJOINT": Moved(now="VERSION_MAP_COVERS_VERSIONS"),
    "ENCODING_WRITTEN_ONCE": Moved(now="PROPERTY_FITS_TYPE"),
    "TYPE_MAP_COVERS_VERSIONS": Moved(now="VERSION_MAP_COVERS_VERSIONS"),
    "TYPE_MAP_RANGES_DISJOINT": Moved(now="VERSION_MAP_COVERS_VERSIONS"),
    # Error codes
    "ERROR_NAME_UNIQUE": Moved(now="ERROR_CODE_UNIQUE"),
    # Style
    "DEFAULT_NOT_REDUNDANT": Moved(removed_because=_NO_EFFECT),
    "DEFAULT_SPELLING": Moved(removed_because=_NO_EFFECT),
    "PROPERTY_NOT_REDUNDANT": Moved(removed_because=_NO_EFFECT),
    "TYPE_SPELLING": Moved(removed_because=_NO_EFFECT),
    "VALUE_SPELLING": Moved(removed_because=_NO_EFFECT),
    "VERSIONS_SPELLING": Moved(removed_because=_NO_EFFECT),
    # Changes
    "FIELD_ATTRIBUTE_NOT_REMOVED": Moved(now="FIELD_NOT_REMOVED"),
    "FIELD_NAME_NOT_REUSED": Moved(now="FIELD_SAME_NAME"),
    "FIELD_SAME_MAP_KEY": Moved(removed_because="a map key changes nothing in Python"),
    "FIELD_SAME_PYTHON_TYPE": Moved(now="FIELD_SAME_ANNOTATION"),
    "FIELD_SAME_TAGGED_VERSIONS": Moved(now="FIELD_SAME_TAG"),
    "FIELD_SAME_WIRE_TYPE": Moved(now="FIELD_SAME_TYPE"),
    "TAG_NOT_REUSED": Moved(now="FIELD_SAME_TAG"),
}
"""By the id that the rule had. A rule that is removed or renamed gets a row."""


def find_moved(name: str, known: Collection[str]) -> Moved | None:
    """What became of a rule of earlier versions.

    ``None`` if there was no such rule, or if its successor is not one of the ``known`` rules, but one of another
    command.
    """
    moved = MOVED.get(name)
    if moved is None or (moved.now and moved.now not in known):
        return None
    return moved


def current_id(name: str) -> str:
    """The id that a rule has now; the same name unless the rule was renamed or is part of another one now."""
    moved = MOVED.get(name)
    return moved.now if moved is not None and moved.now else name
