"""Writes new files atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EEXIST
from pathlib import Path
from typing import IO


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file that gets its name at the end of the block; if the block raises, it is removed.

    Raises ``FileExistsError`` at the start or the end if the file exists.
    """
    if path.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
    whole = path.with_name(f".{path.name}.{os.getpid()}")
    with whole.open("xb") as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            # Unlike a rename, a link never replaces a file.
            path.hardlink_to(whole)
        finally:
            whole.unlink(missing_ok=True)
