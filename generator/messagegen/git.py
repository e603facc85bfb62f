"""Runs git to read message specs from a commit of a repository, without touching the work tree."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from messagegen.findings import UsageError
from messagegen.places import program, repository_of
from messagegen.publish.manifest import MANIFEST, is_manifest
from messagegen.spec_files import json_files
from messagegen.texts import MAX_BYTES

_SETTINGS: Final = (
    # A stranger may have committed a folder that looks like a bare repository.
    "safe.bareRepository=explicit",
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "diff.external=",
    "diff.ignoreSubmodules=all",
    "submodule.recurse=false",
    "log.showSignature=false",
)
"""Settings that override the repository's settings, so that git starts no other program."""
_ENVIRONMENT: Final = {
    # A missing object in a partial clone is an error. Older versions of git support only the second variable.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    # Reading does not change the index.
    "GIT_OPTIONAL_LOCKS": "0",
}
_REMOTE_REFS: Final = "refs/remotes"
_USUAL_BRANCHES: Final = ("main", "master")
_HEADER_WORDS: Final = 3
"""The number of words before an object, such as "1a2b... blob 312". A missing object has two: "1a2b... missing"."""


class GitError(UsageError):
    """Raised if git is missing or fails; the message contains the reason."""


@dataclass(frozen=True, slots=True)
class Committed:
    """The ``*.json`` files of a commit in some folders, as bytes by ``REF:PATH``, without manifests of outputs.

    ``paths`` maps these names to paths in the work tree, which may not exist. ``has_remote`` is false if the ref is a
    remote branch, but the repository has no remotes.
    """

    texts: Mapping[str, bytes]
    paths: Mapping[str, Path]
    has_remote: bool = True


def run_git(top: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Return the output of git in the repository with the top folder ``top``. Only this function starts git.

    Git starts no other program, and fetches nothing. Raise ``GitError`` if git is missing or fails.
    """
    git = program("git")
    if git is None:
        raise GitError("no git on PATH")
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    # Git hooks inherit git's environment variables, whose paths are relative to a different folder.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(  # noqa: S603 - the caller's git, arguments in a list, no shell
        [git, "-C", str(top), "--no-pager", *settings, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env=inherited | _ENVIRONMENT,
    )
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").partition("\n")[0].removeprefix("fatal: ")
        raise GitError(f"git {arguments[0]} failed in {top}: {reason or f'exit code {done.returncode}'}")
    return done.stdout


def top_of(folder: Path) -> Path:
    """Return the top of the git repository that ``folder`` is in: the nearest folder with an entry ``.git``.

    Raise ``GitError`` if ``folder`` is not in a repository, or if git would read a different repository.
    """
    top = repository_of(folder)
    if top is None:
        raise GitError(f"{folder} is not in a git repository")
    answer = os.fsdecode(run_git(top, "rev-parse", "--show-toplevel", "--absolute-git-dir"))
    work_tree, _, git_folder = answer.removesuffix("\n").partition("\n")
    if Path(work_tree).resolve() != top or Path(git_folder).resolve() == top:
        raise GitError(f"git does not recognize {top} as the top folder of a repository")
    return top


def resolve(top: Path, ref: str) -> str:
    """Return the hash of the commit ``ref`` in the repository with the top folder ``top``. Raise ``GitError``."""
    try:
        found = run_git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    except GitError:
        raise GitError(f"{top} has no commit {ref}; {_remedy(top, ref)}") from None
    return found.decode("ascii").strip()


def main_branch(folder: Path) -> str:
    """Return the main branch of the repository of ``folder``.

    It is the default branch of ``origin``, or else ``main`` or ``master`` if it exists, or else the current branch. If
    there is no repository or no git, return ``main``.
    """
    try:
        top = top_of(folder)
        default = _branch(top, f"{_REMOTE_REFS}/origin/HEAD").removeprefix("origin/")
        names = {*_remote_branches(top, "origin"), *_branches(top, "refs/heads")}
        usual = (name for name in _USUAL_BRANCHES if name in names)
        return default or next(usual, "") or _branch(top, "HEAD") or _USUAL_BRANCHES[0]
    except GitError:
        return _USUAL_BRANCHES[0]


def _remedy(top: Path, ref: str) -> str:
    """Return advice on how to get a commit that a repository lacks."""
    remote, _, branch = ref.partition("/")
    if not branch or remote not in run_git(top, "remote").decode("utf-8", "replace").split():
        return "a shallow clone may lack it: fetch it first"
    branches = _remote_branches(top, remote)
    if not branches:
        return f"no branch of {remote} was fetched: run `git fetch {remote} {branch}`, or push {branch} first"
    return f"run `git fetch {remote} {branch}`, or name one of the fetched branches: {', '.join(branches)}"


def _remote_branches(top: Path, remote: str) -> list[str]:
    """Return the fetched branches of a remote, without the remote's name."""
    return _branches(top, f"{_REMOTE_REFS}/{remote}")


def _branches(top: Path, refs: str) -> list[str]:
    listed = os.fsdecode(run_git(top, "for-each-ref", "--format=%(refname)", refs)).split()
    return [name.removeprefix(f"{refs}/") for name in listed if not name.endswith("/HEAD")]


def _branch(top: Path, ref: str) -> str:
    """Return the short name of the branch of a symbolic ref, even without a commit; "" if the ref is not symbolic."""
    try:
        return os.fsdecode(run_git(top, "symbolic-ref", "--quiet", "--short", ref)).strip()
    except GitError:
        return ""


def read_commit(ref: str, sources: Sequence[Path], inside: str | None = None) -> Committed:
    """Return the files of the commit ``ref`` at the current paths of ``sources`` in the work tree.

    ``sources`` are files and folders. If they were moved, ``inside`` is their old folder or file, relative to the top
    of the repository. The result contains no files of new sources, which the commit lacks. It is also empty for a
    branch of ``origin`` if the repository has no remotes.

    Raise ``UsageError`` if git, the repository or the commit is missing, or if ``inside`` is not in the commit. Also
    raise it if the files of a source seem to have been moved, because the commit has files with the same names
    elsewhere.
    """
    texts: dict[str, bytes] = {}
    paths: dict[str, Path] = {}
    has_remote = True
    for source in sources:
        top = _top(source)
        if _is_before_first_push(top, ref):
            has_remote = False
            continue
        commit = resolve(top, ref)
        path = PurePosixPath(source.resolve().relative_to(top).as_posix() if inside is None else inside)
        listed = os.fsdecode(run_git(top, "ls-tree", "-rz", commit)).split("\0")
        # A row is "100644 blob 1a2b...\tmessage_specs/One.json"; links have a different mode.
        objects = {row.partition("\t")[2]: row.split()[2] for row in listed if row.startswith("100")}
        found = [name for name in objects if name.endswith(".json") and PurePosixPath(name).is_relative_to(path)]
        if not found and (inside is not None or not _is_new(source, objects)):
            raise UsageError(
                f"{ref} has no *.json files in {path}; name the folder that contains them: git:{ref}:FOLDER"
            )
        for name, data in zip(found, _contents(top, [objects[name] for name in found]), strict=True):
            if PurePosixPath(name).name == MANIFEST and is_manifest(data):
                continue
            texts[f"{ref}:{name}"] = data
            paths[f"{ref}:{name}"] = top / name
    return Committed(texts, paths, has_remote)


def _top(source: Path) -> Path:
    try:
        return top_of(source)
    except GitError as error:
        raise UsageError(f"{error}; give a folder of specs to compare with") from None


def _is_before_first_push(top: Path, ref: str) -> bool:
    """Whether a ref is a branch of ``origin`` but the repository has no remotes, so its specs are unpublished."""
    return ref.startswith("origin/") and not run_git(top, "remote") and not run_git(top, "for-each-ref", _REMOTE_REFS)


def _is_new(source: Path, then: Iterable[str]) -> bool:
    """Whether a source exists now, and none of its file names is in the commit."""
    files = json_files(source) if source.is_dir() else (source,)
    return source.exists() and {path.rpartition("/")[2] for path in then}.isdisjoint(file.name for file in files)


def _contents(top: Path, objects: Sequence[str]) -> Iterator[bytes]:
    """Yield the bytes of objects, read with a single run of git. Raise ``GitError`` for a missing object."""
    request = "".join(f"{name}\n" for name in objects).encode()
    answers = io.BytesIO(run_git(top, "cat-file", "--batch", stdin=request))
    for name in objects:
        header = answers.readline().split()
        if len(header) != _HEADER_WORDS:
            raise GitError(f"{top} lacks the object {name}, as partial clones do; fetch it without --filter")
        size = int(header[2])
        yield answers.read(size)[: MAX_BYTES + 1]
        answers.readline()
