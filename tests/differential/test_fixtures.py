"""messagegen agrees with the committed rows that Apache's Java classes have made."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

import messagegen_kafka
from messagegen.generation.loading import load_package
from tests.differential.compare import damaged_differences, round_trip_differences
from tests.oracle import official_specs
from tests.oracle.fixtures import (
    DAMAGED,
    MADE_UP_MESSAGES,
    MADE_UP_SPECS,
    OFFICIAL_MESSAGES,
    OWN_MESSAGES,
    read_rows,
)
from tests.support.specs import NOT_KAFKAS, OWN, plans

OFFICIAL_SPECS: Final = 286
OFFICIAL_LIVE: Final = 278
OFFICIAL_PAIRS: Final = 744


def test_own_messages_match_the_rows_recorded_from_java() -> None:
    rows = read_rows(OWN_MESSAGES)
    assert plans(OWN).keys() - {row["message"] for row in rows} == NOT_KAFKAS
    assert list(round_trip_differences(messagegen_kafka, rows)) == []


def test_made_up_messages_match_the_rows_recorded_from_java() -> None:
    rows = read_rows(MADE_UP_MESSAGES)
    assert len({row["message"] for row in rows}) > 30
    assert list(round_trip_differences(load_package(MADE_UP_SPECS), rows)) == []


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official")
    for texts in official_specs().values():
        for name, text in texts.items():
            (folder / f"{name.removesuffix('.json')}.json").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.java
def test_official_messages_match_the_rows_recorded_from_java(official: Path) -> None:
    messages = load_package(official)
    rows = read_rows(OFFICIAL_MESSAGES)
    assert list(round_trip_differences(messages, rows)) == []
    assert len(list(official.iterdir())) == OFFICIAL_SPECS
    pairs = Counter((row["message"], row["version"]) for row in rows)
    assert (len({name for name, _ in pairs}), len(pairs)) == (OFFICIAL_LIVE, OFFICIAL_PAIRS)


@pytest.mark.slow
@pytest.mark.java
def test_damaged_messages_have_the_same_outcome_as_in_java(official: Path) -> None:
    rows = read_rows(DAMAGED)
    assert sum("error" in row["answer"] for row in rows) > 300
    assert list(damaged_differences(load_package(official), rows)) == []
