"""The files of an output folder that programs find and load automatically: Python modules, and plans."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath
from typing import Final

from messagegen.publish.files import CACHE

SUFFIXES: Final = (".py", ".pyw", ".pyc", ".pyi", ".so", ".pyd", ".dll", ".fwork")
"""The suffixes of files that Python imports on some system, and of stubs, which type checkers prefer to modules."""

_FLAGS: Final = slice(4, 8)
"""The position of the flags in a bytecode file (PEP 552), which are 0 if Python compares the source's time and size."""


def is_loaded(folder: Path, path: str) -> bool:
    """Whether Python can import the file or link ``path`` in ``folder``, or a type checker or Spark reads it.

    Links to folders count, and so do broken links and all files in the folder of plans. Bytecode of a module in
    ``__pycache__`` counts only if Python runs it without comparing it with the time and size of its module.
    """
    place = PurePosixPath(path)
    file = folder / path
    if file.is_symlink() and not (file.exists() and stat.S_ISREG(file.stat().st_mode)):
        return True
    if place.parent.name == CACHE and place.suffix == ".pyc" and "." in place.stem and not file.is_symlink():
        return _is_unchecked(file)
    return path.casefold().endswith(SUFFIXES) or place.parent.as_posix().casefold() == "plans"


def _is_unchecked(file: Path) -> bool:
    """Whether Python runs a bytecode file without comparing it with the time and size of its module."""
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        return any(os.read(descriptor, _FLAGS.stop)[_FLAGS])
    finally:
        os.close(descriptor)
