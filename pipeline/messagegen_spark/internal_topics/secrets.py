"""What no output may show: keys of SCRAM users, and values of configs that are passwords (upstream: ``MetadataRecordRedactor``)."""

# pyright: reportAttributeAccessIssue=false
# Arrow makes most functions of pyarrow.compute when it is imported, so pyright does not find them.

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from messagegen_spark.internal_topics.arrow_parts import with_fields

REDACTED: Final = "(redacted)"
"""In place of a secret; the word that upstream has for it."""

NEVER_READ: Final[Mapping[str, frozenset[str]]] = {
    "UserScramCredentialRecord": frozenset({"salt", "stored_key", "server_key"}),
}
"""Fields (attributes) that get no column: what is not decoded cannot leak."""

WITHOUT_RAW: Final = frozenset({"UserScramCredentialRecord", "ConfigRecord"})
"""Messages whose bytes are not shown either where they can't be read."""

# Configs of type PASSWORD end in one of these, whatever listener they begin with. Custom plugins name theirs alike.
_SENSITIVE_CONFIG: Final = (
    r"(?i)(password|passphrase|secret|secret\.key|credentials?|token|jaas\.config|private\.key"
    r"|keystore\.key|keystore\.certificate\.chain|truststore\.certificates)$"
)


def is_sensitive_config(names: pa.StringArray) -> pa.BooleanArray:
    """Which configs have values that nobody may see."""
    return pc.match_substring_regex(names, _SENSITIVE_CONFIG)


def redact(message: str, value: pa.StructArray) -> pa.StructArray:
    """A struct array of a message, without what must not be seen; its fields are ``name`` and ``value`` where it is a config."""
    if message != "ConfigRecord" or "value" not in value.type.names:
        return value
    columns = dict(zip(value.type.names, value.flatten(), strict=True))
    secret = pc.and_(pc.fill_null(is_sensitive_config(columns["name"]), fill_value=False), columns["value"].is_valid())
    return with_fields(value, [("value", pc.if_else(secret, REDACTED, columns["value"]))])
