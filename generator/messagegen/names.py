"""Kafka names to Python names: one rule and one table of exceptions.

``LeaderId`` becomes ``leader_id``; a name that Python or the generated classes reserve gets a trailing
underscore; if two Kafka names become the same Python name, later ones get more underscores.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from typing import Final

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

RESERVED_ATTRIBUTES: Final = frozenset(
    {
        "self",
        "decode",
        "decode_frame",
        "decode_from",
        "encode",
        "encode_frame",
        "encode_into",
        "from_json",
        "header_version",
        "size",
        "to_json",
        "unknown_tagged_fields",
    }
)
"""Attributes of every generated class; a field with such a name gets a trailing underscore."""

_RESERVED_CLASSES: Final = frozenset(
    {
        "API_KEY",
        "CODEC",
        "DEPRECATED_VERSIONS",
        "FLEXIBLE_VERSIONS",
        "HEADER_VERSIONS",
        "KIND",
        "LATEST_VERSION_UNSTABLE",
        "LIMITS",
        "LISTENERS",
        "SENSITIVE",
        "TYPE_CHECKING",
        "VALID_VERSIONS",
    }
)
"""Names of constants in a message's class or module."""

_RESERVED_MODULES: Final = frozenset(
    {"message_classes", "con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
)
"""The function of the package, and names that are reserved on Windows with any suffix."""


def snake_case(name: str) -> str:
    """``ISRNodes`` -> ``isr_nodes``, ``V2Name3`` -> ``v2_name3``, ``TopicID`` -> ``topic_id``."""
    return _WORD_START.sub("_", name).lower()


def json_name(name: str) -> str:
    """Kafka's JSON key for a field: only the first letter becomes lower case (``iSRNodes``)."""
    return name[:1].lower() + name[1:]


def attribute_names(names: Iterable[str]) -> tuple[str, ...]:
    """The attribute for each of a struct's field names, in order; all different."""
    return _distinct((snake_case(name) for name in names), RESERVED_ATTRIBUTES)


def class_names(names: Iterable[str]) -> tuple[str, ...]:
    """The class for each struct name of a module, in order; all different."""
    return _distinct(names, _RESERVED_CLASSES)


def module_name(message_name: str) -> str:
    """The module of a message, without ``.py``."""
    name = snake_case(message_name)
    return f"{name}_" if keyword.iskeyword(name) or name in _RESERVED_MODULES else name


def _distinct(names: Iterable[str], reserved: frozenset[str]) -> tuple[str, ...]:
    taken = set(reserved)
    result: list[str] = []
    for wanted in names:
        name = wanted
        while keyword.iskeyword(name) or name in taken:
            name += "_"
        taken.add(name)
        result.append(name)
    return tuple(result)
