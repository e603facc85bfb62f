from __future__ import annotations

import json
from pathlib import Path

import pytest

import messagegen_kafka as kafka
from messagegen_arrow.catalog import Catalog, default_catalog
from messagegen_arrow.internal_topics.contents import Contents
from tests.arrow.support.internal_records import metadata_record, read


@pytest.mark.parametrize(
    "name",
    [
        "ssl.keystore.password",
        "listener.name.external.ssl.key.password",
        "listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config",
        "ssl.keystore.key",
        "ssl.truststore.certificates",
        "sasl.oauthbearer.client.credentials.client.secret",
        "plugin.api.token",
    ],
)
def test_values_of_sensitive_configs_are_redacted(name: str) -> None:
    config = kafka.ConfigRecord(resource_type=4, resource_name="1", name=name, value="hunter2")
    record = metadata_record(config)
    (text,) = read([record])
    (struct,) = read([record], {"ConfigRecord": ["value"]})
    assert json.loads(text["value"])["value"] == "<redacted>"
    assert struct["ConfigRecord"] == {"name": name, "value": "<redacted>"}
    harmless, removed = (
        metadata_record(kafka.ConfigRecord(resource_type=2, resource_name="t", name=n, value=v))
        for n, v in (("retention.ms", "1000"), (name, None))
    )
    assert [row["ConfigRecord"]["value"] for row in read([harmless, removed], ["ConfigRecord"])] == ["1000", None]


def test_secrets_within_structs_are_hidden(tmp_path: Path) -> None:
    # This is the record in Kafka 2.8 to 3.4.
    info = [{"name": name, "type": "bytes", "versions": "0+"} for name in ("Salt", "SaltedPassword")]
    fields = [
        {"name": "Name", "type": "string", "versions": "0+"},
        {
            "name": "CredentialInfos",
            "type": "[]CredentialInfo",
            "versions": "0+",
            "fields": [{"name": "Mechanism", "type": "int8", "versions": "0+"}, *info],
        },
    ]
    spec = {
        "apiKey": 11,
        "type": "metadata",
        "name": "UserScramCredentialRecord",
        "validVersions": "0",
        "flexibleVersions": "0+",
    }
    (tmp_path / "UserScramCredentialRecord.json").write_text(json.dumps({**spec, "fields": fields}))
    catalog = default_catalog() | Catalog.of_specs(tmp_path)
    (content,) = Contents.of(["UserScramCredentialRecord"], catalog).columns
    assert content.value is not None
    assert content.value.fields == ("name", "credential_infos.mechanism")
    assert content.may_hold_secrets
    with pytest.raises(
        ValueError, match=r"cannot select secret fields: credential_infos\.salt, credential_infos\.salted_password"
    ):
        Contents.of({"UserScramCredentialRecord": ["credentialInfos"]}, catalog)
