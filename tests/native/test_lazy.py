"""Lazily decoded messages equal eagerly decoded messages, in whatever order their attributes are read."""

from __future__ import annotations

import gc
import pickle
import sys
import sysconfig
import tracemalloc
import weakref
from dataclasses import asdict, replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_kafka import (
    Limits,
    MetadataResponse,
)
from messagegen_kafka._runtime.errors import DEFAULT_LIMITS
from messagegen_kafka._runtime.native import lazy_class
from messagegen_kafka._runtime.structs import Struct, dataclass
from messagegen_kafka._runtime.wire import array_of
from messagegen_kafka.metadata_response import (
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, same, subjects, touch
from tests.support.profiles import examples

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")
pytestmark = [
    pytest.mark.skipif(MetadataResponse.CODEC.engine is None, reason="the engine is turned off"),
    pytest.mark.skipif(
        bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="free-threaded Python decodes all of it at once"
    ),
]

SEEDS = st.integers(0, (1 << 64) - 1)
VERSION = 12


def metadata(topics: int = 20, partitions: int = 4) -> MetadataResponse:
    """Return a message that is so large that its arrays are not decoded with it."""
    replicas = tuple(range(3))
    return MetadataResponse(
        brokers=tuple(MetadataResponseBroker(node_id=n, host=f"broker-{n}.example.com", port=9092) for n in range(3)),
        cluster_id="a cluster",
        topics=tuple(
            MetadataResponseTopic(
                name=f"topic-{topic}",
                partitions=tuple(
                    MetadataResponsePartition(
                        partition_index=n, leader_id=n, replica_nodes=replicas, isr_nodes=replicas
                    )
                    for n in range(partitions)
                ),
            )
            for topic in range(topics)
        ),
    )


DATA = metadata().encode(version=VERSION)


def lazily(data: bytes = DATA) -> MetadataResponse:
    return MetadataResponse.decode(data, version=VERSION, lazy=True)


@cache
def all_subjects() -> list[Subject]:
    return [subject for folder in FOLDERS for subject in subjects(native.Engine, folder)]


def sample(seed: int) -> tuple[Subject, Random, bytes]:
    random = Random(seed)
    subject = random.choice(all_subjects())
    message = Maker(random).message(subject.table.roots[subject.version])
    return subject, random, subject.engine.encode(subject.version, message)


def outcome(subject: Subject, method: str, data: bytes, limits: Limits | None = None) -> Any:
    """Return the decoded message and the offset after it, or the arguments of the error."""
    try:
        return getattr(subject.engine, method)(subject.version, data, 0, limits)
    except native.Failure as failure:
        return failure.args


def written(subject: Subject, message: Any, version: int) -> bytes | None:
    try:
        encoded: bytes = subject.engine.encode(version, message)
    except native.Failure:
        return None
    return encoded


def test_every_message_and_version_is_equal_after_lazy_and_eager_decoding() -> None:
    for number, subject in enumerate(all_subjects()):
        message = Maker(Random(number)).message(subject.table.roots[subject.version])
        data = subject.engine.encode(subject.version, message)
        at_once = outcome(subject, "decode", data)
        assert same(outcome(subject, "decode_lazily", data), at_once), subject
        untouched = outcome(subject, "decode_lazily", data)
        assert len(untouched) != 2 or written(subject, untouched[0], subject.version) == data, subject


@examples(500)
@given(SEEDS)
def test_damaged_bytes_are_decoded_or_refused_as_at_once(seed: int) -> None:
    subject, random, data = sample(seed)
    data = damaged(random, data)
    assert same(outcome(subject, "decode_lazily", data), outcome(subject, "decode", data))


@examples(300)
@given(SEEDS)
def test_limits_hold_as_for_decoding_at_once(seed: int) -> None:
    subject, random, data = sample(seed)
    limits = Limits(
        array_length=random.choice((0, 2, 149, 150, 1 << 40)),
        tagged_field_count=random.choice((0, 2, 1 << 40)),
        memory_factor=random.choice((0, 1, 5, 9, 10, 11)),
        memory_constant=random.randrange(8 * len(data) + 1000),
    )
    assert same(outcome(subject, "decode_lazily", data, limits), outcome(subject, "decode", data, limits))


@examples(400)
@given(SEEDS)
def test_reads_in_between_make_no_difference(seed: int) -> None:
    subject, random, data = sample(seed)
    lazy = outcome(subject, "decode_lazily", data)[0]
    at_once = outcome(subject, "decode", data)[0]
    for _ in range(3):
        touch(random, lazy, random.random())
        assert written(subject, lazy, subject.version) == data
        other = random.choice(subject.cls.VALID_VERSIONS)
        assert written(subject, lazy, other) == written(subject, at_once, other)
    assert same(lazy, at_once)


@examples(400)
@given(SEEDS)
def test_changes_are_written_as_for_eagerly_decoded_messages(seed: int) -> None:
    subject, random, data = sample(seed)
    donor = Maker(random).message(subject.table.roots[subject.version])
    lazy = outcome(subject, "decode_lazily", data)[0]
    at_once = outcome(subject, "decode", data)[0]
    touch(random, lazy, 0.2)
    for _ in range(2):
        step = random.random()
        for message in (lazy, at_once):
            change(Random(step), message, donor)
        assert written(subject, lazy, subject.version) == written(subject, at_once, subject.version)
    assert same(lazy, at_once)


def change(random: Random, message: Any, donor: Any) -> None:
    """Set an attribute of the message, or of a struct in it, to its value in ``donor``."""
    name = random.choice(list(message.__defaults__))
    value, given_value = getattr(message, name), getattr(donor, name)
    items, given_items = _items(value), _items(given_value)
    if items and hasattr(items[0], "__defaults__") and given_items:
        change(random, random.choice(items) or message, random.choice(given_items) or donor)
    else:
        setattr(message, name, given_value)


def _items(value: Any) -> list[Any]:
    """Return the elements of an array, even if it is an instance of a subclass with methods of its own."""
    return list(array_of(value)) if isinstance(value, tuple | list) else []


def test_a_lazy_message_behaves_like_an_eager_message() -> None:
    lazy, at_once = lazily(), metadata()
    assert isinstance(lazy, MetadataResponse)
    assert lazy.__class__ is MetadataResponse
    assert lazy == at_once
    assert at_once == lazily()
    assert lazily() == lazily()
    assert hash(lazily()) == hash(at_once)
    assert repr(lazily()) == repr(at_once)
    assert asdict(lazily()) == asdict(at_once)
    assert lazily().to_json(version=VERSION) == at_once.to_json(version=VERSION)
    match lazily():
        case MetadataResponse(cluster_id=name):
            assert name == "a cluster"
        case _:
            pytest.fail("it does not match its class")


def test_a_lazy_object_gets_its_final_class_after_all_its_fields_are_read() -> None:
    lazy = lazily()
    assert type(lazy) is not MetadataResponse
    topics = lazy.topics
    assert type(topics) is tuple
    assert type(topics[0]) is not MetadataResponseTopic
    assert topics[0].name == "topic-0"
    assert type(topics[0].partitions[0]) is MetadataResponsePartition
    assert type(topics[0]) is MetadataResponseTopic
    assert lazy.brokers
    assert type(lazy) is MetadataResponse
    assert lazy.topics is topics


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_lazy_message_is_pickled_as_an_object_of_its_class(protocol: int) -> None:
    loaded = pickle.loads(pickle.dumps(lazily(), protocol))
    assert type(loaded) is MetadataResponse
    assert loaded == metadata()


def test_an_attribute_can_be_set_or_deleted_before_any_field_is_read() -> None:
    topic = lazily().topics[3]
    object.__setattr__(topic, "name", "renamed")
    assert topic == replace(metadata().topics[3], name="renamed")
    topic = lazily().topics[3]
    object.__delattr__(topic, "name")
    with pytest.raises(AttributeError, match="name"):
        _ = topic.name
    with pytest.raises(AttributeError, match="name"):
        object.__delattr__(topic, "name")
    assert topic.partitions == metadata().topics[3].partitions


def test_replacing_a_field_leaves_the_message_lazy() -> None:
    lazy = lazily()
    changed = lazy.__replace__(controller_id=7)
    assert changed.encode(version=VERSION) == replace(metadata(), controller_id=7).encode(version=VERSION)
    assert type(changed) is not MetadataResponse
    assert changed == replace(lazily(), controller_id=7) == replace(metadata(), controller_id=7)
    assert lazy == metadata()
    with pytest.raises(TypeError, match="unexpected keyword argument 'controler_id'"):
        lazy.__replace__(controler_id=7)


def test_replace_works_on_a_lazy_message_whose_fields_were_all_read() -> None:
    """The evaluation of arguments, or another thread, may have completed it after the method was looked up."""
    lazy = lazily()
    replace_in = lazy.__replace__
    assert lazy == metadata()
    assert type(lazy) is MetadataResponse
    assert replace_in(controller_id=7) == replace(metadata(), controller_id=7)
    with pytest.raises(TypeError, match="unexpected keyword argument 'controler_id'"):
        replace_in(controler_id=7)
    almost = lazily()
    for name in ("brokers", "cluster_id", "unknown_tagged_fields"):
        getattr(almost, name)
    assert almost.__replace__(topics=almost.topics[:-1]) == replace(metadata(), topics=metadata().topics[:-1])


def test_unread_fields_are_forwarded_unchanged() -> None:
    plain = DATA.index(b"topic-19") - 1
    long_length = DATA[:plain] + bytes((DATA[plain] | 0x80, 0)) + DATA[plain + 1 :]
    assert MetadataResponse.decode(long_length, version=VERSION).encode(version=VERSION) == DATA
    lazy = lazily(long_length)
    assert lazy.encode(version=VERSION) == long_length
    assert lazy.topics[18].name == "topic-18"
    assert lazy.encode(version=VERSION) == long_length
    assert lazy.topics[19].name == "topic-19"
    assert lazy.encode(version=VERSION) == DATA


def test_unread_fields_take_no_memory() -> None:
    data = metadata(1000, 10).encode(version=VERSION)
    lazily(data)
    tracemalloc.start()
    try:
        lazy = lazily(data)
        assert tracemalloc.get_traced_memory()[0] < 2_000
    finally:
        tracemalloc.stop()
    assert lazy.controller_id == -1


def test_the_bytes_are_released_after_all_fields_are_read() -> None:
    data = bytes(bytearray(DATA))
    before = sys.getrefcount(data)
    lazy = lazily(data)
    topic = lazy.topics[0]
    assert sys.getrefcount(data) > before
    assert lazy.brokers
    assert all(one.partitions for one in lazy.topics)
    assert sys.getrefcount(data) == before
    assert topic.name == "topic-0"


def test_lazy_descriptors_refuse_objects_of_other_classes() -> None:
    field = vars(type(lazily()))["topics"]
    with pytest.raises(TypeError, match="another class"):
        field.__get__(metadata(), MetadataResponse)
    with pytest.raises(TypeError, match="another class"):
        field.__set__(object(), ())
    with pytest.raises(TypeError, match="another class"):
        field.replace(None, {})


def test_a_forged_position_in_a_lazy_object_raises_and_does_not_crash() -> None:
    slot = vars(Struct)["unknown_tagged_fields"]
    for number in (-1, 1 << 40, (1 << 62) + 7, (1 << 63) - 1):
        topic = lazily().topics[0]
        slot.__set__(topic, number)
        with pytest.raises((RuntimeError, ValueError)):
            _ = topic.name


def test_the_classes_of_lazy_structs_are_freed_with_the_engine() -> None:
    body = {"name": "", "__module__": __name__, "__annotations__": {"name": "str"}}
    cls: type[Struct] = dataclass(type("Named", (Struct,), body))
    plan = (
        "messagegen-plan 3\nmessage Named data 0\nstruct Named\n name name string x\nlayout 0 Named 0\n name string\n"
    )
    engine = native.Engine(plan, (cls,), lazy_class, DEFAULT_LIMITS)
    type.__setattr__(cls, "CODEC", engine)
    data = b"\0\x64" + b"x" * 100
    assert engine.decode_lazily(0, data, 0)[0].name == "x" * 100
    made = cls.__subclasses__()
    assert len(made) == 1
    gone = [weakref.ref(cls), weakref.ref(made[0])]
    del cls, made, engine
    gc.collect()
    assert [one() for one in gone] == [None, None]
