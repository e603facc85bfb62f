"""An unknown entity type is only a warning, because entity types do not change encoded bytes."""

from __future__ import annotations

import pytest

from messagegen.spec.model import EntityType
from tests.spec.building import field, message, read


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("streamId", "write one of "),
        ("nodeId", "write one of "),
        ("memberId", "write one of "),
        ("topicId", "write one of "),
        ("topicname", 'did you mean "topicName"?'),
        ("topic", 'did you mean "topicName"?'),
        ("brokerID", 'did you mean "brokerId"?'),
        ("transactionId", 'did you mean "transactionalId"?'),
    ],
)
def test_an_unknown_entity_type_is_a_warning(text: str, advice: str) -> None:
    parsed = read(message(field("Id", "int64", entityType=text)))
    (finding,) = parsed.findings
    assert (finding.rule, finding.severity, finding.json_path) == (
        "ENTITY_TYPE_KNOWN",
        "warning",
        "fields[0].entityType",
    )
    assert finding.instead.startswith(advice)
    assert parsed.spec is not None
    assert parsed.spec.fields[0].entity_type is EntityType.UNKNOWN


def test_an_invalid_entity_type_is_an_error() -> None:
    parsed = read(message(field("Id", "int64", entityType=3)))
    assert [(finding.rule, finding.severity) for finding in parsed.findings] == [("PROPERTY_TYPE", "error")]
