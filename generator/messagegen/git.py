"""Reads message specs from a commit of a git repository, without touching the work tree."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from messagegen.findings import UsageError
from messagegen.texts import MAX_BYTES

_FILE_MODES: Final = (b"100644", b"100755")


@dataclass(frozen=True, slots=True)
class Committed:
    """The ``*.json`` files of a commit below some folders: bytes by git's name for them, ``REF:PATH``.

    ``paths`` maps the same names to their paths in the work tree, whether they exist or not.
    """

    texts: Mapping[str, bytes]
    paths: Mapping[str, Path]


def read_commit(ref: str, sources: Sequence[Path], inside: str | None = None) -> Committed:
    """The files of the commit ``ref`` at the current paths of ``sources``, which are files and folders of a work tree.

    ``inside`` names another folder or file, relative to the top of the repository, if the sources were moved. A source
    that the commit does not have yet gives no files. Raises ``UsageError`` if there is no git, no repository or no such commit,
    if ``inside`` is not in it, or if the files of a source seem to have been moved: the commit has files with the same names.
    """
    texts: dict[str, bytes] = {}
    paths: dict[str, Path] = {}
    for source in sources:
        top = _top(source)
        commit = _commit(top, ref)
        path = inside if inside is not None else source.resolve().relative_to(top).as_posix()
        found = _list(top, commit, path)
        if not found and (inside is not None or not _is_new(top, commit, source)):
            raise UsageError(f"{ref} has no *.json files in {path}; name their folder in it: git:{ref}:FOLDER")
        for name, data in _contents(top, found).items():
            texts[f"{ref}:{name}"] = data
            paths[f"{ref}:{name}"] = top / name
    return Committed(texts, paths)


def _top(source: Path) -> Path:
    folder = source.resolve()
    while not folder.is_dir():
        folder = folder.parent
    done = _git(folder, "rev-parse", "--show-toplevel")
    if done.returncode:
        raise UsageError(f"{source} is not in a git repository; give a folder of specs to compare with")
    return Path(os.fsdecode(done.stdout.removesuffix(b"\n"))).resolve()


def _commit(top: Path, ref: str) -> str:
    done = _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if done.returncode:
        raise UsageError(f"{top} has no commit {ref}; a shallow clone may lack it: fetch it first")
    return done.stdout.decode("ascii").strip()


def _list(top: Path, commit: str, path: str) -> dict[str, str]:
    """The object of each ``*.json`` file below ``path``, by the path of the file."""
    below = [] if path in {"", "."} else ["--", path.rstrip("/")]
    done = _git(top, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", commit, *below)
    if done.returncode:
        raise UsageError(f"git cannot list {path}: {_words(done.stderr)}")
    found: dict[str, str] = {}
    for line in done.stdout.split(b"\0"):
        head, _, name = line.partition(b"\t")
        if name.endswith(b".json") and head.split(b" ")[0] in _FILE_MODES:
            found[os.fsdecode(name)] = head.split(b" ")[2].decode("ascii")
    return found


def _is_new(top: Path, commit: str, source: Path) -> bool:
    """Whether a source exists now, and the commit has no file with the same name as one of its files."""
    files = source.rglob("*.json") if source.is_dir() else (source,)
    then = {path.rpartition("/")[2] for path in _list(top, commit, "")}
    return source.exists() and then.isdisjoint(file.name for file in files)


def _contents(top: Path, objects: Mapping[str, str]) -> dict[str, bytes]:
    """The bytes of objects, read with a single run of git."""
    if not objects:
        return {}
    done = _git(top, "cat-file", "--batch", stdin="".join(f"{name}\n" for name in objects.values()).encode())
    if done.returncode:
        raise UsageError(f"git cannot read the specs: {_words(done.stderr)}")
    contents: dict[str, bytes] = {}
    start = 0
    for path in objects:
        end = done.stdout.index(b"\n", start)
        size = int(done.stdout[start:end].rpartition(b" ")[2])
        contents[path] = done.stdout[end + 1 : end + 1 + min(size, MAX_BYTES + 1)]
        start = end + 1 + size + 1
    return contents


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    git = shutil.which("git")
    if git is None:
        raise UsageError("no git on PATH; install it, or give a folder of specs to compare with")
    # In a hook, git's environment variables are relative to another folder.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(  # noqa: S603 - the caller's git, arguments in a list, no shell
        [git, "-C", str(folder), *arguments], input=stdin, capture_output=True, check=False, env=environment
    )


def _words(error: bytes) -> str:
    return error.decode("utf-8", "replace").strip().removeprefix("fatal: ")
