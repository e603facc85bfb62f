from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from messagegen.generation.package import Style, build_package
from messagegen.generation.plans import checked_plan
from messagegen.generation.sources import read_specs
from messagegen.outputs.python import message_text
from messagegen.publish import format_python
from messagegen.publish.format_cache import FormatCache, format_keys, is_formatting
from tests.support.specs import PURPOSE_MADE

SPECS = Path(__file__).parents[2] / "message_specs" / "SaslHandshakeRequest.json"


SOME = ("Entities", "HostileText", "Tagged")
TEXT = """def f(a, b):
    # Why.
    return a and (b or g("x, y", 1))
"""
LONGER = """def f(a, b):
    # Why.
    return a and (
        b
        or g(
            "x, y",
            1,
        )
    )
"""


def test_what_was_written_is_read_by_a_later_run(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "cache.sqlite"
    FormatCache(file).write({"same": ("1\n", "1\n"), "longer": (TEXT, LONGER)})
    assert FormatCache(file).read({"same": "1\n", "longer": TEXT, "other": "1\n"}) == {"same": "1\n", "longer": LONGER}


def test_what_no_run_uses_for_long_is_forgotten(tmp_path: Path) -> None:
    cache = FormatCache(tmp_path / "cache.sqlite")
    cache.write({"used": ("1", "1"), "unused": ("2", "2")})
    for run in range(60):
        cache.read({"used": "1"})
        cache.write({f"run {run}": ("", "")})
    assert cache.read({"used": "1", "unused": "2"}) == {"used": "1"}


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(200)])
def test_a_file_that_is_no_cache_is_as_good_as_an_empty_one(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "cache.sqlite"
    file.write_bytes(content)
    cache = FormatCache(file)
    assert cache.read({"one": "1"}) == {}
    cache.write({"one": ("1", "1")})


def test_a_cache_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = FormatCache(tmp_path / "file" / "cache.sqlite")
    cache.write({"one": ("1", "1")})
    assert cache.read({"one": "1"}) == {}


@pytest.mark.parametrize(
    "result",
    [
        LONGER.replace("1", "2"),
        LONGER.replace("Why", "No"),
        LONGER.replace("x, y", "x,  y"),
        LONGER.replace("x, y", "(x), y"),
        TEXT.replace("a and (b or ", "(a and b) or ("),
        TEXT.replace("    return", "\n\n\n    return").replace("f(a, b)", "f(a, b, c)"),
        TEXT + "import os\n",
        "(" * 300,
        "",
        b"\xff",
        b"x\0y",
        7,
        2.5,
    ],
)
def test_a_row_that_says_something_else_is_a_miss(tmp_path: Path, result: object) -> None:
    cache = FormatCache(tmp_path / "cache.sqlite")
    cache.write({"one": (TEXT, LONGER), "two": (TEXT, LONGER)})
    with closing(sqlite3.connect(cache.file)) as database, database:
        database.execute("update formatted set result = ? where key = 'one'", (result,))
    assert cache.read({"one": TEXT, "two": TEXT}) == {"two": LONGER}


@pytest.mark.parametrize("run", ["many", b"\xff", 2**63 - 1, -1, 1.5])
def test_a_row_of_an_impossible_run_breaks_nothing(tmp_path: Path, run: object) -> None:
    cache = FormatCache(tmp_path / "cache.sqlite")
    cache.write({"one": (TEXT, LONGER), "two": (TEXT, LONGER)})
    with closing(sqlite3.connect(cache.file)) as database, database:
        database.execute("update formatted set run = ? where key = 'one'", (run,))
    assert cache.read({"two": TEXT}) == {"two": LONGER}
    cache.write({"three": ("1", "1")})
    assert cache.read({"two": TEXT, "three": "1"}) == {"two": LONGER, "three": "1"}


def test_keys_tell_texts_and_modes_apart() -> None:
    keys = format_keys({"a": "x", "b": "x", "c": "y"}, "mode")
    assert keys["a"] == keys["b"] != keys["c"]
    assert format_keys({"a": "x"}, "other mode")["a"] != keys["a"]


@pytest.mark.parametrize("line_length", [120, 70])
def test_a_package_is_the_same_with_and_without(tmp_path: Path, line_length: int) -> None:
    style = Style(line_length)
    plain = build_package([SPECS], style=style).files
    cache = FormatCache(tmp_path / "cache.sqlite")
    for _ in range(2):
        assert build_package([SPECS], style=style, cache=cache).files == plain


def test_what_black_does_to_generated_code_is_recognised() -> None:
    texts = {spec.name: message_text(checked_plan(spec)) for spec in read_specs([PURPOSE_MADE], messages=SOME)}
    for line_length in (120, 70):
        unknown = [name for name, text in texts.items() if not is_formatting(text, format_python(text, line_length))]
        # Black changes the quotes around some of its strings; such a text is formatted anew each time.
        assert unknown == ["HostileText"]


def test_a_planted_row_gets_into_no_output(tmp_path: Path) -> None:
    cache = FormatCache(tmp_path / "cache.sqlite")
    plain = build_package([SPECS], cache=cache).files
    with closing(sqlite3.connect(cache.file)) as database, database:
        database.execute("update formatted set result = 'import os'")
    assert build_package([SPECS], cache=cache).files == plain
