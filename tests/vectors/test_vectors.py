"""Vectors: their contents, their agreement with every codec, and a check that they do not change by accident."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from messagegen import edges
from messagegen.plan.ops import MessagePlan
from messagegen.vectors import Vector, make_vectors, too_large
from messagegen.vectors.shapes import SHAPES
from tests.conftest import Golden
from tests.oracle import Oracle, Question
from tests.support.specs import GOLDEN, OWN, PURPOSE_MADE, field, made, package, plan_of, plans


def vectors_of(folder: Path) -> list[Vector]:
    return list(make_vectors(plans(folder).values()))


def wrong(folder: Path) -> list[tuple[str, int, str]]:
    """Return the message, version and shape of vectors that generated code reads or writes differently."""
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
def test_generated_code_agrees_with_vectors(folder: Path) -> None:
    assert wrong(folder) == []


@pytest.mark.java
@pytest.mark.slow
def test_generated_code_of_official_specs_agrees_with_vectors(official: Path) -> None:
    assert wrong(official) == []


@pytest.mark.java
@pytest.mark.slow
def test_java_agrees_with_vectors(official: Path, oracle: Oracle) -> None:
    vectors = vectors_of(official)
    answers = oracle.ask_all(Question("reencode", one.message, one.version, hex=one.data.hex()) for one in vectors)
    differing = [
        (vector.message, vector.version, vector.shape, answer.error)
        for vector, answer in zip(vectors, answers, strict=True)
        if answer.error or answer.hex != vector.data.hex()
    ]
    assert differing == []


@pytest.mark.slow
def test_every_version_has_vectors() -> None:
    counted = Counter((vector.message, vector.version) for vector in vectors_of(OWN))
    assert counted.keys() == {(plan.name, version) for plan in plans(OWN).values() for version in plan.valid_versions}
    assert len({(vector.message, vector.version, vector.data) for vector in vectors_of(OWN)}) == counted.total()


def test_each_vector_has_the_values_of_its_shape() -> None:
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
    assert len(by_shape["long"].json["items"]) == 130
    assert by_shape["unknown-tags"].unknown_tags


def test_the_default_is_not_null_if_the_field_is_not_nullable() -> None:
    # Specs may declare a null default only for nullable fields, but the default of a ``records`` field is null even if
    # the field is not nullable.
    vector, *_ = make_vectors([plan_of(field("Data", "records"))])
    assert (vector.shape, vector.json) == ("default", {"data": ""})


@pytest.mark.slow
def test_vectors_do_not_change_by_accident(golden: Golden) -> None:
    """A new digest means that vectors have changed, which the changelog must describe."""
    program = [sys.executable, "-m", "messagegen.cli", "vectors", "--specs", str(PURPOSE_MADE)]
    made = {
        subprocess.run(program, stdout=subprocess.PIPE, check=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("0", "1")
    }
    golden(GOLDEN / "vectors" / "digest.txt", "".join(f"{sha256(each).hexdigest()}\n" for each in made))


def nested(kind: str) -> MessagePlan:
    """Return the plan of a message with 20 nested structs. Each struct has two fields of the next struct's type."""
    versions = {"versions": "0+"}
    structs = [
        {"name": f"S{level}", **versions, "fields": [field(name, f"{kind}S{level + 1}") for name in ("A", "B")]}
        for level in range(20)
    ]
    last = {"name": "S20", **versions, "fields": [field("Id", "int32")]}
    return plan_of(field("Root", "S0"), commonStructs=[*structs, last], flexibleVersions="0+")


@pytest.mark.slow
def test_deeply_nested_values_stay_within_a_size_limit() -> None:
    assert too_large(nested("")) == {0}
    assert list(make_vectors([nested("")])) == []
    vectors = list(make_vectors([nested("[]")]))
    assert {vector.shape for vector in vectors} >= {"default", "long"}
    assert max(len(vector.data) for vector in vectors) < 200_000


def test_edge_values_include_limits_and_stay_within_the_type() -> None:
    assert {-128, -127, -1, 0, 1, 63, 64, 126, 127} <= set(edges.integers(-128, 127))
    assert all(0 <= edge <= 65535 for edge in edges.integers(0, 65535))
    assert len(set(edges.integers(-(2**63), 2**63 - 1))) == len(edges.integers(-(2**63), 2**63 - 1))


@pytest.mark.parametrize("highest", [0, 125, 126, 127, 128])
def test_unknown_tags_ascend_and_exceed_the_highest_tag_of_a_struct(highest: int) -> None:
    tagged = [field(f"Tag{tag}", "int8", taggedVersions="0+", tag=tag) for tag in range(highest + 1)]
    others = {"validVersions": "0", "flexibleVersions": "0+"}
    (vector,) = [vector for vector in make_vectors([plan_of(*tagged, **others)]) if vector.unknown_tags]
    message = made(*tagged, **others).decode(vector.data, version=0)
    tags = [tag for tag, _ in message.unknown_tagged_fields]
    assert tags == sorted(set(tags))
    assert min(tags) > highest
