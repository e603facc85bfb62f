"""The rules about spec changes, in one table: about the message, its structs, their fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from messagegen.selection import RuleNames

Category = Literal["WIRE", "API", "JSON"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about changes: ``kinds`` are its categories, ``purpose`` is a sentence that starts with "Checks that".

    ``instead`` says what to do instead.
    """

    id: str
    kinds: str
    purpose: str
    instead: str = "keep it as it was in released versions, and change it in a new version"

    @property
    def categories(self) -> tuple[Category, ...]:
        """What a change that breaks the rule breaks."""
        return tuple(category for category in CATEGORIES if category in self.kinds)


_KEEP: Final = "keep it as it was"

RULES: Final = (
    Rule(
        *("MESSAGE_NOT_REMOVED", "WIRE API JSON", "Checks that no message is removed."),
        "keep the spec as long as anyone may read or send its bytes",
    ),
    Rule("MESSAGE_SAME_NAME", "API", "Checks that a message keeps its name.", _KEEP),
    Rule("MESSAGE_SAME_TYPE", "WIRE API", "Checks that a request stays a request, and a response a response.", _KEEP),
    Rule("MESSAGE_SAME_API_KEY", "WIRE API", "Checks that a message keeps the API key that is sent with it.", _KEEP),
    Rule("MESSAGE_KEEPS_API_KEY", "API", "Checks that a message keeps an API key that is not sent with it.", _KEEP),
    Rule(
        *("MESSAGE_VERSIONS_NOT_REMOVED", "WIRE API JSON", "Checks that no released version is removed."),
        'keep them, and name them in "deprecatedVersions" if they should no longer be used',
    ),
    Rule("MESSAGE_VERSIONS_SAME_NUMBERS", "API", "Checks that the versions of a message keep their numbers.", _KEEP),
    Rule(
        *("MESSAGE_RELEASED_VERSION_STABLE", "API", "Checks that released versions do not become unstable."),
        'remove "latestVersionUnstable", or add a new version',
    ),
    Rule("MESSAGE_SAME_FLEXIBLE_VERSIONS", "WIRE", "Checks that released versions stay flexible, or not."),
    Rule("MESSAGE_SAME_HEADER_VERSIONS", "WIRE", "Checks that released versions keep the version of their header."),
    Rule("MESSAGE_LISTENER_NOT_REMOVED", "API", "Checks that a message keeps its listeners.", _KEEP),
    Rule("STRUCT_SAME_NAME", "API", "Checks that a struct keeps its name.", _KEEP),
    Rule(
        *("FIELD_NOT_REMOVED", "WIRE API JSON", "Checks that no field is removed from a released version."),
        'keep it, and end its "versions" to drop it from new versions; a tagged field stays, and nothing else gets its tag',
    ),
    Rule(
        "TAGGED_FIELD_NOT_REMOVED",
        "API JSON",
        "Checks that no tagged field, and no field that takes no bytes, is removed.",
        "keep it; readers may ignore it",
    ),
    Rule(
        *("FIELD_NOT_ADDED", "WIRE JSON", "Checks that no field is added to a released version."),
        'start its "versions" at a new version, or give it a tag that no field had',
    ),
    Rule("FIELD_SAME_VERSIONS", "WIRE JSON", "Checks that a field stays in the same released versions."),
    Rule("FIELD_SAME_NAME", "API JSON", "Checks that a field keeps its name in Python and in JSON.", _KEEP),
    Rule("FIELD_SAME_ATTRIBUTE", "API", "Checks that a field keeps its name in Python.", _KEEP),
    Rule("FIELD_SAME_JSON_NAME", "JSON", "Checks that a field keeps its name in JSON.", _KEEP),
    Rule(
        "FIELD_SAME_TYPE",
        "WIRE JSON",
        "Checks that a field keeps its type in released versions.",
        "keep it, or add a field of the new type in a new version",
    ),
    Rule(
        "FIELD_SAME_ANNOTATION",
        "API",
        "Checks that a field keeps its type in Python, and whether that includes None.",
        "keep it, or add a field of the new type",
    ),
    Rule("FIELD_SAME_ENCODING", "WIRE", "Checks that an integer keeps its encoding in released versions (KIP-625)."),
    Rule(
        "FIELD_SAME_NULLABLE_VERSIONS", "WIRE JSON", "Checks that a field stays nullable, or not, in released versions."
    ),
    Rule("FIELD_SAME_FLEXIBLE_VERSIONS", "WIRE", "Checks that a length stays compact, or not, in released versions."),
    Rule(
        "FIELD_SAME_TAG",
        "WIRE",
        "Checks that a field keeps its tag, or stays without one, in released versions.",
        'keep its tag; only "taggedVersions" can start or end at a new version',
    ),
    Rule(
        "FIELD_SAME_ORDER",
        "WIRE",
        "Checks that fields keep their order in released versions.",
        "move it back; a field that starts in a new version can be anywhere",
    ),
    Rule(
        *("TAGGED_FIELD_SAME_DEFAULT", "WIRE API JSON"),
        *("Checks that a tagged field, which may be missing, keeps its default.", _KEEP),
    ),
    Rule("FIELD_SAME_DEFAULT", "API", "Checks that a field keeps its default in Python.", _KEEP),
    Rule("FIELD_SAME_ENTITY_TYPE", "API", "Checks that a field keeps its entity type once it has one.", _KEEP),
    Rule("FIELD_SAME_IGNORABLE", "API", "Checks that a field stays ignorable, or not ignorable.", _KEEP),
    Rule(
        *("FIELD_STAYS_SENSITIVE", "API", "Checks that a sensitive field stays sensitive."),
        f"{_KEEP}; the value would appear in repr, errors and logs",
    ),
)

RULE_NAMES: Final = RuleNames(
    {category: [rule.id for rule in RULES if category in rule.categories] for category in CATEGORIES},
    [rule.id for rule in RULES],
    default=CATEGORIES,
)
"""The names that select rules."""
