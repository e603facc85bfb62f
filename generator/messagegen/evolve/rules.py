"""The rules about spec changes in one table: rules about messages, then about structs, then about fields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from messagegen.selection import RuleNames


class Category(StrEnum):
    """The users that a change breaks."""

    WIRE = "WIRE"
    """Users with bytes of a released version."""

    API = "API"
    """Users of the generated classes."""

    JSON = "JSON"
    """Users of the JSON form of messages."""

    COLUMNS = "COLUMNS"
    """Users of tables with a column for each field."""


CATEGORIES: Final = tuple(Category)

_DEFAULT: Final = (Category.WIRE, Category.API, Category.JSON)
"""The categories in use unless the user names others. A wider integer breaks tables, but is what encodings are for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule about changes.

    ``categories`` are the affected users, in the order of ``CATEGORIES``. ``purpose`` is a sentence that starts with
    "Checks that". ``instead`` is the advice of its findings.
    """

    id: str
    categories: tuple[Category, ...]
    purpose: str
    instead: str


_KEEP: Final = "keep it as it was"
_CHANGE_LATER: Final = "keep it as it was in released versions, and change it in a new version"

RULES: Final = (
    Rule(
        id="MESSAGE_NOT_REMOVED",
        categories=(Category.WIRE, Category.API, Category.JSON, Category.COLUMNS),
        purpose="Checks that no message is removed.",
        instead="keep the spec as long as anyone may read or send its bytes",
    ),
    Rule(
        id="MESSAGE_SAME_NAME",
        categories=(Category.API,),
        purpose="Checks that a message keeps its name.",
        instead=_KEEP,
    ),
    Rule(
        id="MESSAGE_SAME_TYPE",
        categories=(Category.WIRE, Category.API),
        purpose="Checks that a request stays a request, and a response a response.",
        instead=_KEEP,
    ),
    Rule(
        id="MESSAGE_SAME_API_KEY",
        categories=(Category.WIRE, Category.API),
        purpose="Checks that a message keeps the API key that is sent with it.",
        instead=_KEEP,
    ),
    Rule(
        id="MESSAGE_KEEPS_API_KEY",
        categories=(Category.API,),
        purpose="Checks that a message keeps its API key, even if the key is not sent.",
        instead=_KEEP,
    ),
    Rule(
        id="MESSAGE_VERSIONS_NOT_REMOVED",
        categories=(Category.WIRE, Category.API, Category.JSON, Category.COLUMNS),
        purpose="Checks that no released version is removed.",
        instead='keep them, and name them in "deprecatedVersions" if they should no longer be used',
    ),
    Rule(
        id="MESSAGE_VERSIONS_SAME_NUMBERS",
        categories=(Category.API,),
        purpose="Checks that the versions of a message keep their numbers.",
        instead=_KEEP,
    ),
    Rule(
        id="MESSAGE_RELEASED_VERSION_STABLE",
        categories=(Category.API,),
        purpose="Checks that released versions do not become unstable.",
        instead='remove "latestVersionUnstable", or add a new version',
    ),
    Rule(
        id="MESSAGE_SAME_FLEXIBLE_VERSIONS",
        categories=(Category.WIRE,),
        purpose="Checks that released versions do not change between flexible and not flexible.",
        instead=_CHANGE_LATER,
    ),
    Rule(
        id="MESSAGE_SAME_HEADER_VERSIONS",
        categories=(Category.WIRE,),
        purpose="Checks that released versions keep the version of their header.",
        instead=_CHANGE_LATER,
    ),
    Rule(
        id="MESSAGE_LISTENER_NOT_REMOVED",
        categories=(Category.API,),
        purpose="Checks that a message keeps its listeners.",
        instead=_KEEP,
    ),
    Rule(
        id="STRUCT_SAME_NAME",
        categories=(Category.API,),
        purpose="Checks that a struct keeps its name.",
        instead=_KEEP,
    ),
    Rule(
        id="FIELD_NOT_REMOVED",
        categories=(Category.WIRE, Category.API, Category.JSON, Category.COLUMNS),
        purpose="Checks that no field is removed from a released version.",
        instead=(
            'keep it, and end its "versions" to drop it from new versions;'
            " never remove a tagged field or reuse its tag"
        ),
    ),
    Rule(
        id="TAGGED_FIELD_NOT_REMOVED",
        categories=(Category.API, Category.JSON, Category.COLUMNS),
        purpose="Checks that no tagged field, and no field that takes no bytes, is removed.",
        instead="keep it; readers may ignore it",
    ),
    Rule(
        id="FIELD_NOT_ADDED",
        categories=(Category.WIRE, Category.JSON),
        purpose="Checks that no field is added to a released version.",
        instead='start its "versions" at a new version, or give it a tag that no field had',
    ),
    Rule(
        id="FIELD_SAME_VERSIONS",
        categories=(Category.WIRE, Category.JSON, Category.COLUMNS),
        purpose="Checks that a field stays in the same released versions.",
        instead=_CHANGE_LATER,
    ),
    Rule(
        id="FIELD_SAME_NAME",
        categories=(Category.API, Category.JSON, Category.COLUMNS),
        purpose="Checks that a field keeps its name in Python and in JSON.",
        instead=_KEEP,
    ),
    Rule(
        id="FIELD_SAME_ATTRIBUTE",
        categories=(Category.API,),
        purpose="Checks that a field keeps its name in Python.",
        instead=_KEEP,
    ),
    Rule(
        id="FIELD_SAME_JSON_NAME",
        categories=(Category.JSON, Category.COLUMNS),
        purpose="Checks that a field keeps its name in JSON.",
        instead=_KEEP,
    ),
    Rule(
        id="FIELD_SAME_TYPE",
        categories=(Category.WIRE, Category.JSON, Category.COLUMNS),
        purpose="Checks that a field keeps its type in released versions.",
        instead="keep it, or add a field of the new type in a new version",
    ),
    Rule(
        id="FIELD_SAME_COLUMN_TYPE",
        categories=(Category.COLUMNS,),
        purpose="Checks that a field keeps the type of its column, even if encodings keep its bytes.",
        instead="keep it, add a field of the new type, or let the format of the table widen the column",
    ),
    Rule(
        id="FIELD_SAME_ANNOTATION",
        categories=(Category.API,),
        purpose="Checks that a field keeps its type in Python, including whether None is allowed.",
        instead="keep it, or add a field of the new type",
    ),
    Rule(
        id="FIELD_SAME_ENCODING",
        categories=(Category.WIRE,),
        purpose="Checks that an integer keeps its encoding in released versions (KIP-625).",
        instead=_CHANGE_LATER,
    ),
    Rule(
        id="FIELD_SAME_NULLABLE_VERSIONS",
        categories=(Category.WIRE, Category.JSON),
        purpose="Checks that released versions of a field do not change between nullable and not.",
        instead=_CHANGE_LATER,
    ),
    Rule(
        id="FIELD_SAME_FLEXIBLE_VERSIONS",
        categories=(Category.WIRE,),
        purpose="Checks that the length of a field stays compact, or not compact, in released versions.",
        instead=_CHANGE_LATER,
    ),
    Rule(
        id="FIELD_SAME_TAG",
        categories=(Category.WIRE,),
        purpose="Checks that a field keeps its tag, or stays without one, in released versions.",
        instead='keep its tag; to tag the field, or to stop tagging it, start or end "taggedVersions" at a new version',
    ),
    Rule(
        id="FIELD_SAME_ORDER",
        categories=(Category.WIRE,),
        purpose="Checks that fields keep their order in released versions.",
        instead="move it back; a field that starts in a new version can be anywhere",
    ),
    Rule(
        id="TAGGED_FIELD_SAME_DEFAULT",
        categories=(Category.WIRE, Category.API, Category.JSON),
        purpose="Checks that a tagged field, which may be missing, keeps its default.",
        instead=_KEEP,
    ),
    Rule(
        id="FIELD_SAME_DEFAULT",
        categories=(Category.API,),
        purpose="Checks that a field keeps its default in Python.",
        instead=_KEEP,
    ),
    Rule(
        id="FIELD_SAME_ENTITY_TYPE",
        categories=(Category.API,),
        purpose="Checks that a field keeps its entity type once it has one.",
        instead=_KEEP,
    ),
    Rule(
        id="FIELD_SAME_IGNORABLE",
        categories=(Category.API,),
        purpose="Checks that a field stays ignorable, or not ignorable.",
        instead=_KEEP,
    ),
    Rule(
        id="FIELD_STAYS_SENSITIVE",
        categories=(Category.API,),
        purpose="Checks that a sensitive field stays sensitive.",
        instead=f"{_KEEP}; the value would appear in repr, errors and logs",
    ),
)
"""All rules, in the order of the documentation."""

RULE_NAMES: Final = RuleNames(
    categories={category: [rule.id for rule in RULES if category in rule.categories] for category in CATEGORIES},
    ids=[rule.id for rule in RULES],
    default=_DEFAULT,
)
"""The names that select rules."""
