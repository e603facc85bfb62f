"""KIP-625's table, made again."""

from __future__ import annotations

import pytest

from messagegen_arrow.advisor.kip625 import PUBLISHED, encoded, measure_responses, synthetic
from messagegen_arrow.advisor.recommending import recommend
from messagegen_arrow.catalog import default_catalog
from messagegen_kafka import EncodedMetadataResponse, MetadataResponse
from tests.arrow.support.advisor_data import statistics


def test_sizes_lie_where_the_kip_has_them() -> None:
    best, worst = (measure_responses([synthetic(case)], rounds=1) for case in ("best", "worst"))
    fixed = best.row("fixed").bytes
    assert worst.row("fixed").bytes == fixed
    # The KIP does not print its layout; names and tag sections make some hundred bytes of difference.
    assert fixed == pytest.approx(PUBLISHED["fixed"].bytes, rel=0.1)
    assert best.row("upacked").bytes == pytest.approx(PUBLISHED["best"].bytes, rel=0.1)
    growth = PUBLISHED["worst"].bytes - PUBLISHED["fixed"].bytes
    assert worst.row("packed").bytes - fixed == pytest.approx(growth, rel=0.02)


@pytest.mark.parametrize("case", ["best", "worst"])
def test_the_advisor_predicts_the_table_from_the_fixed_bytes(case: str) -> None:
    response = synthetic(case)
    table = default_catalog().message("EncodedMetadataResponse")
    advice = recommend(statistics([(0, response.encode(version=0))], table))
    # Version 2 widens authorized operations to 64 bits, which changes no byte of numbers that are not negative.
    for name, version in (("fixed", 0), ("packed", 1), ("upacked", 2)):
        fixed_width = (
            8 if name == "fixed" else 0
        )  # two authorized operations are fixed32 in version 0, fixed64 as a family
        assert advice.family(name).bytes == response.size(version=version) + fixed_width


def test_real_responses_keep_what_version_9_has() -> None:
    value = {
        "throttleTimeMs": 0,
        "brokers": [{"nodeId": 1, "host": "a", "port": 9092, "rack": None}],
        "clusterId": "c",
        "controllerId": 1,
        "topics": [
            {
                "errorCode": 0,
                "name": "t",
                "isInternal": False,
                "partitions": [
                    {
                        "errorCode": 0,
                        "partitionIndex": 0,
                        "leaderId": 1,
                        "leaderEpoch": 3,
                        "replicaNodes": [1],
                        "isrNodes": [1],
                        "offlineReplicas": [],
                    }
                ],
                "topicAuthorizedOperations": -2147483648,
            }
        ],
        "clusterAuthorizedOperations": -2147483648,
    }
    response = MetadataResponse.from_json(value, version=9)
    assert encoded(response).encode(version=0) == response.encode(version=9)
    assert EncodedMetadataResponse.decode(encoded(response).encode(version=1), version=1) == encoded(response)


def test_cases() -> None:
    with pytest.raises(ValueError, match="a best and a worst case"):
        synthetic("usual")
