"""Reads message specs from a commit of a git repository, without touching the work tree."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from messagegen.findings import UsageError
from messagegen.texts import MAX_BYTES


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
        path = PurePosixPath(source.resolve().relative_to(top).as_posix() if inside is None else inside)
        listed = os.fsdecode(_git(top, "ls-tree", "-rz", commit, failure=f"git cannot list {ref}")).split("\0")
        # Such as "100644 blob 1a2b...\tmessage_specs/One.json"; links have another mode.
        objects = {row.partition("\t")[2]: row.split()[2] for row in listed if row.startswith("100")}
        found = [name for name in objects if name.endswith(".json") and PurePosixPath(name).is_relative_to(path)]
        if not found and (inside is not None or not _is_new(source, objects)):
            raise UsageError(f"{ref} has no *.json files in {path}; name their folder in it: git:{ref}:FOLDER")
        for name, data in zip(found, _contents(top, [objects[name] for name in found]), strict=True):
            texts[f"{ref}:{name}"] = data
            paths[f"{ref}:{name}"] = top / name
    return Committed(texts, paths)


def _top(source: Path) -> Path:
    place = source.resolve()
    folder = next(each for each in (place, *place.parents) if each.is_dir())
    failure = f"{source} is not in a git repository; give a folder of specs to compare with"
    return Path(
        os.fsdecode(_git(folder, "rev-parse", "--show-toplevel", failure=failure).removesuffix(b"\n"))
    ).resolve()


def _commit(top: Path, ref: str) -> str:
    failure = f"{top} has no commit {ref}; a shallow clone may lack it: fetch it first"
    options = ("--verify", "--quiet", "--end-of-options")
    return _git(top, "rev-parse", *options, f"{ref}^{{commit}}", failure=failure).decode("ascii").strip()


def _is_new(source: Path, then: Iterable[str]) -> bool:
    """Whether a source exists now, and none of its files has the name of a file of the commit."""
    files = source.rglob("*.json") if source.is_dir() else (source,)
    return source.exists() and {path.rpartition("/")[2] for path in then}.isdisjoint(file.name for file in files)


def _contents(top: Path, objects: Sequence[str]) -> Iterator[bytes]:
    """The bytes of objects, read with a single run of git."""
    asked = "".join(f"{name}\n" for name in objects).encode()
    answers = io.BytesIO(_git(top, "cat-file", "--batch", failure="git cannot read the specs", stdin=asked))
    for _ in objects:
        size = int(answers.readline().split()[2])
        yield answers.read(size)[: MAX_BYTES + 1]
        answers.readline()


def _git(folder: Path, *arguments: str, failure: str, stdin: bytes = b"") -> bytes:
    """What git prints; raises ``UsageError`` with the words of ``failure`` if it fails."""
    git = shutil.which("git")
    if git is None:
        raise UsageError("no git on PATH; install it, or give a folder of specs to compare with")
    # In a hook, git's environment variables are relative to another folder.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(  # noqa: S603 - the caller's git, arguments in a list, no shell
        [git, "-C", str(folder), *arguments], input=stdin, capture_output=True, check=False, env=environment
    )
    if done.returncode:
        raise UsageError(failure)
    return done.stdout
