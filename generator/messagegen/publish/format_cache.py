"""Caches black's results: the same text, version of black and mode give the same result, and black is slow.

The file belongs to the user and may contain anything, so rows that could change the meaning of code are not trusted.
Rendered text is nearly always formatted already, and a row then only says so. Any other result is compared
with the unformatted text. A false row can at most leave a text unformatted.
"""

from __future__ import annotations

import ast
import hashlib
import sqlite3
import warnings
from collections.abc import Iterable, Mapping
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Final

_SCHEMA: Final = """
create table if not exists formatted (key text primary key, result text, run integer not null) without rowid;
"""
_KEPT_RUNS: Final = 50
"""Results that the last so many runs did not use are deleted."""

_MAX_RUN: Final = 2**40
_FORM: Final = str.maketrans("", "", " \n,()")
"""The characters that black adds and removes."""


def format_keys(texts: Mapping[str, str], mode: str) -> dict[str, str]:
    """The cache key of each named text: a digest of the text, the version of black, and its mode."""
    start = hashlib.sha256(f"{version('black')}\n{mode}\n".encode())
    keys: dict[str, str] = {}
    for name, text in texts.items():
        key = start.copy()
        key.update(text.encode())
        keys[name] = key.hexdigest()
    return keys


def is_formatting(text: str, result: str) -> bool:
    """Whether ``result`` is the same code as ``text``, formatted differently.

    The same characters in the same order exclude different names, strings and comments; the same syntax tree excludes
    different grouping by brackets.
    """
    if text.translate(_FORM) != result.translate(_FORM):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text)) == ast.dump(ast.parse(result))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


class FormatCache:
    """Formatted texts by key in one SQLite file, shared by all runs of a user.

    A cache that can't be opened, read or written counts as empty, and invalid rows count as missing; the cache never makes
    a run fail.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self, texts: Mapping[str, str]) -> dict[str, str]:
        """The cached results for ``texts`` by key; they count as used by this run."""
        found: dict[str, str] = {}
        try:
            with closing(self._open()) as database, database:
                for key, text in texts.items():
                    result = _result(database, key, text)
                    if result is not None:
                        found[key] = result
                run = _last_run(database) + 1
                database.executemany("update formatted set run = ? where key = ?", [(run, key) for key in found])
        except (sqlite3.Error, OSError):
            return found
        return found

    def write(self, results: Mapping[str, tuple[str, str]]) -> None:
        """Adds results of this run (text and result by key), and deletes those that were not used for a long time."""
        try:
            with closing(self._open()) as database, database:
                run = _last_run(database)
                rows = [(key, None if text == result else result, run) for key, (text, result) in results.items()]
                database.executemany("insert or replace into formatted values (?, ?, ?)", rows)
                database.execute(
                    "delete from formatted where typeof(run) <> 'integer' or run not between ? and ?",
                    (run - _KEPT_RUNS, run),
                )
        except (sqlite3.Error, OSError):
            return

    def _open(self) -> sqlite3.Connection:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self.file, timeout=2)
        database.text_factory = bytes
        try:
            database.execute(_SCHEMA)
        except sqlite3.Error:
            database.close()
            raise
        return database


def _result(database: sqlite3.Connection, key: str, text: str) -> str | None:
    """The formatted text of one row, or ``None`` for a missing or invalid row."""
    query = "select result from formatted where key = ? and coalesce(length(result), 0) <= ?"
    rows: Iterable[tuple[object]] = database.execute(query, (key, 2 * len(text) + 1000))
    for (value,) in rows:
        if value is None:
            return text
        if isinstance(value, bytes):
            result = value.decode(errors="replace")
            return result if is_formatting(text, result) else None
    return None


def _last_run(database: sqlite3.Connection) -> int:
    query = "select max(run) from formatted where typeof(run) = 'integer' and run between 0 and ?"
    row: tuple[int | None] = database.execute(query, (_MAX_RUN,)).fetchone()
    return row[0] or 0
