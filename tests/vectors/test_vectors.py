"""Vectors: what they hold, that they never change by chance, and that every codec agrees with them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from messagegen import edges
from messagegen.vectors import SHAPES, Vector, make_vectors
from messagegen.vectors.files import digest, files
from messagegen.vectors.places import Places
from tests.conftest import Golden
from tests.oracle import Oracle, Question
from tests.support.specs import GOLDEN, OWN, PURPOSE_MADE, field, package, plan_of, plans


def vectors_of(folder: Path) -> list[Vector]:
    return list(make_vectors(plans(folder).values()))


def wrong(folder: Path) -> list[tuple[str, int, str]]:
    """The vectors that generated code reads or writes in another way."""
    messages, found = package(folder), []
    for vector in vectors_of(folder):
        cls, version = getattr(messages, vector.message), vector.version
        value = cls.decode(vector.data, version=version)
        same = value.encode(version=version) == vector.data and repr(value.to_json(version=version)) == repr(
            vector.json
        )
        if not vector.unknown_tags:
            same = same and cls.from_json(vector.json, version=version).encode(version=version) == vector.data
        if not same:
            found.append((vector.message, version, vector.shape))
    return found


@pytest.mark.parametrize("folder", [OWN, PURPOSE_MADE], ids=["own", "purpose-made"])
def test_generated_code_agrees(folder: Path) -> None:
    assert wrong(folder) == []


@pytest.mark.java
@pytest.mark.slow
def test_generated_code_agrees_on_official_specs(official: Path) -> None:
    assert wrong(official) == []


@pytest.mark.java
@pytest.mark.slow
def test_java_agrees(official: Path, oracle: Oracle) -> None:
    vectors = vectors_of(official)
    answers = oracle.ask_all(
        Question("reencode", vector.message, vector.version, hex=vector.data.hex()) for vector in vectors
    )
    differing = [
        (vector.message, vector.version, vector.shape, answer.error)
        for vector, answer in zip(vectors, answers, strict=True)
        if answer.error or answer.hex != vector.data.hex()
    ]
    assert differing == []


def test_every_version_has_vectors() -> None:
    counted = Counter((vector.message, vector.version) for vector in vectors_of(OWN))
    assert counted.keys() == {(plan.name, version) for plan in plans(OWN).values() for version in plan.valid_versions}
    assert len({(vector.message, vector.version, vector.data) for vector in vectors_of(OWN)}) == counted.total()


def test_shapes() -> None:
    made = {shape.name: shape for shape in SHAPES}
    assert len(made) == len(SHAPES)
    plan = plan_of(
        field("Number", "int32"),
        field("Text", "string", nullableVersions="0+"),
        field("Items", "[]Item", fields=[field("Id", "int64")]),
        field("Extra", "string", taggedVersions="0+", tag=0),
        flexibleVersions="0+",
    )
    by_shape = {vector.shape: vector for vector in make_vectors([plan])}
    assert by_shape.keys() == made.keys() - {"empty"}
    assert by_shape["default"].json == {"number": 0, "text": "", "items": []}
    assert by_shape["null"].json["text"] is None
    assert by_shape["typical"].json["extra"]
    assert by_shape["lowest"].json["number"] == -(2**31)
    assert by_shape["highest"].json["items"] == [{"id": 2**63 - 1}]
    assert len(by_shape["long"].json["items"]) == 130
    assert len(by_shape["nested"].json["items"]) == 3
    assert by_shape["unknown-tags"].unknown_tags


def test_a_null_default_where_null_is_not_allowed() -> None:
    # A default of null needs null in all versions; records are null by default whatever the versions say.
    vector, *_ = make_vectors([plan_of(field("Data", "records"))])
    assert (vector.shape, vector.json) == ("default", {"data": ""})


def test_what_is_written_never_changes_by_chance(golden: Golden) -> None:
    """A new digest is a new set of vectors: say so in the changelog."""
    made = files(vectors_of(PURPOSE_MADE))
    golden(GOLDEN / "vectors" / "digest.txt", f"{digest(made)}\n")
    script = (
        "from pathlib import Path; import sys; from messagegen.vectors.files import files, digest\n"
        "from tests.vectors.test_vectors import vectors_of; print(digest(files(vectors_of(Path(sys.argv[1])))))"
    )
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", script, str(PURPOSE_MADE)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert done.stdout.strip() == digest(made)


def test_the_field_of_a_byte() -> None:
    plan = plan_of(field("Number", "int32"), field("Names", "[]string"), field("Last", "int8"))
    vector = next(vector for vector in make_vectors([plan]) if vector.shape == "null")
    places = Places([plan])
    found = [places.field(vector, offset) for offset in (0, 3, 4, 10, 11, len(vector.data) - 1, len(vector.data))]
    assert found == ["number", "number", "names", "names[0]", "names[0]", "last", ""]


def test_edges() -> None:
    assert {-128, -127, -1, 0, 1, 63, 64, 126, 127} <= set(edges.integers(-128, 127))
    assert all(0 <= edge <= 65535 for edge in edges.integers(0, 65535))
    assert len(set(edges.integers(-(2**63), 2**63 - 1))) == len(edges.integers(-(2**63), 2**63 - 1))
