"""New files that are there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EEXIST
from pathlib import Path
from typing import IO

from messagegen_arrow.files.writing import new_object


@contextmanager
def new_file(path: Path | str) -> Iterator[IO[bytes]]:
    """A file to write, which gets its name at the end of the block; if that raises, nothing is left.

    A text is a URL. Raises ``FileExistsError`` if there is such a file, at the beginning or at the end.
    """
    if isinstance(path, str):
        with new_object(path) as file:
            yield file
        return
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
