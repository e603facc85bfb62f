"""Every release from 2.4 on against the merged specs of all of them: the same bytes and values, version by version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from messagegen.evolve.compare import pair_messages, parse_texts
from messagegen.evolve.sides import MessagePair
from messagegen.generation.loading import load_package
from messagegen.merge.sets import Merged, SpecSet, merge_sets
from tests.differential.compare import round_trip_differences
from tests.differential.test_releases import RELEASES, fetched, rows_of
from tests.oracle import Oracle, Question
from tests.oracle.fixtures import Row
from tests.oracle.mini_reader import read_spec

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("releases")]


@dataclass(frozen=True)
class Everything:
    """All releases as sets of specs, what they give together, and its classes."""

    sets: Mapping[str, SpecSet]
    merged: Merged
    messages: ModuleType


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    sets = {release: spec_set(release) for release in RELEASES}
    merged = merge_sets(list(sets.values()))
    folder = tmp_path_factory.mktemp("merged")
    for name, text in merged.texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text)
    return Everything(sets, merged, load_package(folder))


def spec_set(release: str) -> SpecSet:
    found = fetched(release)
    texts = {f"{each.name}/{name}": text for each in found.artifacts for name, text in each.specs.items()}
    return SpecSet(f"kafka:{release}", texts)


@pytest.mark.parametrize("release", RELEASES)
def test_each_release_reads_and_writes_the_same_bytes(everything: Everything, release: str, tmp_path: Path) -> None:
    changed = {(each.message, version) for label, each in everything.merged.differences if label == f"kafka:{release}" for version in each.versions}
    texts = everything.sets[release].texts
    specs = [read_spec(text.decode("utf-8")) for text in texts.values()]
    for name, text in texts.items():
        (tmp_path / Path(name).name).write_bytes(text)
    own = load_package(tmp_path)
    renamed = renames(everything, release)
    with Oracle(release=release) as oracle:
        known = [spec for spec in specs if spec.versions and oracle.ask(Question("info", spec.name)).error is None]
        rows = [*rows_of(oracle, own, known, release)]
    print(release, len(known), len(rows))
    assert list(round_trip_differences(everything.messages, in_new_words(rows, renamed))) == []
