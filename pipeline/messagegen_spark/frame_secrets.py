"""What requests and responses say that no output may show: keys, tokens, passwords."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import pyarrow as pa

from messagegen_spark.internal_topics.arrow_parts import like_list, with_fields
from messagegen_spark.internal_topics.secrets import redact
from messagegen_spark.message_columns import Column, MessageColumns

_NEVER_READ: Final[Mapping[str, frozenset[str]]] = {
    "SaslAuthenticateRequest": frozenset({"auth_bytes"}),
    "SaslAuthenticateResponse": frozenset({"auth_bytes"}),
    "AlterUserScramCredentialsRequest": frozenset({"upsertions.salt", "upsertions.salted_password"}),
    "CreateDelegationTokenResponse": frozenset({"hmac"}),
    "DescribeDelegationTokenResponse": frozenset({"tokens.hmac"}),
    "ExpireDelegationTokenRequest": frozenset({"hmac"}),
    "RenewDelegationTokenRequest": frozenset({"hmac"}),
}
"""Fields (attributes) that get no column: what is not decoded cannot leak."""

_WITH_CONFIGS: Final = frozenset({"AlterConfigsRequest", "IncrementalAlterConfigsRequest"})
"""Messages with configs under ``resources.configs``, some of which are passwords."""

WITH_SECRETS: Final = frozenset(_NEVER_READ) | _WITH_CONFIGS
"""Messages whose bytes are not shown either where they can't be read."""


def without_secrets(message: str, wanted: MessageColumns) -> MessageColumns:
    """The columns without those that hold secrets. Raises ``ValueError`` if that leaves none of those that were asked for."""
    secret = _NEVER_READ.get(message)
    if secret is None:
        return wanted
    left = tuple(path for path in _leaves(wanted.columns, "") if path not in secret)
    if wanted.fields is not None and not left:
        raise ValueError(f"{', '.join(wanted.fields)} of {message} is secret; include_secrets=True shows it")
    return replace(wanted, fields=left)


def _leaves(columns: Iterable[Column], outer: str) -> Iterator[str]:
    for column in columns:
        path = f"{outer}{column.attribute}"
        if column.fields:
            yield from _leaves(column.fields, f"{path}.")
        else:
            yield path


def redact_configs(message: str, decoded: pa.StructArray) -> pa.StructArray:
    """The messages, with ``(redacted)`` for the values of configs that are passwords."""
    if message not in _WITH_CONFIGS or "resources" not in decoded.type.names:
        return decoded
    resources = decoded.field("resources")
    each = resources.flatten()
    if "configs" not in each.type.names:
        return decoded
    configs = each.field("configs")
    inner = configs.flatten()
    if "value" not in inner.type.names:
        return decoded
    if "name" not in inner.type.names:
        raise ValueError(
            f"values of configs in {message} are shown with their names only; add resources.configs.name to fields"
        )
    named = like_list(redact("ConfigRecord", inner), configs, nullable=configs.type.value_field.nullable)
    changed = with_fields(each, [("configs", named)])
    outer = like_list(changed, resources, nullable=resources.type.value_field.nullable)
    return with_fields(decoded, [("resources", outer)])
