"""messagegen agrees with Apache's generator and classes on new values and specs, made from seeds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.differential.compare import damaged_differences, java_rows, load_texts, round_trip_differences
from tests.oracle import TOOLS_RELEASE, Oracle, Question, build_made_up, official_specs
from tests.oracle.damage import mutate
from tests.oracle.fixtures import Row
from tests.oracle.made_up import made_up_text
from tests.oracle.mini_reader import MiniSpec, read_spec
from tests.oracle.values import Sample, samples
from tests.support import profiles
from tests.support.specs import package

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.random]

MADE_UP_SEEDS: Final = profiles.seeds(1000, 40)


def values(specs: list[MiniSpec], seed: str) -> Iterator[tuple[MiniSpec, Sample]]:
    for spec in specs:
        for version in spec.versions:
            for one in samples(spec, version, seed=seed, mixed=2, budget=800):
                yield spec, one


def damaged_rows(oracle: Oracle, rows: list[Row]) -> Iterator[Row]:
    questions = [
        Question("reencode", row["message"], row["version"], hex=data)
        for row in rows
        for _, data in mutate(row["hex"], seed=row["hex"][:64], count=2)
    ]
    for question, answer in zip(questions, oracle.ask_all(questions), strict=True):
        parts = {"error": answer.error} if answer.error is not None else dict(answer.parts)
        # Java cannot write values that it read from descending or repeated tags; the values are compared nevertheless.
        if answer.error is None or "raw tag field list" not in answer.error:
            row: Row = {"op": "reencode", "message": question.message, "version": question.version}
            yield row | {"hex": question.hex, "answer": parts}


def test_random_values_of_official_messages_agree_with_java(oracle: Oracle, official: Path) -> None:
    texts = {name: text for specs in official_specs().values() for name, text in specs.items()}
    messages = package(official)
    rows = list(java_rows(oracle, values([read_spec(text) for text in texts.values()], f"official {profiles.seed()}")))
    assert len(rows) > 2000
    assert list(round_trip_differences(messages, rows)) == []
    assert list(damaged_differences(messages, damaged_rows(oracle, rows[::5]))) == []


def test_random_values_of_made_up_messages_agree_with_java(tmp_path: Path) -> None:
    texts = [made_up_text(seed) for seed in MADE_UP_SEEDS]
    specs = [read_spec(text) for text in texts]
    folder = tmp_path / "specs"
    folder.mkdir()
    messages = load_texts(folder, zip((spec.name for spec in specs), texts, strict=True))
    build = build_made_up(folder, tmp_path / "built")
    with Oracle(classes=[build.classes], release=TOOLS_RELEASE) as oracle:
        rows = list(java_rows(oracle, values(specs, f"made up {profiles.seed()}")))
        assert len(rows) > 12 * len(specs)
        assert list(round_trip_differences(messages, rows)) == []
        assert list(damaged_differences(messages, damaged_rows(oracle, rows[::3]))) == []


def test_defaults_of_official_messages_equal_the_defaults_in_java(oracle: Oracle, official: Path) -> None:
    texts = {name: text for specs in official_specs().values() for name, text in specs.items()}
    messages = package(official)
    asked = [
        Question("default", spec.name, version) for spec in map(read_spec, texts.values()) for version in spec.versions
    ]
    different = []
    for question, answer in zip(asked, oracle.ask_all(asked), strict=True):
        cls = getattr(messages, question.message)
        try:
            ours = cls().encode(version=question.version).hex()
        except ValueError as error:
            ours = str(error)
            if answer.error is not None:
                continue
        if answer.error is not None or ours != answer.hex:
            different.append(f"{question}: {ours}, not {answer.parts}")
    assert different == []
