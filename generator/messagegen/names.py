"""Kafka names to Python names: one rule and one table of exceptions.

``LeaderId`` becomes ``leader_id``; a name that Python or the generated classes need for themselves gets a trailing
underscore; two Kafka names that would become one Python name are told apart by more underscores, in order of appearance.
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
        "by_key",
        "classmethod",
        "decode",
        "decode_frame",
        "decode_from",
        "encode",
        "encode_frame",
        "encode_into",
        "from_json",
        "header_version",
        "request_class",
        "response_class",
        "size",
        "staticmethod",
        "to_json",
        "unknown_tagged_fields",
    }
)
"""Names of what every generated class offers; a field of that name gets a trailing underscore."""

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
"""Names of constants that stand in a message's class or module."""

_RESERVED_MODULES: Final = frozenset(
    {"message_classes", "con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
)
"""The function of the package, and names that no file on Windows can have, whatever its suffix."""


def snake_case(name: str) -> str:
    """``ISRNodes`` -> ``isr_nodes``, ``V2Name3`` -> ``v2_name3``, ``TopicID`` -> ``topic_id``."""
    return _WORD_START.sub("_", name).lower()


def json_name(name: str) -> str:
    """Kafka's key for a field in JSON: the first letter lowered and nothing else (``iSRNodes``)."""
    return name[:1].lower() + name[1:]


def attribute_names(names: Iterable[str]) -> tuple[str, ...]:
    """The attribute for each of a struct's field names, in order; no two alike."""
    return _distinct((snake_case(name) for name in names), RESERVED_ATTRIBUTES)


def class_names(names: Iterable[str]) -> tuple[str, ...]:
    """The class for each struct name of a module, in order; no two alike."""
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
