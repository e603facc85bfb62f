"""New files that are written atomically."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EEXIST, EFBIG, ENOSPC
from pathlib import Path
from typing import IO, Final

_OF_WRITING: Final = frozenset({ENOSPC, EDQUOT, EFBIG})


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file that gets its name at the end of the block, but is removed if the block raises.

    Raises ``FileExistsError`` at the start or at the end of the block if the file exists. Raises ``OSError`` with
    ``path`` if the file cannot be written.
    """
    if path.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
    whole = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        file = whole.open("xb")
    except OSError as error:
        # Users know the requested name, not the name of the temporary file.
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            # Unlike a rename, a link never replaces a file.
            path.hardlink_to(whole)
    except OSError as error:
        # Errors in writing, such as a full disk, have no file name.
        if error.errno in _OF_WRITING and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        whole.unlink(missing_ok=True)
