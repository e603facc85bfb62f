"""The history of Apache Kafka, release by release: each break is listed, and each break on the wire has a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from messagegen.evolve import BreakingChange, breaking_changes
from tests.conftest import Golden
from tests.oracle import KAFKA_RELEASE, TOOLS_RELEASE
from tests.support.comparing import compare_texts
from tests.support.releases import specs_of
from tests.support.specs import GOLDEN

pytestmark = pytest.mark.java

EARLIER: Final = (
    "2.8.2",
    "3.0.2",
    "3.1.2",
    "3.2.3",
    "3.3.2",
    "3.4.1",
    "3.5.2",
    "3.6.2",
    "3.7.2",
    "3.8.1",
    "3.9.2",
)
RELEASES: Final = ("3.9.2", "4.0.2", "4.1.2", "4.2.2", TOOLS_RELEASE, KAFKA_RELEASE)

_SHARE_GROUPS: Final = (
    "share groups (KIP-932) were early access in 4.0 and a preview in 4.1, which 4.0 could not upgrade to"
)
REASONS: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("3.9.2", "4.0.2"): {
        "MESSAGE_VERSIONS_NOT_REMOVED": "4.0 removed versions of clients before 2.1, and ZooKeeper (KIP-896, KIP-500)",
        "ShareGroupPartitionMetadataValue": _SHARE_GROUPS,
    },
    ("4.0.2", "4.1.2"): {
        "OffsetCommitKey": "version 0 is the message LegacyOffsetCommitKey since 4.1",
        "ShareGroupPartitionMetadataKey": _SHARE_GROUPS,
        "ShareGroupPartitionMetadataValue": _SHARE_GROUPS,
        "ShareGroupMetadataValue": _SHARE_GROUPS,
        "ShareGroupStatePartitionMetadataValue": _SHARE_GROUPS,
        "ShareSnapshotValue": _SHARE_GROUPS,
        "ShareUpdateValue": _SHARE_GROUPS,
    },
}
"""Reasons why a release changed bytes of the release before, by rule or by message."""


def reason_of(change: BreakingChange, releases: tuple[str, str]) -> str | None:
    message = change.file.rpartition("/")[2].removesuffix(".json")
    reasons = REASONS.get(releases, {})
    return reasons.get(change.rule) or reasons.get(message)


@pytest.mark.slow
@pytest.mark.parametrize("releases", list(pairwise(RELEASES)), ids="-".join)
def test_every_breaking_change_is_listed_and_each_wire_break_has_a_reason(
    releases: tuple[str, str], golden: Golden
) -> None:
    old, new = map(specs_of, releases)
    changes = breaking_changes(compare_texts(old, new))
    listed = "".join(f"{' '.join(change.categories)} {change}\n" for change in changes)
    golden(GOLDEN / "breaking" / f"{'-'.join(releases)}.txt", listed)
    on_wire = [change for change in changes if "WIRE" in change.categories]
    assert [str(change) for change in on_wire if reason_of(change, releases) is None] == []
    assert REASONS.get(releases, {}).keys() <= {
        key for change in on_wire for key in (change.rule, change.file.rpartition("/")[2].removesuffix(".json"))
    }


@pytest.mark.parametrize("releases", list(pairwise(EARLIER)), ids="-".join)
def test_counts_of_changes_between_earlier_releases_equal_golden_files(
    releases: tuple[str, str], golden: Golden
) -> None:
    old, new = map(specs_of, releases)
    counts = Counter((change.rule, " ".join(change.categories)) for change in breaking_changes(compare_texts(old, new)))
    listed = "".join(f"{categories} {rule} {counts[rule, categories]}\n" for rule, categories in sorted(counts))
    golden(GOLDEN / "breaking" / "earlier" / f"{'-'.join(releases)}.txt", listed)


@pytest.mark.slow
def test_the_two_fields_that_kafka_4_4_renamed_are_found() -> None:
    changes = breaking_changes(compare_texts(specs_of(TOOLS_RELEASE), specs_of(KAFKA_RELEASE)))
    found = [(Path(change.file).stem, change.rule, change.message) for change in changes if "JSON" in change.categories]
    assert found == [
        (
            "StreamsGroupHeartbeatResponse",
            "FIELD_SAME_NAME",
            'field "AcceptableRecoveryLagLegacy": name was AcceptableRecoveryLag, now AcceptableRecoveryLagLegacy',
        ),
        (
            "TxnOffsetCommitRequest",
            "FIELD_SAME_NAME",
            'field "GenerationIdOrMemberEpoch": name was GenerationId, now GenerationIdOrMemberEpoch',
        ),
    ]
