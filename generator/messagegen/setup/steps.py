"""The steps of a set-up, one for each file, and functions that read existing files."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from messagegen.config import FILE_NAME, ConfigError
from messagegen.places import leaves, real, repository_of
from messagegen.texts import read_file

SCHEMA_FILE: Final = "message_spec.schema.json"
HOOKS: Final = ".pre-commit-config.yaml"
Ci = Literal["github", "gitlab"]
WORKFLOWS: Final[Mapping[Ci, str]] = {"github": ".github/workflows/messages.yml", "gitlab": ".gitlab/messages.yml"}
"""The files with the checks that a CI service runs."""
GITLAB_FILE: Final = ".gitlab-ci.yml"
"""The only file that GitLab reads by itself; it includes other files."""


@dataclass(frozen=True, slots=True)
class Step:
    """The change of one file. ``path`` is relative to the folder, and begins with ``..`` for files above the folder.

    ``action`` is ``written``, ``extended``, ``upgraded``, ``unchanged`` or ``left alone``. ``content`` is the new
    content of the file, or ``None`` if it stays unchanged. ``note`` contains the reason, or changes to make by hand.
    """

    path: str
    action: str
    content: bytes | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Top:
    """The top folder of the git repository, with hooks and workflows; the folder itself if it is not in a repository.

    ``up`` is the path from the folder to the top, ``inside`` the path from the top to the folder. Both are ``.`` if the
    folder is the top.
    """

    up: str
    inside: str

    @property
    def subfolder(self) -> str:
        """The path from the top to the folder; empty if the folder is the top."""
        return "" if self.inside == "." else self.inside

    @property
    def hooks(self) -> str:
        """The path from the folder to the hooks."""
        return joined(self.up, HOOKS)

    def workflow(self, ci: Ci) -> str:
        """Return the path from the top to the workflow. Each folder has its own workflow."""
        own = f"messages-{self.inside.replace('/', '-')}" if self.subfolder else "messages"
        return WORKFLOWS[ci].replace("messages", own)


def top_for(folder: Path) -> Top:
    """Return the top of the repository that contains a folder."""
    here = real(folder)
    top = repository_of(folder) or here
    return Top(os.path.relpath(top, here), here.relative_to(top).as_posix())


def joined(folder: str, path: str) -> str:
    """Return a path below a folder, without redundant dots."""
    return os.path.normpath(f"{folder}/{path}")


def written(folder: Path, path: str, text: str) -> Step:
    """Return the step for a file that is written unless it exists."""
    before = read(folder, path)
    if before is None:
        return Step(path, "written", text.encode())
    if before == text.encode():
        return Step(path, "unchanged")
    return Step(path, "left alone", note="it differs from what messagegen writes; delete it, and run init again")


def extended(folder: Path, path: str, text: str) -> Step:
    """Return the step that appends lines, with the file's own line endings, unless the file already has all of them."""
    before = (read(folder, path) or b"").decode("utf-8", "surrogateescape")
    if set(text.splitlines()) <= set(before.splitlines()):
        return Step(path, "unchanged")
    added = f"\n{text}" if before else text
    line_end = "\r\n" if "\r\n" in before else "\n"
    after = before + added.replace("\n", line_end)
    if path == FILE_NAME:
        try:
            tomllib.loads(after)
        except ValueError:
            raise ConfigError(f"tables cannot be added at the end of {folder / path}; add:\n{text}") from None
    return Step(path, "extended" if before else "written", after.encode("utf-8", "surrogateescape"))


def read(folder: Path, path: str) -> bytes | None:
    """Return the content of a file, or ``None`` if it is missing.

    Raise ``ConfigError`` if the file is a link that leads out of the repository.
    """
    file = folder / path
    if leaves(file, folder):
        raise ConfigError(f"{file} is a symbolic link that leads out of the repository; remove it")
    return read_file(file) if file.exists() or file.is_symlink() else None
