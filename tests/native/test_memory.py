from __future__ import annotations

import gc
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.native.random_messages import FOLDERS, Maker, Subject, damaged, memory_of, subjects

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")


@pytest.fixture(scope="module")
def metadata() -> Subject:
    own = {str(subject): subject for subject in subjects(native.Engine, FOLDERS[0])}
    return own["MetadataResponse-13"]


def valid(subject: Subject, seed: int) -> bytes:
    message = Maker(Random(seed)).message(subject.table.roots[subject.version])
    data: bytes = subject.engine.encode(subject.version, message)
    return data


@pytest.mark.parametrize("version", range(14))
@pytest.mark.parametrize("after", [0, 2, 4, 6])
def test_an_array_that_claims_the_maximum_length_costs_little_memory(
    version: int, after: int, metadata: Subject
) -> None:
    count = b"\xff\xff\xff\xff\x07" if version >= 9 else b"\x7f\xff\xff\xff"
    hostile = b"\0" * (4 if version >= 3 else 0) + count + b"\0" * after
    tracemalloc.start()
    try:
        with pytest.raises(native.Failure):
            metadata.engine.decode(version, hostile, 0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000


@pytest.mark.slow
def test_no_object_is_leaked() -> None:
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
                with suppress(native.Failure):
                    subject.engine.decode(subject.version, row, 0)

    for _ in range(3):
        round_of_all()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(50):
        round_of_all()
    gc.collect()
    # A job that leaks one object per round leaks 50 in 50 rounds.
    assert sys.getallocatedblocks() - before < 45


WIDE = """{
  "type": "data", "name": "Wide", "validVersions": "0-1", "flexibleVersions": "none", "fields": [
    { "name": "Rows", "type": "[]Row", "versions": "0+", "about": "Rows.", "fields": [
      { "name": "Data", "type": "bytes", "versions": "0+", "about": "Bytes, so that rows may be asleep." }, %s
    ] }
  ]
}"""
"""A spec whose rows take few bytes in version 0, but whose objects have slots for many fields."""


def test_lazy_and_eager_decoding_stay_within_the_memory_limit(tmp_path: Path) -> None:
    fields = [f'{{ "name": "F{number}", "type": "int8", "versions": "1+", "about": "F." }}' for number in range(20)]
    (tmp_path / "Wide.json").write_text(WIDE % ", ".join(fields), encoding="utf-8")
    subject = next(subjects(native.Engine, tmp_path))
    cost_of_row = memory_of(subject, rows(2)) - memory_of(subject, rows(1))
    most = (1_000_000 + 32 * 4 - memory_of(subject, rows(0))) // (cost_of_row - 32 * 4)
    limits = (1_000_000, 10_000, 32, 1_000_000)
    for decode in (subject.engine.decode, subject.engine.decode_lazily):
        data, more = rows(most), rows(most + 10)
        message, end = decode(0, data, 0, limits)
        assert (end, len(message.rows)) == (len(data), most)
        tracemalloc.start()
        message, _ = decode(0, data, 0, limits)
        assert len(message.rows) == most
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak <= 32 * len(data) + (1 << 20)
        with pytest.raises(native.Failure, match="memory_factor"):
            decode(0, more, 0, limits)


def rows(count: int) -> bytes:
    return count.to_bytes(4, "big") + bytes(4 * count)
