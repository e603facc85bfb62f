"""No message takes more memory than ten times its bytes and a megabyte more, unless it is refused."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.native.random_messages import FOLDERS, Subject, subjects
from tests.native.worst_messages import arrays, filled, layout_at, with_tags

native = pytest.importorskip("messagegen_native", reason="messagegen-native is not installed: see native/README.md")

SIZE = 150_000
MOST = 1 << 20


def subjects_by_layout() -> Iterator[tuple[Subject, tuple[int, ...]]]:
    """Each array of each layout once, in the first message and version that has it."""
    seen: set[int] = set()
    for folder in FOLDERS:
        for subject in subjects(native.Engine, folder):
            for path in arrays(subject.table.roots[subject.version]):
                codec = layout_at(subject.table.roots[subject.version], path)
                if id(codec) not in seen:
                    seen.add(id(codec))
                    KEPT.append(codec)
                    yield subject, path


KEPT: list[Any] = []
"""Ids are those of objects that live."""


def peak_of(read: Callable[[], object]) -> int:
    """The most memory that was in use at once while something was read; whether it could be does not matter."""
    gc.collect()
    tracemalloc.start()
    with suppress(ValueError):
        read()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def readers(subject: Subject, data: bytes) -> Iterator[tuple[str, Callable[[], object]]]:
    """Reading by the engine, in straight-line Python, and by the walk."""
    cls, version = subject.cls, subject.version
    runtime = subject.walk.__name__.rpartition(".")[0]
    limits = import_module(f"{runtime}.limits").DEFAULT_LIMITS
    # Loaded on first use, and compiling takes memory, too.
    import_module(f"{runtime}.portions")
    yield "native", lambda: subject.engine.decode(version, data, 0, data, None)
    codec = cls.CODEC
    yield "pure", lambda: cls.decode(data, version=version)
    yield "walk", lambda: subject.walk.walk_decode(codec.table(), data, 0, version, None, limits)


def check(subject: Subject, data: bytes, name: str) -> None:
    for reader, read in readers(subject, data):
        codec = subject.cls.CODEC
        engine, codec.engine = codec.engine, None
        try:
            peak = peak_of(read)
        finally:
            codec.engine = engine
        assert peak <= 10 * len(data) + MOST, f"{subject} {name} by {reader}: {peak / len(data):.1f} times"


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_arrays_of_what_is_dear(depth: int) -> None:
    # Every seventh, for one takes half a second; the others differ in names for the most part.
    for subject, path in list(subjects_by_layout())[depth::7]:
        root = subject.table.roots[subject.version]
        check(subject, filled(root, path, SIZE, depth, flexible=root.flexible), str(path))


@pytest.mark.parametrize("name", ["MetadataResponse-12", "OffsetCommitValue-4", "ApiVersionsResponse-3"])
def test_arrays_of_some_messages(name: str) -> None:
    for subject in subjects(native.Engine, FOLDERS[0]):
        if str(subject) == name:
            root = subject.table.roots[subject.version]
            for path in arrays(root):
                for depth in (0, 1):
                    check(subject, filled(root, path, SIZE, depth, flexible=root.flexible), str(path))


def test_unknown_tagged_fields() -> None:
    found = {str(subject): subject for subject in subjects(native.Engine, FOLDERS[0])}
    subject = found["MetadataResponse-12"]
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
