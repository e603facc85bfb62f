"""Hides sensitive values in ``repr``, errors and redacted JSON. Loaded on first use."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .base import Value
    from .walk import Layout


class Redacted:
    """Replaces a sensitive value."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<redacted>"


REDACTED = Redacted()
UNKNOWN_TAGS = "unknown_tagged_fields"

SECRET_CONFIGS = (
    r"(?i)password|passphrase|secret|credential"
    r"|(^|[._-])(key|token|jaas\.config|keystore\.certificate\.chain|truststore\.certificates)$"
)
"""Matches the names of configs with secret values, as a regular expression for both Python and RE2.

All configs of type PASSWORD in Kafka have such names, with or without a listener prefix, and plugins use similar names.
"""

_SECRET_CONFIG = re.compile(SECRET_CONFIGS)
_REFUSED = "the value is refused; the field is sensitive, so it is not shown"
# Error reasons that don't contain the value.
_HARMLESS = ("null is not allowed", "this version has no ")


def is_secret_config(name: str) -> bool:
    """Whether the value of a config with that name is hidden."""
    return _SECRET_CONFIG.search(name) is not None


def is_hidden(struct: Value, attribute: str) -> bool:
    """Whether the value of a field is hidden; unknown tagged fields are hidden if any other field is sensitive."""
    sensitive = struct.SENSITIVE
    if attribute == UNKNOWN_TAGS:
        return bool(sensitive)
    deciders = sensitive.get(attribute)
    if not deciders:
        return deciders is not None
    name, *flags = [getattr(struct, decider) for decider in deciders]
    return not isinstance(name, str) or is_secret_config(name) or any(flags)


def shown_values(struct: Value, values: dict[str, Any]) -> dict[str, Any]:
    """Values of fields, those that are hidden as ``REDACTED``; null is no secret."""
    return {
        name: REDACTED if value is not None and is_hidden(struct, name) else value for name, value in values.items()
    }


def shown_reason(failure: Exception, reason: str, layout: Layout, attributes: Iterable[str]) -> str:
    """Why a value was rejected, without the value if a field on its path may be sensitive."""
    cls: type[Value] | None = layout.cls
    for attribute in attributes:
        if cls is None:
            break
        if attribute in cls.SENSITIVE or (attribute == UNKNOWN_TAGS and cls.SENSITIVE):
            return reason if reason.startswith(_HARMLESS) else getattr(failure, "redacted", _REFUSED)
        inner = _layout_of(layout, attribute)
        layout, cls = (layout, None) if inner is None else (inner, inner.cls)
    # An error of the struct itself may be about its unknown tagged fields.
    return getattr(failure, "redacted", reason) if cls is not None and cls.SENSITIVE else reason


def _layout_of(layout: Layout, attribute: str) -> Layout | None:
    """The layout of the struct in a field, or of its elements."""
    for field, codec in (*layout.steps, *layout.tagged.values()):
        if field.attribute == attribute:
            return codec.layout if codec.element is None else codec.element.layout
    return None
