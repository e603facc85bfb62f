"""The rules about spec changes, in one table: about the message, its structs, their fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from messagegen.selection import RuleNames

Category = Literal["WIRE", "API", "JSON"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about changes: ``kinds`` are its categories, ``purpose`` is a sentence that starts with "Checks that"."""

    id: str
    kinds: str
    purpose: str

    @property
    def categories(self) -> tuple[Category, ...]:
        """What a change that breaks the rule breaks."""
        return tuple(category for category in CATEGORIES if category in self.kinds)


RULES: Final = (
    Rule("MESSAGE_NOT_REMOVED", "WIRE API JSON", "Checks that no message is removed."),
    Rule("MESSAGE_SAME_NAME", "API", "Checks that a message keeps its name."),
    Rule("MESSAGE_SAME_TYPE", "WIRE API", "Checks that a request stays a request, and a response a response."),
    Rule("MESSAGE_SAME_API_KEY", "WIRE API", "Checks that a message keeps its API key."),
    Rule("MESSAGE_VERSIONS_NOT_REMOVED", "WIRE API JSON", "Checks that no released version is removed."),
    Rule("MESSAGE_VERSIONS_SAME_NUMBERS", "API", "Checks that the versions of a message keep their numbers."),
    Rule("MESSAGE_RELEASED_VERSION_STABLE", "API", "Checks that released versions do not become unstable."),
    Rule("MESSAGE_SAME_FLEXIBLE_VERSIONS", "WIRE", "Checks that released versions stay flexible, or not."),
    Rule("MESSAGE_SAME_HEADER_VERSIONS", "WIRE", "Checks that released versions keep the version of their header."),
    Rule("MESSAGE_LISTENER_NOT_REMOVED", "API", "Checks that a message keeps its listeners."),
    Rule("STRUCT_SAME_NAME", "API", "Checks that a struct keeps its name."),
    Rule("FIELD_NOT_REMOVED", "WIRE API JSON", "Checks that no field is removed from a released version."),
    Rule("TAGGED_FIELD_NOT_REMOVED", "API JSON", "Checks that no tagged field is removed."),
    Rule("FIELD_ATTRIBUTE_NOT_REMOVED", "API", "Checks that no field is removed that only old versions had bytes for."),
    Rule("FIELD_NOT_ADDED", "WIRE JSON", "Checks that no field is added to a released version."),
    Rule("FIELD_SAME_VERSIONS", "WIRE JSON", "Checks that a field stays in the same released versions."),
    Rule("TAG_NOT_REUSED", "WIRE", "Checks that the tag of a field is not reused for another field."),
    Rule("FIELD_SAME_NAME", "API JSON", "Checks that a field keeps its name."),
    Rule("FIELD_SAME_JSON_NAME", "JSON", "Checks that a field keeps its name in JSON, even if its attribute stays."),
    Rule("FIELD_SAME_ATTRIBUTE", "API", "Checks that a field keeps its attribute in Python, even if its name stays."),
    Rule("FIELD_NAME_NOT_REUSED", "API JSON", "Checks that the name of a field is not reused for another field."),
    Rule("FIELD_SAME_TYPE", "WIRE API JSON", "Checks that a field keeps its type in released versions."),
    Rule("FIELD_SAME_WIRE_TYPE", "WIRE JSON", "Checks that a field keeps its type, even if Python's stays."),
    Rule("FIELD_SAME_PYTHON_TYPE", "API", "Checks that type checkers still accept code that uses a field."),
    Rule("FIELD_SAME_ENCODING", "WIRE", "Checks that an integer keeps its encoding in released versions (KIP-625)."),
    Rule(
        "FIELD_SAME_NULLABLE_VERSIONS", "WIRE JSON", "Checks that a field stays nullable, or not, in released versions."
    ),
    Rule("FIELD_SAME_FLEXIBLE_VERSIONS", "WIRE", "Checks that a length stays compact, or not, in released versions."),
    Rule("FIELD_SAME_TAGGED_VERSIONS", "WIRE", "Checks that a field stays tagged, or not, in released versions."),
    Rule("FIELD_SAME_TAG", "WIRE", "Checks that a tagged field keeps its tag."),
    Rule("FIELD_SAME_ORDER", "WIRE", "Checks that fields keep their order in released versions."),
    Rule(
        "TAGGED_FIELD_SAME_DEFAULT",
        "WIRE API JSON",
        "Checks that a tagged field, which may be missing, keeps its default.",
    ),
    Rule("FIELD_SAME_DEFAULT", "API", "Checks that a field keeps its default in Python."),
    Rule("FIELD_SAME_MAP_KEY", "API", "Checks that a struct with map keys keeps them."),
    Rule("FIELD_SAME_ENTITY_TYPE", "API", "Checks that a field keeps its entity type once it has one."),
    Rule("FIELD_SAME_IGNORABLE", "API", "Checks that a field stays ignorable, or not ignorable."),
    Rule("FIELD_STAYS_SENSITIVE", "API", "Checks that a sensitive field stays sensitive."),
)

RULE_NAMES: Final = RuleNames(
    {category: [rule.id for rule in RULES if category in rule.categories] for category in CATEGORIES},
    [rule.id for rule in RULES],
    default=CATEGORIES,
)
"""The names that select rules."""
