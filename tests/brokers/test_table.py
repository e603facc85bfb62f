"""The table of the message versions that each release supports."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import messagegen.brokers
from messagegen.brokers.supported import FILE, parse_table, supported_versions
from messagegen.fetch.releases import RELEASES
from messagegen.versions import VersionRange
from tests.brokers.making import stable_versions, table_text
from tests.conftest import Golden
from tests.support.releases import fetched

TABLE: Final = Path(messagegen.brokers.__path__[0]) / FILE


@pytest.mark.java
@pytest.mark.slow
@pytest.mark.xdist_group("releases")
def test_the_table_equals_the_specs_of_the_releases(golden: Golden) -> None:
    golden(TABLE, table_text({release: stable_versions(fetched(release).texts.values()) for release in RELEASES}))


def test_the_table_has_all_releases_in_order() -> None:
    assert tuple(supported_versions()) == RELEASES


def test_a_written_table_can_be_read_back_unchanged() -> None:
    text = TABLE.read_text(encoding="utf-8")
    assert table_text(parse_table(text)) == text


def test_the_table_omits_unstable_and_removed_versions() -> None:
    table = supported_versions()
    assert table["2.8.2"][1] == VersionRange(0, 12)
    assert table["4.4.0"][1] == VersionRange(4, 18)
    assert 68 not in table["3.6.2"], "ConsumerGroupHeartbeat was unstable"
    assert table["3.7.2"][68] == VersionRange(0, 0)
    assert table["4.1.2"][8] == VersionRange(2, 9), "version 10 of OffsetCommit was unstable"
    assert table["3.9.2"][7] == VersionRange(0, 3)
    assert 7 not in table["4.0.2"], "ControlledShutdown was removed"
