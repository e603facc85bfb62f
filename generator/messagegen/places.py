"""Paths and repositories. Links that lead out of a repository are neither read nor written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from messagegen.findings import UsageError


def real(path: Path) -> Path:
    """Return ``path`` as an absolute path without links.

    Do not raise ``RuntimeError`` for a link to itself, as ``Path.resolve`` does until Python 3.12.
    """
    return Path(os.path.realpath(path))


def repository_of(folder: Path) -> Path | None:
    """Return the top of the git repository that contains ``folder``, or ``None``. This works without git."""
    whole = real(folder)
    return next((each for each in (whole, *whole.parents) if (each / ".git").exists()), None)


def leaves(path: Path, folder: Path) -> bool:
    """Whether ``path`` leads out of the repository of ``folder``, or out of ``folder`` if it is not in a repository."""
    return not real(path).is_relative_to(repository_of(folder) or real(folder))


def refuse_link(path: Path, folder: Path) -> None:
    """Raise ``UsageError`` if ``path`` is a link that leads out of the repository of ``folder``."""
    if path.is_symlink() and leaves(path, folder):
        raise UsageError(f"{path} is a symbolic link that leads out of the repository; remove it, or name its target")


def refuse_named_link(path: Path) -> None:
    """Raise ``UsageError`` if a path that a user named leads through a link out of the link's repository.

    A stranger may have committed the link, and a shell may have found its name, as for ``specs/*.json``. Links outside
    of repositories belong to the user's system.
    """
    for each in (*reversed(path.parents), path):
        if each.is_symlink() and repository_of(each.parent):
            refuse_link(each, each.parent)


def program(name: str) -> str | None:
    """Return the path of a program on ``PATH``, or ``None``.

    Skip programs in the current folder, which Windows and relative entries of ``PATH`` find: they may be a stranger's.
    """
    found = shutil.which(name)
    return found if found and Path(found).is_absolute() else None
