from __future__ import annotations

import gc
import sys
import tracemalloc
from contextlib import suppress
from random import Random

import pytest

from tests.native.random_messages import FOLDERS, HAS_STATM, Maker, Subject, damaged, resident, subjects

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")


@pytest.fixture(scope="module")
def metadata() -> Subject:
    own = {str(subject): subject for subject in subjects(native.Engine, FOLDERS[0])}
    return own["MetadataResponse-13"]


def valid(subject: Subject, seed: int) -> bytes:
    message = Maker(Random(seed)).message(subject.table.roots[subject.version])
    data: bytes = subject.engine.encode(subject.version, message)
    return data


def fails_to_decode(subject: Subject, data: bytes) -> bool:
    try:
        subject.engine.decode(subject.version, data, 0, data)
    except native.Failure:
        return True
    return False


@pytest.mark.parametrize("version", range(14))
@pytest.mark.parametrize("after", [0, 2, 4, 6])
def test_an_array_that_claims_the_most_elements_costs_nothing(version: int, after: int, metadata: Subject) -> None:
    count = b"\xff\xff\xff\xff\x07" if version >= 9 else b"\x7f\xff\xff\xff"
    hostile = b"\0" * (4 if version >= 3 else 0) + count + b"\0" * after
    tracemalloc.start()
    try:
        with pytest.raises(native.Failure):
            metadata.engine.decode(version, hostile, 0, hostile)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000


def test_memory_is_bounded_by_the_length_of_damaged_input(metadata: Subject) -> None:
    random = Random(5)
    data = valid(metadata, 5)
    # An empty topic takes 26 bytes and makes an object of 72; nothing in between takes more for a byte.
    for _ in range(200):
        hurt = damaged(random, data)
        tracemalloc.start()
        try:
            fails_to_decode(metadata, hurt)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 20_000 + 40 * len(hurt)


def test_refused_bytes_leave_no_references_behind(metadata: Subject) -> None:
    data = valid(metadata, 7)
    classes = metadata.cls.CODEC.classes
    watched = [*classes, data, metadata.engine]
    before = [sys.getrefcount(thing) for thing in watched]
    refused = sum(fails_to_decode(metadata, data[:length]) for length in range(len(data)))
    assert refused == len(data)
    gc.collect()
    after = [sys.getrefcount(thing) for thing in watched]
    assert max(abs(new - old) for new, old in zip(after, before, strict=True)) < 20


def test_refused_objects_leave_no_references_behind(metadata: Subject) -> None:
    message = Maker(Random(9)).message(metadata.table.roots[13])
    message.cluster_id = "\ud800"
    watched = [message, message.topics, message.brokers, type(message)]
    before = [sys.getrefcount(thing) for thing in watched]
    for _ in range(1000):
        with pytest.raises(native.Failure):
            metadata.engine.encode(13, message)
    after = [sys.getrefcount(thing) for thing in watched]
    assert max(abs(new - old) for new, old in zip(after, before, strict=True)) < 20


def test_no_object_is_forgotten() -> None:
    random = Random(13)
    found = [subject for folder in FOLDERS for subject in subjects(native.Engine, folder)]
    jobs = []
    for number in range(300):
        subject = random.choice(found)
        maker = Maker(random, wrong=0.03 if number % 2 else 0.0)
        message = maker.message(subject.table.roots[subject.version])
        data = valid(subject, number)
        jobs.append((subject, message, [data, damaged(random, data), damaged(random, data)]))

    def round_of_all() -> None:
        for subject, message, rows in jobs:
            with suppress(native.Failure):
                subject.engine.encode(subject.version, message)
            for row in rows:
                for source in (row, memoryview(row)):
                    with suppress(native.Failure):
                        subject.engine.decode(subject.version, row, 0, source)

    for _ in range(3):
        round_of_all()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(50):
        round_of_all()
    gc.collect()
    # One object forgotten in one of the jobs would be 50.
    assert sys.getallocatedblocks() - before < 45


@pytest.mark.skipif(not HAS_STATM, reason="only Linux tells the resident memory of a process this way")
def test_a_hundred_thousand_refusals_do_not_grow_the_process(metadata: Subject) -> None:
    random = Random(11)
    data = [damaged(random, valid(metadata, seed)) for seed in range(50)]
    broken = [hurt for hurt in data if fails_to_decode(metadata, hurt)]
    assert broken
    for hurt in broken:
        fails_to_decode(metadata, hurt)
    before = resident()
    rounds = 100_000 // len(broken) + 1
    assert all(fails_to_decode(metadata, hurt) for _ in range(rounds) for hurt in broken)
    assert resident() - before < 8 << 20
