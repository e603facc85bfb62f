"""Rewriting equals a naive walk over JSON. Unchanged objects are the same objects, with the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import messagegen_kafka
from messagegen_kafka import (
    DescribeClusterResponse,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
    Message,
    MetadataResponse,
    ProduceRequest,
    UnsupportedVersionError,
    rewrite,
)
from messagegen_kafka._runtime.structs import Struct
from messagegen_kafka.describe_cluster_response import DescribeClusterBroker
from messagegen_kafka.find_coordinator_response import Coordinator
from messagegen_kafka.metadata_response import MetadataResponseBroker, MetadataResponseTopic
from messagegen_kafka.produce_request import PartitionProduceData, TopicProduceData
from tests.native.random_messages import Maker
from tests.runtime.rewriting.naive import rewrite_json, rows
from tests.support.profiles import examples

VERSION: Final = 12


def renamed(text: str) -> str:
    return f"{text}-renamed"


def other_id(number: int) -> int:
    return number ^ 1


def moved(host: str, port: int, node_id: int | None) -> tuple[str, int]:
    return f"{host}.{node_id}", port ^ 1


FUNCTIONS: Final[Mapping[str, Any]] = {
    "topics": renamed,
    "groups": renamed,
    "transactional_ids": renamed,
    "brokers": other_id,
    "addresses": moved,
}
IDENTITY: Final[Mapping[str, Any]] = {
    "topics": str,
    "groups": str,
    "transactional_ids": str,
    "brokers": int,
    "addresses": lambda host, port, _: (host, port),
}


@cache
def subjects() -> list[tuple[Any, int]]:
    """Return the messages that contain something to rewrite, in each version."""
    return [
        (cls, version)
        for name in messagegen_kafka.__all__
        if name in rows()
        for cls in [getattr(messagegen_kafka, name)]
        for version in cls.VALID_VERSIONS
    ]


def drawn(seed: int) -> tuple[Any, int]:
    """Return a message with random values, and its version."""
    random = Random(seed)
    cls, version = random.choice(subjects())
    plan = cls.CODEC.parsed_plan()
    return Maker(random).message(plan.roots[version]), version


SEEDS: Final = st.integers(0, (1 << 64) - 1)
ARGUMENTS: Final = st.sets(st.sampled_from(sorted(FUNCTIONS)), min_size=1)


@pytest.mark.slow
@examples(400)
@given(SEEDS, ARGUMENTS, st.sampled_from((None, 0, 1)))
def test_rewriting_equals_a_walk_over_json(seed: int, arguments: set[str], key_type: int | None) -> None:
    message, version = drawn(seed)
    functions = {name: FUNCTIONS[name] for name in arguments}
    request = None if key_type is None else FindCoordinatorRequest(key_type=key_type)
    expected = message.to_json(version=version)
    asked = None if key_type is None else {"keyType": key_type}
    rewrite_json(type(message).__name__, expected, functions, asked)
    assert rewrite(message, version=version, request=request, **functions).to_json(version=version) == expected


@examples(200)
@given(SEEDS, ARGUMENTS)
def test_an_unchanged_message_is_the_same_object(seed: int, arguments: set[str]) -> None:
    message, version = drawn(seed)
    assert rewrite(message, version=version, **{name: IDENTITY[name] for name in arguments}) is message


@examples(200)
@given(SEEDS, ARGUMENTS)
def test_a_lazy_message_is_rewritten_like_an_eager_one(seed: int, arguments: set[str]) -> None:
    message, version = drawn(seed)
    data = message.encode(version=version)
    functions = {name: FUNCTIONS[name] for name in arguments}
    eager, lazy = (type(message).decode(data, version=version, lazy=lazy) for lazy in (False, True))
    rewritten = rewrite(lazy, version=version, **functions)
    assert rewritten.encode(version=version) == rewrite(eager, version=version, **functions).encode(version=version)
    assert rewritten == rewrite(eager, version=version, **functions)


def plain(message: Any, version: int) -> Any:
    """Return the message after encoding and decoding, so that all its values have decoded types."""
    return type(message).decode(message.encode(version=version), version=version)


def without_unknown(value: Any) -> Any:
    """Return a value without unknown tagged fields, with slow and simple code."""
    if isinstance(value, tuple):
        return tuple(without_unknown(each) for each in value)
    if not isinstance(value, Struct):
        return value
    names = type(value).__dataclass_fields__
    parts = {name: without_unknown(getattr(value, name)) for name in names if name != "unknown_tagged_fields"}
    return type(value)(**parts)


def with_unknown(value: Any, random: Random) -> Any:
    """Return a value with an unknown tagged field in some of its structs."""
    if isinstance(value, tuple):
        return tuple(with_unknown(each, random) for each in value)
    if not isinstance(value, Struct):
        return value
    names = type(value).__dataclass_fields__
    parts = {name: with_unknown(getattr(value, name), random) for name in names}
    if random.random() < 0.5:
        parts["unknown_tagged_fields"] = ((1000 + random.randrange(100), b"unknown"),)
    return type(value)(**parts)


def flexible() -> list[tuple[Any, int]]:
    """Return all messages in their flexible versions."""
    classes = [getattr(messagegen_kafka, name) for name in messagegen_kafka.__all__]
    return [(cls, version) for cls in classes if hasattr(cls, "CODEC") for version in cls.FLEXIBLE_VERSIONS]


@pytest.mark.slow
@examples(400)
@given(SEEDS, st.booleans(), st.booleans())
def test_unknown_tagged_fields_are_dropped_at_every_level(seed: int, lazy: bool, moves: bool) -> None:
    random = Random(seed)
    cls, version = random.choice(flexible())
    made = plain(Maker(random).message(cls.CODEC.parsed_plan().roots[version]), version)
    data = with_unknown(made, random).encode(version=version)
    message = cls.decode(data, version=version, lazy=lazy)
    functions = FUNCTIONS if moves else {}
    changed = rewrite(message, version=version, drop_unknown_tagged_fields=True, **functions)
    expected = rewrite(without_unknown(cls.decode(data, version=version)), version=version, **functions)
    assert changed.encode(version=version) == expected.encode(version=version)
    assert changed == expected


@examples(200)
@given(SEEDS)
def test_a_message_without_unknown_tagged_fields_is_the_same_object(seed: int) -> None:
    message, version = drawn(seed)
    message = without_unknown(plain(message, version))
    assert rewrite(message, version=version, drop_unknown_tagged_fields=True) is message


def metadata() -> MetadataResponse:
    """Return a response that is so large that lazy decoding keeps its bytes."""
    brokers = tuple(MetadataResponseBroker(node_id=n, host=f"broker-{n}.example.com", port=9092) for n in range(3))
    topics = tuple(MetadataResponseTopic(name=f"topic-{n}") for n in range(100))
    return MetadataResponse(brokers=brokers, controller_id=1, topics=topics)


def test_parts_without_rewritten_values_keep_their_bytes() -> None:
    if MetadataResponse.CODEC.engine is None:
        pytest.skip("only the engine decodes lazily")
    # The last topic's empty tag section has a longer form than necessary: it is valid, but encoding never writes it.
    data = metadata().encode(version=VERSION)[:-2] + b"\x80\x00\x00"
    message = MetadataResponse.decode(data, version=VERSION, lazy=True)
    changed = rewrite(message, version=VERSION, addresses=moved).encode(version=VERSION)
    length = len(metadata().topics) * len("topic-00")
    assert changed != data
    assert changed[-length:] == data[-length:]


def test_only_changed_parts_are_new_objects() -> None:
    message = metadata()
    changed = rewrite(message, version=VERSION, topics=lambda name: name.replace("-7", "-x"))
    assert changed.topics[7].name == "topic-x"
    assert changed.topics[8] is message.topics[8]
    assert changed.brokers is message.brokers


def test_a_field_that_the_version_lacks_is_unchanged() -> None:
    topic = TopicProduceData(name="orders", partition_data=(PartitionProduceData(index=0, records=b""),))
    message = ProduceRequest(acks=1, timeout_ms=1, topic_data=(topic,))
    assert rewrite(message, version=12, topics=renamed).topic_data[0].name == "orders-renamed"
    assert rewrite(message, version=13, topics=renamed) is message


def test_the_function_for_addresses_receives_the_original_broker_id() -> None:
    seen: list[tuple[str, int, int | None]] = []

    def note(host: str, port: int, node_id: int | None) -> tuple[str, int]:
        seen.append((host, port, node_id))
        return "proxy", 19092

    broker = DescribeClusterBroker(broker_id=5, host="broker-5", port=9092)
    response = DescribeClusterResponse(cluster_id="c", controller_id=5, brokers=(broker,))
    changed = rewrite(response, version=0, addresses=note, brokers=lambda number: number + 100)
    assert seen == [("broker-5", 9092, 5)]
    assert changed.controller_id == 105
    assert changed.brokers == (DescribeClusterBroker(broker_id=105, host="proxy", port=19092),)


def test_the_empty_address_in_an_error_response_is_unchanged() -> None:
    response = FindCoordinatorResponse(error_code=15, node_id=-1, host="", port=-1)
    assert rewrite(response, version=3, addresses=moved, brokers=other_id) is response


@pytest.mark.parametrize(("host", "port"), [("broker", -1), ("broker", -4242), ("", 0), ("", 4242)])
def test_an_address_with_only_a_host_or_only_a_port_is_rewritten(host: str, port: int) -> None:
    response = MetadataResponse(brokers=(MetadataResponseBroker(node_id=5, host=host, port=port),))
    changed = rewrite(response, version=VERSION, addresses=lambda host, port, node_id: ("proxy", 19092))
    assert changed.brokers == (MetadataResponseBroker(node_id=5, host="proxy", port=19092),)


def test_the_key_type_of_the_request_decides_whether_coordinator_keys_change() -> None:
    response = FindCoordinatorResponse(coordinators=(Coordinator(key="a"),))
    ids = FindCoordinatorRequest(key_type=1)
    groups = FindCoordinatorRequest(key_type=0)
    assert rewrite(response, version=6, groups=renamed, request=groups).coordinators[0].key == "a-renamed"
    assert rewrite(response, version=6, transactional_ids=renamed, request=ids).coordinators[0].key == "a-renamed"
    assert rewrite(response, version=6, groups=renamed, request=ids) is response
    assert rewrite(response, version=6, groups=renamed) is response


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(UnsupportedVersionError):
        rewrite(metadata(), version=99, topics=renamed)


def test_a_message_is_unchanged_if_no_function_is_passed() -> None:
    message: Message = metadata()
    assert rewrite(message, version=VERSION) is message
