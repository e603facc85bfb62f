"""Remembers how black formatted a text: the same text, black and mode give the same result, and black is the slow part."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Final

_SCHEMA: Final = """
create table if not exists formatted (key text primary key, result text not null, run integer not null) without rowid;
"""
_KEPT_RUNS: Final = 50
"""A result that no run among so many last ones used is forgotten."""


def format_keys(texts: Mapping[str, str], mode: str) -> dict[str, str]:
    """What the results of formatting depend on, by the names of the texts: text, version of black, and its mode in words."""
    start = hashlib.sha256(f"{version('black')}\n{mode}\n".encode())
    keys: dict[str, str] = {}
    for name, text in texts.items():
        key = start.copy()
        key.update(text.encode())
        keys[name] = key.hexdigest()
    return keys


class FormatCache:
    """Formatted texts by key in one SQLite file, shared by all runs of a user.

    A cache that can't be opened, read or written is as good as an empty one; it never makes a run fail.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self, keys: Iterable[str]) -> dict[str, str]:
        """The results that are known among ``keys``; they count as used by this run."""
        wanted = list(keys)
        found: dict[str, str] = {}
        try:
            with closing(self._open()) as database, database:
                run = _last_run(database) + 1
                for key in wanted:
                    for (result,) in database.execute("select result from formatted where key = ?", (key,)):
                        found[key] = result
                database.executemany("update formatted set run = ? where key = ?", [(run, key) for key in found])
        except (sqlite3.Error, OSError):
            return {}
        return found

    def write(self, results: Mapping[str, str]) -> None:
        """Adds results of this run, and forgets what was not used for long."""
        try:
            with closing(self._open()) as database, database:
                run = _last_run(database)
                rows = [(key, result, run) for key, result in results.items()]
                database.executemany("insert or replace into formatted values (?, ?, ?)", rows)
                database.execute("delete from formatted where run < ?", (run - _KEPT_RUNS,))
        except (sqlite3.Error, OSError):
            return

    def _open(self) -> sqlite3.Connection:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self.file, timeout=2)
        try:
            database.execute(_SCHEMA)
        except sqlite3.Error:
            database.close()
            raise
        return database


def _last_run(database: sqlite3.Connection) -> int:
    row: tuple[int | None] = database.execute("select max(run) from formatted").fetchone()
    return row[0] or 0
