from __future__ import annotations

from pathlib import Path

import pytest

from messagegen.format_cache import FormatCache, format_keys
from messagegen.pipeline import build_package

SPECS = Path(__file__).parents[1] / "message_specs" / "SaslHandshakeRequest.json"


def test_what_was_written_is_read_by_a_later_run(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "cache.sqlite"
    FormatCache(file).write({"one": "1", "two": "2"})
    assert FormatCache(file).read(["two", "three"]) == {"two": "2"}


def test_what_no_run_uses_for_long_is_forgotten(tmp_path: Path) -> None:
    cache = FormatCache(tmp_path / "cache.sqlite")
    cache.write({"used": "1", "unused": "2"})
    for run in range(60):
        cache.read(["used"])
        cache.write({f"run {run}": ""})
    assert cache.read(["used", "unused"]) == {"used": "1"}


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(200)])
def test_a_file_that_is_no_cache_is_as_good_as_an_empty_one(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "cache.sqlite"
    file.write_bytes(content)
    cache = FormatCache(file)
    assert cache.read(["one"]) == {}
    cache.write({"one": "1"})


def test_a_cache_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = FormatCache(tmp_path / "file" / "cache.sqlite")
    cache.write({"one": "1"})
    assert cache.read(["one"]) == {}


def test_keys_tell_texts_and_modes_apart() -> None:
    keys = format_keys({"a": "x", "b": "x", "c": "y"}, "mode")
    assert keys["a"] == keys["b"] != keys["c"]
    assert format_keys({"a": "x"}, "other mode")["a"] != keys["a"]


def test_a_package_is_the_same_with_and_without(tmp_path: Path) -> None:
    plain = build_package([SPECS]).files
    for _ in range(2):
        assert build_package([SPECS], cache=FormatCache(tmp_path / "cache.sqlite")).files == plain
