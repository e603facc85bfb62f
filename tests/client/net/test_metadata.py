"""How long metadata are believed, topic by topic."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from messagegen_client.net.metadata import Broker, ClusterMetadata, MetadataCache, TopicMetadata
from messagegen_kafka.error_codes import ErrorCode

ONE, TWO = Broker(1, "one", 9092), Broker(2, "two", 9092)


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch) -> tuple[MetadataCache, Callable[[float], None]]:
    """A cache that believes for ten seconds, and what sets its clock."""
    clock = [1000.0]
    monkeypatch.setattr("messagegen_client.net.metadata.time.monotonic", lambda: clock[0])
    return MetadataCache(["one:9092", "entrance:9092"], 10), lambda time: clock.__setitem__(0, 1000.0 + time)


def metadata(*topics: str) -> ClusterMetadata:
    found = {name: TopicMetadata(name, UUID(int=1), False, ErrorCode.NONE, {}) for name in topics}
    return ClusterMetadata("id", 1, {1: ONE, 2: TWO}, found)


Clocked = tuple[MetadataCache, Callable[[float], None]]


def test_nothing_is_known_at_first(cache: Clocked) -> None:
    known, _ = cache
    assert known.current() is None
    assert known.with_topics([]) is None
    assert {broker.address for broker in known.candidates(lambda _: (False, False, 0))} == {"one:9092", "entrance:9092"}


def test_each_topic_has_its_own_age(cache: Clocked) -> None:
    known, set_time = cache
    known.update(metadata("old"))
    set_time(6)
    known.update(metadata("new"))
    assert known.with_topics(["old", "new"]) == metadata("old", "new")
    set_time(11)
    assert known.with_topics(["new"]) == metadata("new")
    assert known.with_topics(["old"]) is None
    set_time(17)
    assert known.current() is None


def test_what_has_proved_wrong_is_not_believed_again_because_something_else_was_learned(cache: Clocked) -> None:
    known, _ = cache
    known.update(metadata("orders"))
    known.expire()
    assert known.current() is None
    known.update(metadata("payments"))
    assert known.with_topics(["orders"]) is None


def test_brokers_that_were_known_stay_candidates_before_the_bootstrap_list(cache: Clocked) -> None:
    known, _ = cache
    known.update(metadata())
    known.expire()
    found = known.candidates(lambda _: (False, False, 0))
    assert set(found[:2]) == {ONE, TWO}
    assert [broker.address for broker in found[2:]] == ["entrance:9092"]
    assert known.candidates(lambda broker: (broker is not TWO, False, 0))[0] is TWO
    known.forget_brokers()
    assert [broker.id for broker in known.candidates(lambda _: (False, False, 0))] == [-1, -1]
