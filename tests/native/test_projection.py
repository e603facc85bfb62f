"""Decoding of chosen fields, by the engine and in pure Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_kafka import DecodeError, EncodeError, MetadataResponse, UnsupportedVersionError
from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, same, subjects
from tests.native.test_lazy import DATA, VERSION, metadata
from tests.support.profiles import examples

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

SEEDS = st.integers(0, (1 << 64) - 1)
SUBJECTS: list[Subject] = []


def sample(seed: int) -> tuple[Subject, Random, bytes]:
    if not SUBJECTS:
        SUBJECTS.extend(subject for folder in FOLDERS for subject in subjects(native.Engine, folder))
    random = Random(seed)
    subject = random.choice(SUBJECTS)
    message = Maker(random).message(subject.table.roots[subject.version])
    return subject, random, subject.engine.encode(subject.version, message)


def some_paths(random: Random, plan: Any, owner: Any, above: str = "") -> Iterator[str]:
    """Paths of fields of a message, each with some chance."""
    for name, field in owner.fields.items():
        inner = plan.structs.get(field.type.lstrip("[]"))
        if inner is not None and random.random() < 0.6:
            yield from some_paths(random, plan, inner, f"{above}{name}.")
        elif random.random() < 0.4:
            yield above + name


@contextmanager
def pure(cls: Any) -> Iterator[None]:
    """Without the engine."""
    engine, cls.CODEC.engine = cls.CODEC.engine, None
    projections, cls.CODEC.projections = cls.CODEC.projections, {}
    try:
        yield
    finally:
        cls.CODEC.engine, cls.CODEC.projections = engine, projections


def values_of(value: Any) -> Any:
    """A message as the values that it has."""
    if isinstance(value, tuple):
        return tuple(map(values_of, value))
    if hasattr(value, "__defaults__"):
        return {name: values_of(getattr(value, name)) for name in value.__defaults__ if hasattr(value, name)}
    return value


def alike(left: Any, right: Any) -> bool:
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(alike(left[name], right[name]) for name in left)
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(alike, left, right))
    return same(left, right)


def outcome(subject: Subject, data: bytes, **options: Any) -> Any:
    """The values of what is decoded, or what is wrong."""
    try:
        return values_of(subject.cls.decode(data, version=subject.version, **options))
    except ValueError as error:
        return str(error)


@examples(300)
@given(SEEDS)
def test_the_engine_and_pure_python_agree(seed: int) -> None:
    subject, random, data = sample(seed)
    fields = list(some_paths(random, subject.table, subject.table.root))
    by_engine = outcome(subject, data, fields=fields)
    with pure(subject.cls):
        assert alike(by_engine, outcome(subject, data, fields=fields))


@examples(300)
@given(SEEDS)
def test_errors_are_those_of_the_whole_message(seed: int) -> None:
    subject, random, data = sample(seed)
    data = damaged(random, data)
    whole = outcome(subject, data)
    fields = list(some_paths(random, subject.table, subject.table.root))
    chosen = outcome(subject, data, fields=fields)
    assert isinstance(chosen, str) == isinstance(whole, str)
    assert chosen == whole or not isinstance(chosen, str)


@pytest.fixture(params=["native", "pure"])
def _engine(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param == "native":
        if MetadataResponse.CODEC.engine is None:
            pytest.skip("the engine is turned off")
        yield
    else:
        with pure(MetadataResponse):
            yield


def chosen(*fields: str) -> MetadataResponse:
    return MetadataResponse.decode(DATA, version=VERSION, fields=fields)


@pytest.mark.usefixtures("_engine")
class TestMetadata:
    def test_only_chosen_fields_have_values(self) -> None:
        response = chosen("controller_id", "topics.name", "topics.partitions.leader_id")
        assert type(response) is MetadataResponse
        assert response.controller_id == -1
        topic = response.topics[3]
        assert topic.name == "topic-3"
        assert [partition.leader_id for partition in topic.partitions] == [0, 1, 2, 3]
        for owner, name in ((response, "brokers"), (topic, "topic_id"), (topic.partitions[0], "error_code")):
            with pytest.raises(AttributeError, match=name):
                getattr(owner, name)

    def test_what_has_no_value_is_not_shown_and_not_encoded(self) -> None:
        response = chosen("controller_id", "throttle_time_ms")
        assert repr(response) == "MetadataResponse(throttle_time_ms=0, controller_id=-1)"
        with pytest.raises(EncodeError, match="never set"):
            response.encode(version=VERSION)

    def test_a_whole_field_includes_its_parts(self) -> None:
        expected = metadata().topics
        assert chosen("topics.name", "topics").topics == chosen("topics", "topics.name").topics == expected

    def test_no_fields_only_check(self) -> None:
        assert repr(chosen()) == "MetadataResponse()"
        with pytest.raises(DecodeError, match="extra bytes after the message"):
            MetadataResponse.decode(DATA + b"\0", version=VERSION, fields=())
        with pytest.raises(UnsupportedVersionError):
            MetadataResponse.decode(DATA, version=99, fields=())

    def test_unknown_fields_are_refused(self) -> None:
        with pytest.raises(
            ValueError, match=r"unknown field 'topics.nam': MetadataResponseTopic has no 'nam'; its fields"
        ):
            chosen("topics.nam")
        with pytest.raises(ValueError, match="'cluster_id' is not a struct and has no fields"):
            chosen("cluster_id.length")
        with pytest.raises(TypeError, match=r"got a str; write \['topics'\]"):
            MetadataResponse.decode(DATA, version=VERSION, fields="topics")
