"""The fields that contain secrets: fields that specs mark, and fields of Kafka's own specs, which have no such marks.

Sources: KIP-43 and KIP-152 (SASL), KIP-554 (SCRAM), KIP-48 (delegation tokens), KIP-590 (envelopes), and, for configs,
the values that Kafka's request log and ``MetadataRecordRedactor`` hide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from messagegen.spec.field_types import element_or_self
from messagegen.spec.model import FieldSpec, StructSpec, StructType

_ALWAYS: Final[Mapping[str, frozenset[str]]] = {
    "SaslAuthenticateRequest": frozenset({"AuthBytes"}),
    "SaslAuthenticateResponse": frozenset({"AuthBytes"}),
    "AlterUserScramCredentialsRequest": frozenset({"Salt", "SaltedPassword"}),
    "UserScramCredentialRecord": frozenset({"Salt", "SaltedPassword", "StoredKey", "ServerKey"}),
    "CreateDelegationTokenResponse": frozenset({"Hmac"}),
    "DescribeDelegationTokenResponse": frozenset({"Hmac"}),
    "RenewDelegationTokenRequest": frozenset({"Hmac"}),
    "ExpireDelegationTokenRequest": frozenset({"Hmac"}),
    "EnvelopeRequest": frozenset({"RequestData"}),
    "EnvelopeResponse": frozenset({"ResponseData"}),
}
"""Maps each message to the names of its secret fields, in any of its structs."""

_WITH_CONFIGS: Final = frozenset(
    {
        "AlterConfigsRequest",
        "ConfigRecord",
        "CreateTopicsRequest",
        "CreateTopicsResponse",
        "DescribeConfigsResponse",
        "IncrementalAlterConfigsRequest",
    }
)
_CONFIG_VALUE: Final = "Value"
_CONFIG_NAME: Final = "Name"
_CONFIG_FLAG: Final = "IsSensitive"


def sensitive_by(message: str, fields: Sequence[FieldSpec], field: FieldSpec) -> tuple[str, ...] | None:
    """Return the siblings that decide whether ``field`` is sensitive; ``None`` if it never is, ``()`` if it always is.

    ``fields`` are all fields of its struct. For a config value, the siblings are the name of the config, and a flag if
    the struct has one.
    """
    if field.sensitive or field.name in _ALWAYS.get(message, frozenset()):
        return ()
    if message not in _WITH_CONFIGS or field.name != _CONFIG_VALUE:
        return None
    names = {other.name for other in fields}
    if _CONFIG_NAME not in names:
        return None
    return (_CONFIG_NAME, _CONFIG_FLAG) if _CONFIG_FLAG in names else (_CONFIG_NAME,)


def sensitive_structs(message: str, structs: Sequence[StructSpec]) -> frozenset[str]:
    """Return the names of the structs whose fields are all sensitive: a sensitive field holds them, at any depth.

    A common struct is included even if other fields hold it, too, because all of them share the class of the struct.
    """
    fields_of = {struct.name: struct.fields for struct in structs}
    pending = [
        field for struct in structs for field in struct.fields if sensitive_by(message, struct.fields, field) == ()
    ]
    found: set[str] = set()
    while pending:
        type_ = element_or_self(pending.pop().type)
        if isinstance(type_, StructType) and type_.name not in found:
            found.add(type_.name)
            pending += fields_of[type_.name]
    return frozenset(found)
