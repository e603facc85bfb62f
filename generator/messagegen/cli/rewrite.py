"""Replaces user files atomically, keeping their mode and following links."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import NamedTemporaryFile


def rewrite(path: Path, content: bytes) -> None:
    """Creates a file or replaces its content; readers see either the old or the new content.

    Raises ``OSError``.
    """
    target = path.resolve()
    if not target.exists():
        # A new file gets the default mode of new files.
        with target.open("xb"):
            pass
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            shutil.copymode(target, file.name)
            Path(file.name).replace(target)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
