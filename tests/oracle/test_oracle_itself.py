"""Compares Apache's Java classes with the oracle's value makers and fixtures.

If they differ, no other differential test is valid.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle import TOOLS_RELEASE, Oracle, Question, build_made_up, official_specs
from tests.oracle.fixtures import (
    MADE_UP_MESSAGES,
    MADE_UP_SPECS,
    OFFICIAL_MESSAGES,
    OWN_MESSAGES,
    Row,
    read_rows,
)
from tests.oracle.mini_reader import read_spec

pytestmark = pytest.mark.java

OFFICIAL_SPECS = 286
OFFICIAL_PAIRS = 744


@pytest.fixture(scope="module")
def official() -> dict[str, str]:
    return {name: text for specs in official_specs().values() for name, text in specs.items()}


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oracle]:
    build = build_made_up(MADE_UP_SPECS, tmp_path_factory.mktemp("made_up"))
    with Oracle(classes=[build.classes], release=TOOLS_RELEASE) as running:
        yield running


def disagreements(oracle: Oracle, rows: list[Row]) -> list[str]:
    """Return every row that differs from Java's encoding of its JSON or Java's decoding of its bytes."""
    encodes = [
        Question("encode", row["message"], row["version"], row["json"], unknown=row.get("unknown")) for row in rows
    ]
    decodes = [Question("reencode", row["message"], row["version"], hex=row["hex"]) for row in rows]
    found = []
    for row, encoded, decoded in zip(rows, oracle.ask_all(encodes), oracle.ask_all(decodes), strict=True):
        expected = {"json": row["json"], "hex": row["hex"]} | ({"unknown": row["unknown"]} if "unknown" in row else {})
        # NaN does not equal itself, but its text does.
        if dict(encoded.parts) != {"hex": row["hex"]} or repr(sorted(decoded.parts.items())) != repr(
            sorted(expected.items())
        ):
            found.append(f"{row}: {encoded.parts}, {decoded.parts}")
    return found


def test_jars_contain_all_official_specs(official: dict[str, str]) -> None:
    specs = [read_spec(text) for text in official.values()]
    assert len(specs) == OFFICIAL_SPECS
    assert sum(len(spec.versions) for spec in specs) == OFFICIAL_PAIRS


@pytest.mark.slow
def test_apache_accepts_all_official_specs(generator: Oracle, official: dict[str, str]) -> None:
    assert [found for found in generator.refusals(official.values(), compiled=False) if found] == []


# The generator affects neither the fixtures nor Kafka's classes.
@pytest.mark.slow
@pytest.mark.parametrize("file", [OFFICIAL_MESSAGES, OWN_MESSAGES], ids=lambda file: file.stem)
def test_java_agrees_with_the_fixtures(oracle: Oracle, file: Path) -> None:
    rows = read_rows(file)
    assert rows
    assert disagreements(oracle, rows) == []


def test_official_fixture_covers_every_message_and_version(official: dict[str, str]) -> None:
    specs = map(read_spec, official.values())
    expected = {(spec.name, version) for spec in specs for version in spec.versions}
    assert {(row["message"], row["version"]) for row in read_rows(OFFICIAL_MESSAGES)} == expected


@pytest.mark.slow
def test_java_agrees_with_the_fixtures_of_made_up_specs(made_up: Oracle) -> None:
    rows = read_rows(MADE_UP_MESSAGES)
    specs = [read_spec(file.read_text(encoding="utf-8")) for file in MADE_UP_SPECS.glob("*.json")]
    covered = {(row["message"], row["version"]) for row in rows}
    assert covered == {(spec.name, version) for spec in specs for version in spec.versions}
    assert disagreements(made_up, rows) == []
