"""Selects from options which files are read as one capture, and which of its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

import pyarrow as pa

from messagegen_arrow.capture.columns import batches
from messagegen_arrow.capture.files import CaptureFile, find_captures
from messagegen_arrow.capture.options import CaptureOptions
from messagegen_arrow.capture.reading import CaptureRow, read_captures
from messagegen_arrow.files import parent_of
from messagegen_arrow.malformed import KEEP_THEM, MalformedMessageError, Mode


def find_tasks(options: CaptureOptions) -> list[tuple[str, ...]]:
    """The files of each capture: one file, or with ``continuous`` all files of a folder.

    Raises ``CapturePathError`` if no capture is found.
    """
    files = find_captures(options.paths)
    if not options.continuous:
        return [(file,) for file in files]
    return [tuple(group) for _, group in groupby(files, parent_of)]


def read_batches(
    files: Sequence[CaptureFile],
    options: CaptureOptions,
    names: Sequence[str],
    wanted: Callable[[CaptureRow], bool] | None = None,
) -> Iterator[pa.RecordBatch]:
    """The rows of one capture with the named columns, filtered by ``wanted``.

    Raises ``MalformedMessageError`` under FAILFAST.
    """
    rows = read_captures(files, options.settings)
    return batches(_kept(rows if wanted is None else filter(wanted, rows), options.mode), names)


def _kept(rows: Iterable[CaptureRow], mode: Mode) -> Iterator[CaptureRow]:
    for row in rows:
        problem = row.row.problem
        if problem is not None and mode == "FAILFAST":
            where = f"{row.path}, {row.connection.connection}" if row.connection.connection else row.path
            raise MalformedMessageError(f"{problem} ({where}); {KEEP_THEM}")
        if problem is None or mode == "PERMISSIVE":
            yield row
