"""Every minor release of Kafka since 2.4: classes of its specs, and for some the bytes of their Java classes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from messagegen.fetch.releases import NEWEST_RELEASE, artifacts_of
from messagegen.fetch.specs import from_jars, store_specs
from messagegen.generation.loading import load_package, load_specs
from messagegen.generation.sources import read_sources
from messagegen.spec import parse
from tests.differential.compare import round_trip_differences, rows_of
from tests.oracle import KAFKA_RELEASE, TOOLS_RELEASE, Oracle, Question
from tests.oracle.jars import message_jars
from tests.oracle.mini_reader import read_spec
from tests.support.releases import RELEASES, fetched

# All tests run in one process, because releases share most specs, and the class of each text is made only once.
pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("releases")]


WITH_JAVA: Final = ("2.8.2", "3.9.2", "4.0.2", TOOLS_RELEASE)
"""Releases whose Java classes are compared; fixtures and other differential tests use ``KAFKA_RELEASE``."""


@pytest.fixture(scope="module")
def seen() -> dict[bytes, set[str]]:
    """The texts of specs that were parsed and whose classes were made and imported, with the rules that they break."""
    return {}


def test_other_tests_use_the_newest_release() -> None:
    assert NEWEST_RELEASE == KAFKA_RELEASE


@pytest.mark.parametrize("release", RELEASES)
def test_every_release_can_be_generated(release: str, tmp_path: Path, seen: dict[bytes, set[str]]) -> None:
    specs = fetched(release)
    lock, _ = store_specs(specs, tmp_path / "specs")
    read = read_sources([tmp_path / "specs"])
    pairs = sum(len(range(spec.valid_versions.lowest, spec.valid_versions.highest + 1)) for spec in read.messages)
    texts = {Path(path).stem: text for path, text in specs.texts.items()}
    new = {name: text for name, text in texts.items() if text not in seen}
    for name, text in new.items():
        seen[text] = {finding.rule for finding in parse(text, name, released=True).findings}
    found = {rule for text in texts.values() for rule in seen[text]}
    assert (len(lock.files), pairs, found) == RELEASES[release]
    assert not read.warnings  # the specs of a release cannot change
    messages = load_specs(read.messages)
    live = {spec.name for spec in read.messages}
    for name in new.keys() & live:
        cls = getattr(messages, name)
        # The bytes are compared with Java's classes below.
        assert cls.decode(cls().encode(version=cls.VALID_VERSIONS[-1]), version=cls.VALID_VERSIONS[-1]) == cls()


@pytest.mark.slow
def test_every_jar_with_specs_is_read() -> None:
    for release in RELEASES:
        every = from_jars(message_jars(release))
        assert {path.partition("/")[0] for path in every.texts} == set(artifacts_of(release)), release


def test_the_names_of_apis_equal_the_names_in_the_newest_release(tmp_path: Path) -> None:
    api_names = pytest.importorskip("messagegen_arrow.frames.api_names", reason="the pipeline is not installed")
    store_specs(fetched(KAFKA_RELEASE), tmp_path)
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.json")]
    keys = ((re.search(r'"apiKey"\s*:\s*(\d+)', text), read_spec(text)) for text in texts)
    found = {(int(key[1]), spec.name) for key, spec in keys if key and spec.kind in ("request", "response")}
    names = enumerate(api_names.API_NAMES)
    assert found == {(key, f"{name}{kind}") for key, name in names for kind in ("Request", "Response")}


@pytest.mark.parametrize("release", WITH_JAVA)
def test_bytes_equal_the_bytes_of_the_java_classes(release: str, tmp_path: Path) -> None:
    store_specs(fetched(release), tmp_path / "specs")
    messages = load_package(tmp_path / "specs")
    specs = [read_spec(path.read_text(encoding="utf-8")) for path in (tmp_path / "specs").rglob("*.json")]
    live = [spec for spec in specs if spec.versions]
    with Oracle(release=release) as oracle:
        known = [spec for spec in live if oracle.ask(Question("info", spec.name)).parts.get("has_json")]
        rows = list(rows_of(oracle, messages, known, release))
    # Kafka 2.8 has no JSON for the records of groups and transactions.
    assert len(live) - len(known) == (6 if release == "2.8.2" else 0)
    assert len({(row["message"], row["version"]) for row in rows}) == sum(len(spec.versions) for spec in known)
    assert list(round_trip_differences(messages, rows)) == []
