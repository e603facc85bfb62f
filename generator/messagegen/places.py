"""What is in a repository: links that leave it are neither read nor written, unless a flag names them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from messagegen.findings import UsageError


def real(path: Path) -> Path:
    """``path`` without links, absolute.

    Until Python 3.12, ``Path.resolve`` raises ``RuntimeError`` for a link that refers to itself.
    """
    return Path(os.path.realpath(path))


def repository_of(folder: Path) -> Path | None:
    """The top of the git repository that contains ``folder``, or ``None``; does not need git."""
    whole = real(folder)
    return next((each for each in (whole, *whole.parents) if (each / ".git").exists()), None)


def leaves(path: Path, folder: Path) -> bool:
    """Whether ``path`` leads out of the repository of ``folder``, or out of ``folder`` itself if that is in none."""
    return not real(path).is_relative_to(repository_of(folder) or real(folder))


def refuse_link(path: Path, folder: Path) -> None:
    """Raises ``UsageError`` for a link below ``folder`` that leaves its repository."""
    if path.is_symlink() and leaves(path, folder):
        raise UsageError(f"{path} is a symbolic link that leads out of the repository; remove it, or name its target")


def program(name: str) -> str | None:
    """The path of a program on ``PATH``, or ``None``.

    Windows, and a relative entry of ``PATH``, would find one in the current folder, which may be that of a stranger.
    """
    found = shutil.which(name)
    return found if found and Path(found).is_absolute() else None
