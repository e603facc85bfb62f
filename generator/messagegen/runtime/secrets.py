"""Hides sensitive values in ``repr``, errors and redacted JSON. Loaded on first use."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .plan import Layout
    from .structs import Value


REDACTED = "<redacted>"
"""The text that is shown instead of a sensitive value."""
UNKNOWN_TAGS = "unknown_tagged_fields"

SECRET_CONFIGS = (
    r"(?i)password|passphrase|secret|credential"
    r"|(^|[._-])(key|token|jaas\.config|keystore\.certificate\.chain|truststore\.certificates)$"
)
"""A regular expression, for both Python and RE2, that matches the names of configs with secret values.

It matches all of Kafka's configs of type PASSWORD, with or without a listener prefix. Plugins use similar names.
"""

_SECRET_CONFIG = re.compile(SECRET_CONFIGS)
_REFUSED = "the value is refused; the field is sensitive, so it is not shown"
# The beginnings of error reasons that never contain the value.
_HARMLESS = ("null is not allowed", "this version has no ", "missing field ", "the field was never set")


def is_secret_config(name: str) -> bool:
    """Whether the value of a config with this name is hidden."""
    return _SECRET_CONFIG.search(name) is not None


def is_hidden(struct: Value, attribute: str) -> bool:
    """Whether the value of a field is hidden. Unknown tagged fields are hidden if any other field is sensitive."""
    sensitive = struct.SENSITIVE
    if attribute == UNKNOWN_TAGS:
        return bool(sensitive)
    deciders = sensitive.get(attribute)
    if not deciders:
        return deciders is not None
    name, *flags = [getattr(struct, decider) for decider in deciders]
    return not isinstance(name, str) or is_secret_config(name) or any(flags)


def hide(struct: Value, texts: dict[str, str]) -> dict[str, str]:
    """Return the texts that ``repr`` shows, by attribute. Sensitive values except null are replaced."""
    return {name: REDACTED if text != "None" and is_hidden(struct, name) else text for name, text in texts.items()}


def shown_reason(failure: Exception, reason: str, layout: Layout, attributes: Iterable[str]) -> str:
    """Return the reason why a value was rejected, without the value if a field on its path may be sensitive."""
    inner: Layout | None = layout
    for attribute in attributes:
        if inner is None:
            return reason
        sensitive = inner.cls.SENSITIVE
        if attribute in sensitive or (attribute == UNKNOWN_TAGS and sensitive):
            return reason if reason.startswith(_HARMLESS) else getattr(failure, "redacted", _REFUSED)
        codec = inner.codecs.get(attribute)
        inner = (codec.element or codec).layout if codec else None
    # An error about the struct itself may be about its unknown tagged fields.
    return getattr(failure, "redacted", reason) if inner is not None and inner.cls.SENSITIVE else reason
