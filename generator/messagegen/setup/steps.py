"""What happens to one file of a set-up, and the files that are there."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messagegen.config import FILE_NAME, ConfigError
from messagegen.places import leaves, real, repository_of
from messagegen.texts import read_file

SCHEMA_FILE: Final = "message_spec.schema.json"
HOOKS: Final = ".pre-commit-config.yaml"
WORKFLOW: Final = ".github/workflows/messages.yml"


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to one file, ``path`` from the folder on; it begins with ``..`` for files of the repository above.

    ``action`` is ``written``, ``extended``, ``upgraded``, ``unchanged`` or ``left alone``.
    ``content`` is what the file holds afterwards, ``None`` where it stays as it is; ``note`` says why, and what to do
    by hand.
    """

    path: str
    action: str
    content: bytes | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Top:
    """The top of the git repository, where hooks and workflows are, or the folder itself where there is none.

    ``up`` leads there from the folder that is set up, ``inside`` from there to the folder; both are ``.`` at the top.
    """

    up: str
    inside: str

    @property
    def subfolder(self) -> str:
        """The folder from the top on; empty at the top."""
        return "" if self.inside == "." else self.inside

    @property
    def hooks(self) -> str:
        """The path of the hooks from the folder on."""
        return joined(self.up, HOOKS)

    @property
    def workflow(self) -> str:
        """The path of the workflow from the folder on. The workflows of several folders lie side by side."""
        own = f"messages-{self.inside.replace('/', '-')}" if self.subfolder else "messages"
        return joined(self.up, WORKFLOW.replace("messages", own))


def top_for(folder: Path) -> Top:
    """The top of the repository of a folder."""
    here = real(folder)
    top = repository_of(folder) or here
    return Top(os.path.relpath(top, here), here.relative_to(top).as_posix())


def joined(folder: str, path: str) -> str:
    """A path below a folder, without needless dots."""
    return os.path.normpath(f"{folder}/{path}")


def written(folder: Path, path: str, text: str) -> Step:
    """A file that is written whole, if it is not there."""
    before = read(folder, path)
    if before is None:
        return Step(path, "written", text.encode())
    if before == text.encode():
        return Step(path, "unchanged")
    return Step(path, "left alone", note="it differs from what messagegen writes; delete it, and run init again")


def extended(folder: Path, path: str, text: str) -> Step:
    """A file that gets lines at its end, if it has not all of them, with the line ends that it has."""
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
    """The content of a file. Raises ``ConfigError`` for one outside the repository."""
    file = folder / path
    if leaves(file, folder):
        raise ConfigError(f"{file} is a symbolic link that leads out of the repository; remove it")
    return read_file(file) if file.exists() or file.is_symlink() else None
