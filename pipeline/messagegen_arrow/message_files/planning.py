"""What each task reads: row groups of files, as many bytes as a task should have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from messagegen_arrow.message_files.files import MessageFile
from messagegen_arrow.message_files.parquet import FilePart, opened_parquet
from messagegen_arrow.task_size import TaskLimits, packed, task_size

_FEW_FILES: Final = 8


def plan(files: Sequence[MessageFile], limits: TaskLimits) -> list[tuple[FilePart, ...]]:
    """The tasks that read the files. Large files are split, small ones share a task.

    A row group is read by one task, so there are no more tasks with rows than row groups. Only where few files are split, they are opened
    to leave out parts without row groups: a task costs some milliseconds, and opening thousands of files minutes. Raises
    ``MessageFileError`` and ``OSError``.
    """
    size = task_size(sum(file.size for file in files), len(files), limits)
    opens = sum(file.size > size.bytes for file in files) <= _FEW_FILES
    parts = (part for file in files for part in _parts(file, size.bytes, opens=opens))
    return [tuple(group) for group in packed(parts, size)]


def _parts(file: MessageFile, target: int, *, opens: bool) -> Iterator[FilePart]:
    count = max(1, -(-file.size // target))
    share = max(1, -(-file.size // count))
    parts = [FilePart(file.path, start, min(start + share, file.size)) for start in range(0, max(1, file.size), share)]
    if count == 1 or not opens:
        yield from parts
        return
    with opened_parquet(file.path) as opened:
        places = opened.middles()
    yield from (part for part in parts if any(part.start <= place < part.end for place in places))
