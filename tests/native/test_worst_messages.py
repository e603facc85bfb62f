"""No message takes more memory than ten times its bytes and a megabyte more, unless it is refused."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.native.random_messages import FOLDERS, Subject, subjects
from tests.native.worst_messages import STYLES, arrays, codec_at, filled, with_tags
from tests.support.shapes import shape_of_codec

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

SPARE = (1 << 20) - 1_000_000
"""What the lists of arrays that are not finished, and elements that are counted just now, may take beside the limit."""
SMALL = 50_000
"""A memory constant for which messages need not be long."""


@cache
def own_subjects() -> dict[str, Subject]:
    return {str(subject): subject for subject in subjects(native.Engine, FOLDERS[0])}


def own_subject(name: str) -> Subject:
    """A message of this repository's specs by name and version."""
    return own_subjects()[name]


def peak_of(read: Callable[[], object]) -> int:
    """The most memory that was in use at once while something was read; whether it could be does not matter."""
    tracemalloc.start()
    with suppress(ValueError):
        read()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def limits_of(subject: Subject, constant: int) -> Any:
    runtime = subject.walk.__name__.rpartition(".")[0]
    # They are loaded and compiled on first use, which takes a megabyte, once.
    for module in ("counting", "plans"):
        import_module(f"{runtime}.{module}")
    return import_module(f"{runtime}.limits").Limits(memory_constant=constant)


def readers(subject: Subject, data: bytes, limits: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """Reading by the engine, and in straight-line Python, which leaves to the walk what it can't decide."""
    cls, version = subject.cls, subject.version
    yield "native", lambda: subject.engine.decode(version, data, 0, data, limits.packed)
    yield "lazy", lambda: awake(subject.engine.decode_lazily(version, data, 0, data, limits.packed)[0])
    yield "pure", lambda: cls.decode(data, version=version, limits=limits)


def awake(message: Any) -> list[object]:
    """The fields of a lazily decoded message, whose arrays then hold structs that are asleep."""
    return [getattr(message, name) for name in message.__dataclass_fields__]


def check(subject: Subject, data: bytes, name: str, constant: int = 1_000_000, *, pure: bool = True) -> None:
    limits = limits_of(subject, constant)
    codec = subject.cls.CODEC
    engine, codec.engine = codec.engine, None
    try:
        for reader, read in list(readers(subject, data, limits))[: 2 + pure]:
            if reader == "lazy":  # Its classes are made on first use.
                peak_of(read)
            peak, most = peak_of(read), 10 * len(data) + constant + SPARE
            assert peak <= most, f"{subject} {name} by {reader}: {peak} bytes for {len(data)}, not {most}"
    finally:
        codec.engine = engine


@pytest.fixture(autouse=True)
def _frozen() -> None:
    """All that is there stays there: collecting would take more time than decoding."""
    gc.collect()
    gc.freeze()


def check_arrays(found: Iterable[Subject], *, dearest: bool = False) -> int:
    """Each array of each shape once, with as many elements of each style as may just be read; tells how many there were.

    ``dearest`` leaves to the engine all styles but the one with the fewest bytes for its memory: straight-line Python is slow here.
    """
    seen: set[Any] = set()
    for subject in found:
        root = subject.table.roots[subject.version]
        for path in arrays(root):
            kind = shape_of_codec(codec_at(root, path))
            if kind not in seen:
                seen.add(kind)
                made = worst_of(subject, root, path)
                least = min(map(len, made.values()), default=0)
                for style, data in made.items():
                    check(subject, data, f"{path} {style}", SMALL, pure=not dearest or len(data) == least)
    return len(seen)


def worst_of(
    subject: Subject, root: Any, path: Any, constant: int = SMALL, more_elements: int = -1
) -> dict[str, bytes]:
    """Messages that are just within their limit, by style. Elements that their bytes pay for are left out."""
    made: dict[str, bytes] = {}
    elements: set[bytes] = set()
    for style in STYLES:
        few, more = (filled(root, path, count, style) for count in (8, 16))
        if few in elements:
            continue
        elements.add(few)
        cost, more_cost = (subject.walk.walk_cost(subject.table, data, subject.version) for data in (few, more))
        beyond = (more_cost - cost - 10 * (len(more) - len(few))) / 8
        if beyond > 0:
            made[style] = filled(root, path, 8 + int((constant - cost + 10 * len(few)) / beyond) + more_elements, style)
    return made


@pytest.mark.exhaustive
@pytest.mark.java
def test_arrays_of_all_official_messages(official: Path) -> None:
    found = list(subjects(native.Engine, official))
    gc.collect()
    gc.freeze()
    assert check_arrays(found, dearest=True) > 300


@pytest.mark.parametrize("name", ["MetadataResponse-12", "FetchResponse-17", "ApiVersionsResponse-3"])
def test_arrays_of_some_messages(name: str) -> None:
    assert check_arrays([own_subject(name)])


@pytest.mark.exhaustive
def test_arrays_of_messages_with_all_features() -> None:
    assert check_arrays(subjects(native.Engine, FOLDERS[1])) > 50


@pytest.mark.exhaustive
@pytest.mark.parametrize("style", ["bare", "flat", "tagged"])
def test_the_default_limits(style: str) -> None:
    subject = own_subject("MetadataResponse-12")
    root = subject.table.roots[12]
    for path in arrays(root):
        # Accepted without counting, accepted, and refused.
        element = len(filled(root, path, 16, style)) - len(filled(root, path, 8, style))
        for size in (subject.cls.CODEC.small, 60_000, 150_000):
            check(subject, filled(root, path, 8 * size // element, style), f"{path} {style}")


def test_unknown_tagged_fields() -> None:
    subject = own_subject("MetadataResponse-12")
    root = subject.table.roots[12]
    for count, tag, data in ((200_000, 100, b""), (10_000, 100, b""), (9_999, 300, b"ab")):
        check(subject, with_tags(root, count, tag, data), f"{count} tags")


NOTHING = """{
  "type": "data", "name": "Nested", "validVersions": "0", "flexibleVersions": "none", "fields": [
    { "name": "Rows", "type": "[]Row", "versions": "0", "about": "Rows.", "fields": [
      { "name": "Cells", "type": "[]Cell", "versions": "0", "about": "Cells, which have no bytes.", "fields": [] }
    ] }
  ]
}"""


@pytest.mark.parametrize("rows", [1, 100, 20_000])
def test_structs_without_bytes_take_no_more(tmp_path: Path, rows: int) -> None:
    """Each array may announce as many elements as bytes follow, so that 20,000 of them could make 800 million."""
    (tmp_path / "Nested.json").write_text(NOTHING, encoding="utf-8")
    (subject,) = subjects(native.Engine, tmp_path)
    left = range(4 * (rows - 1), -1, -4)
    data = b"".join(number.to_bytes(4, "big") for number in (rows, *left))
    check(subject, data, f"{rows} rows")
    if rows > 100:
        with pytest.raises(ValueError, match="memory_factor"):
            subject.cls.decode(data, version=0)


def refused_by_engine(subject: Subject, data: bytes, source: Any) -> bool:
    try:
        subject.engine.decode(subject.version, data, 0, source)
    except native.Failure:
        return True
    return False


def refused_by_walk(subject: Subject, data: bytes) -> bool:
    try:
        subject.walk.walk_decode(subject.table, data, 0, subject.version)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.name))
def test_small_messages_beyond_the_default_limit_are_refused(folder: Path) -> None:
    """The engine counts nothing in messages that it takes for too small to exceed the default limits."""
    seen: set[Any] = set()
    refused = 0
    for subject in subjects(native.Engine, folder):
        root = subject.table.roots[subject.version]
        for path in arrays(root):
            kind = shape_of_codec(codec_at(root, path))
            if kind in seen:
                continue
            seen.add(kind)
            # The shortest one is that with the least memory to spare.
            data = min(worst_of(subject, root, path, 1_000_000, 20).values(), key=len, default=b"")
            if 0 < len(data) <= 200_000:
                is_refused = refused_by_walk(subject, data)
                assert refused_by_engine(subject, data, data) == is_refused, f"{subject} {path}: {len(data)}"
                refused += is_refused
    assert refused > 20


WIDE = """{
  "type": "data", "name": "Wide", "validVersions": "0-1", "flexibleVersions": "none", "fields": [
    { "name": "Rows", "type": "[]Row", "versions": "0+", "about": "Rows.", "fields": [
      { "name": "Data", "type": "bytes", "versions": "0+", "about": "Bytes, so that rows may be asleep." }, %s
    ] }
  ]
}"""
"""Rows of few bytes in version 0, whose objects have room for many fields."""


def test_structs_that_are_asleep_take_no_more(tmp_path: Path) -> None:
    fields = [f'{{ "name": "F{number}", "type": "int8", "versions": "1+", "about": "F." }}' for number in range(20)]
    (tmp_path / "Wide.json").write_text(WIDE % ", ".join(fields), encoding="utf-8")
    subject = next(subjects(native.Engine, tmp_path))

    def rows(count: int) -> bytes:
        return count.to_bytes(4, "big") + bytes(4 * count)

    most = next(count for count in range(6000, 0, -100) if not refused_by_walk(subject, rows(count)))
    data = rows(most)
    message, end = subject.engine.decode_lazily(0, data, 0, data)
    assert end == len(data)
    assert type(message.rows[0]) is not type(subject.cls.decode(data, version=0).rows[0])
    check(subject, data, "rows")
    more = rows(most + 100)
    for decode in (subject.engine.decode, subject.engine.decode_lazily):
        with pytest.raises(native.Failure, match="memory_factor"):
            decode(0, more, 0, more)
    with pytest.raises(ValueError, match="memory_factor"):
        subject.cls.decode(more, version=0)


VIEWS = """{
  "type": "data", "name": "Views", "validVersions": "0", "flexibleVersions": "none", "fields": [
    { "name": "Rows", "type": "[]Row", "versions": "0", "about": "Rows.", "fields": [
      { "name": "Bytes", "type": "bytes", "versions": "0", "zeroCopy": true, "about": "Bytes, read as a view." }
    ] }
  ]
}"""


def test_views_of_small_messages_are_counted(tmp_path: Path) -> None:
    (tmp_path / "Views.json").write_text(VIEWS, encoding="utf-8")
    (subject,) = subjects(native.Engine, tmp_path)
    data = (10_000).to_bytes(4, "big") + bytes(4 * 10_000)
    assert not refused_by_engine(subject, data, data)
    assert refused_by_engine(subject, data, memoryview(data))
    with pytest.raises(ValueError, match="memory_factor"):
        subject.cls.decode(data, version=0, zero_copy=True)
