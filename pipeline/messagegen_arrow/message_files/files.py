"""Parquet files: where they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from messagegen_arrow.files import Folders, is_pattern, is_url, joined, name_of, normal, shown

_SUFFIX: Final = ".parquet"
_HIDDEN: Final = ("_", ".")
"""Names in folders that begin so are not data, for Spark and others: _SUCCESS, _temporary, .part-0.parquet.crc."""


class MessagePathError(ValueError):
    """Raised for a path that does not exist or has no Parquet files."""


class MessageFile(NamedTuple):
    """A file and its size in bytes."""

    path: str
    size: int


def find_files(paths: Iterable[str]) -> list[MessageFile]:
    """The files at paths, sorted: files, globs, and folders with all Parquet files at any depth. No file is listed twice.

    Raises ``MessagePathError``, ``FileUrlError`` and ``OSError``.
    """
    folders = Folders()
    sizes: dict[str, int] = {}
    for path in paths:
        found = list(_files(normal(path), folders))
        if not found:
            raise MessagePathError(f"{shown(path)} holds no Parquet files: expected names such as part-0.parquet")
        sizes.update(found)
    return [MessageFile(path, sizes[path]) for path in sorted(sizes)]


def _files(path: str, folders: Folders) -> Iterator[tuple[str, int]]:
    matches = is_pattern(path) and folders.kind(path) is None
    for each in folders.expanded(path) if matches else [path]:
        full = each if is_url(each) else str(Path(each).absolute())
        if matches and name_of(full).startswith(_HIDDEN):
            continue
        kind = folders.kind(full)
        if kind is None:
            raise MessagePathError(f"{shown(path)} does not exist here")
        yield from _in_folder(full, folders, frozenset()) if kind == "folder" else _sized(full, folders)


def _in_folder(folder: str, folders: Folders, above: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The files in a folder. A link to one of the folders ``above`` it is not followed."""
    real = folder if is_url(folder) else str(Path(folder).resolve())
    if real in above:
        return
    inner = []
    for name in folders.names(folder):
        if name.startswith(_HIDDEN):
            continue
        each = joined(folder, name)
        if folders.kind(each) == "folder":
            inner.append(each)
        elif name.endswith(_SUFFIX):
            yield from _sized(each, folders)
    folders.expect(inner)
    for each in inner:
        yield from _in_folder(each, folders, above | {real})


def _sized(file: str, folders: Folders) -> Iterator[tuple[str, int]]:
    entry = folders.entry(file)
    if entry is not None:
        yield file, entry.size
