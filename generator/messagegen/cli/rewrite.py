"""Changes of files that people keep: in one step, with the file's own mode, and through a link to what it names."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import NamedTemporaryFile


def rewrite(path: Path, content: bytes) -> None:
    """Puts ``content`` in the place of a file's, or of no file; whoever reads it sees the old content or the new one.

    Raises ``OSError``.
    """
    target = path.resolve()
    if not target.exists():
        # A new file gets the mode that the user's system gives to new files.
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
