"""Every rule of the spec language in one table: code can be generated from any spec that breaks none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from messagegen.findings import Finding, quoted
from messagegen.spec import field_rules, layouts, message_rules
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.spec.rule import Problem, repeated, rule, rules_in

_READING: Final = {
    "SPEC_TEXT_JSON": "Checks that a spec is one JSON value in UTF-8, with // and /* */ comments allowed.",
    "PROPERTY_WRITTEN_ONCE": "Checks that no object has a property twice.",
    "PROPERTY_KNOWN": "Checks that properties are known.",
    "PROPERTY_REQUIRED": "Checks that required properties are present.",
    "PROPERTY_TYPE": "Checks that properties have values of the right type and form.",
    "VERSION_RANGE_WELL_FORMED": 'Checks that version ranges are "3", "0-9", "2+" or "none", lowest first.',
    "VERSION_MAP_COVERS_VERSIONS": (
        "Checks that maps of types, encodings and header versions have each version exactly once."
    ),
    "FIELD_TYPE_KNOWN": "Checks that the type of a field is one of Kafka's, or the name of a struct.",
    "FIELD_VERSIONS_WRITTEN": "Checks that a field states its versions.",
    "DEFAULT_FITS_TYPE": "Checks that the default of a field is a value of its type.",
    "DEFAULT_NOT_OCTAL": "Checks that no default has a leading 0, which makes it octal.",
    "TYPE_MAP_OF_INTEGERS": "Checks that only integers, alone or in arrays, have a type that depends on the version.",
    "ERROR_CODE_UNIQUE": "Checks that error codes have different numbers and names.",
    "ERROR_CODE_NONE": "Checks that error code 0, and only 0, is named NONE.",
}
"""The purposes of the checks that run before the rules, by id."""

RULES: Final = rules_in(message_rules, field_rules, layouts)


_DISPATCHED: Final = (MessageKind.REQUEST, MessageKind.RESPONSE)
"""The kinds of messages with unique API keys.

Several Kafka modules use the same API keys for coordinator keys, values and metadata records.
"""


@rule(repeated(lambda spec: spec.name.replace("_", "").lower()))
def message_name_unique(spec: MessageSpec, other: MessageSpec) -> Iterator[Problem]:
    """Checks that messages in one output have names that differ by more than case and underscores.

    Each name becomes the name of a module.
    """
    message = f"duplicate message {quoted(spec.name)}: {other.file} has {quoted(other.name)}"
    yield spec, "name", message, "rename or remove one of them; names must differ by more than case and underscores"


@rule(
    repeated(lambda spec: (spec.kind, spec.api_key) if spec.api_key is not None and spec.kind in _DISPATCHED else None)
)
def api_key_unique(spec: MessageSpec, other: MessageSpec) -> Iterator[Problem]:
    """Checks that no two requests, and no two responses, in one output have the same API key."""
    if spec.name != other.name:
        names = f"{quoted(spec.name)} and {quoted(other.name)}"
        message = f"duplicate API key {spec.api_key}: {spec.kind.value} {names}"
        yield spec, "apiKey", message, "change the API key of one of them"


_TOGETHER: Final = (message_name_unique, api_key_unique)

PURPOSES: Final[Mapping[str, str]] = _READING | {one.id: one.purpose for one in (*RULES, *_TOGETHER)}
"""The purpose of each rule, by id."""


def check_together(specs: Sequence[MessageSpec]) -> tuple[Finding, ...]:
    """Return the findings about clashes of specs in one package. Each is in the spec that is later in file order."""
    return tuple(sorted(finding for one in _TOGETHER for finding in one.check(specs)))
