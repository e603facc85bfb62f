"""Fields are sensitive if a spec marks them, or if they have the names of Kafka's secrets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from messagegen.spec import parse
from messagegen.spec.model import MessageSpec
from messagegen.spec.sensitive import sensitive_by
from tests.oracle import official_specs


def sensitive(spec: MessageSpec) -> dict[str, tuple[str, ...]]:
    """Return the sensitive fields, as STRUCT.FIELD, each with the fields that decide whether it is sensitive."""
    found: dict[str, tuple[str, ...]] = {}
    for struct, fields in [(spec.name, spec.fields), *((struct.name, struct.fields) for struct in spec.structs)]:
        for field in fields:
            deciders = sensitive_by(spec.name, fields, field)
            if deciders is not None:
                found[f"{struct}.{field.name}"] = deciders
    return found


@pytest.mark.parametrize(("written", "expected"), [(True, True), (False, False), ("true", True), (None, False)])
def test_a_spec_can_mark_fields_as_sensitive(written: Any, expected: bool) -> None:
    fields = [{"name": "Pin", "type": "int32", "versions": "0+", "sensitive": written}]
    spec = {"type": "data", "name": "Own", "validVersions": "0", "flexibleVersions": "0+", "fields": fields}
    parsed = parse(json.dumps(spec), "Own.json").spec
    assert parsed is not None
    assert sensitive(parsed) == ({"Own.Pin": ()} if expected else {})


@pytest.mark.slow
@pytest.mark.java
def test_the_secrets_of_kafka_are_sensitive() -> None:
    found: dict[str, tuple[str, ...]] = {}
    for texts in official_specs().values():
        for name, text in texts.items():
            spec = parse(text, name).spec
            if spec is not None:
                found.update(sensitive(spec))
    assert found == {
        "AlterableConfig.Value": ("Name",),
        "ConfigRecord.Value": ("Name",),
        "CreatableTopicConfig.Value": ("Name",),
        "CreatableTopicConfigs.Value": ("Name", "IsSensitive"),
        "CreateDelegationTokenResponse.Hmac": (),
        "DescribeConfigsResourceResult.Value": ("Name", "IsSensitive"),
        "DescribeConfigsSynonym.Value": ("Name",),
        "DescribedDelegationToken.Hmac": (),
        "EnvelopeRequest.RequestData": (),
        "EnvelopeResponse.ResponseData": (),
        "ExpireDelegationTokenRequest.Hmac": (),
        "RenewDelegationTokenRequest.Hmac": (),
        "SaslAuthenticateRequest.AuthBytes": (),
        "SaslAuthenticateResponse.AuthBytes": (),
        "ScramCredentialUpsertion.Salt": (),
        "ScramCredentialUpsertion.SaltedPassword": (),
        "UserScramCredentialRecord.Salt": (),
        "UserScramCredentialRecord.ServerKey": (),
        "UserScramCredentialRecord.StoredKey": (),
    }
