"""The origin of this messagegen, for other installations such as CI: a pip requirement, and perhaps a commit."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit, urlunsplit

from messagegen.build import BUILD
from messagegen.findings import UsageError
from messagegen.git import GitError, resolve, run_git, top_of
from messagegen.places import real, repository_of

_NAME: Final = "messagegen"
_GIT: Final = re.compile(r"(?:messagegen *@ *)?git\+(?P<url>[^@\s]+://(?:[^@/\s]+@)?[^@\s]+)@(?P<commit>[\w./-]+)")
_BARE_NAME: Final = re.compile(r"[\w.-]+(\[[\w,-]+\])?( *[=<>~!]=?.*)?(?<!\.whl)")
_PLAIN: Final = re.compile(r"(?!-|.*: )[\w ./:@+=~%\[\],-]+")
"""Text that, in quotes, is one word in a shell and in YAML, and that is not a pip option."""
_SCP_LIKE: Final = re.compile(r"(?P<user>[\w.-]+@[\w.-]+):(?P<path>[^/].*)")
"""Git's short form of an ssh address, such as ``git@example.org:team/messagegen.git``."""
_OWN_NAME: Final = re.compile(r"messagegen(-\d.*|\.git| *[=<>~!].*)?")
_REACHABLE: Final = frozenset({"https", "http", "ssh", "git"})
_COMMIT_IN_BUILD: Final = re.compile(r"\+\d+\.g([0-9a-f]+)$")


@dataclass(frozen=True, slots=True)
class Origin:
    """A pip requirement, with the ``url`` and the ``commit`` of its git repository if it has one."""

    requirement: str
    url: str = ""
    commit: str = ""


def parse_origin(requirement: str, folder: Path = Path()) -> Origin:
    """Parse a pip requirement: ``git+URL@COMMIT``, or the path of a wheel relative to the current folder.

    In the result, the path of the wheel is relative to ``folder``, where CI installs it. Raise ``UsageError`` for a
    bare name, a wheel that is missing or not in the repository of ``folder``, and characters that workflows must
    escape.
    """
    text = requirement.strip()
    if _BARE_NAME.fullmatch(text):
        raise UsageError(
            f"the package {text} on a package index may belong to someone else; write git+URL@COMMIT, or a wheel"
        )
    if not _PLAIN.fullmatch(text):
        raise UsageError(f"invalid requirement {text!r}; write git+URL@COMMIT, or the path of a wheel")
    found = _GIT.fullmatch(text)
    if found:
        return _of_commit(found["url"], found["commit"])
    return Origin(_from_folder(text, folder) if text.endswith(".whl") and "://" not in text else text)


def _from_folder(wheel: str, folder: Path) -> str:
    """Return the path of a wheel relative to ``folder``, not to the current folder. Raise ``UsageError``."""
    if not Path(wheel).is_file():
        raise UsageError(f"no such wheel: {wheel}; the path is relative to the current folder")
    here = real(folder)
    file = real(Path(wheel))
    top = repository_of(folder) or here
    if not file.is_relative_to(top):
        raise UsageError(f"{wheel} is outside of {top}, so CI does not have it; copy it into the repository")
    return Path(os.path.relpath(file, here)).as_posix()


def find_origin() -> Origin | None:
    """Return the commit that this messagegen was installed from, if others can reach the commit's repository.

    The commit is known if messagegen was installed from a git URL, or from a clone with a remote ``origin``.
    """
    installed = _direct_url()
    if "vcs_info" in installed:
        return _published(installed["url"], installed["vcs_info"]["commit_id"])
    # A build with uncommitted changes does not belong to a commit.
    commit = _COMMIT_IN_BUILD.search(BUILD)
    if "dir_info" not in installed or commit is None:
        return None
    clone = Path(unquote(urlsplit(str(installed["url"])).path))
    try:
        top = top_of(clone)
        url = _as_url(run_git(top, "remote", "get-url", "origin").decode("utf-8", "replace").strip())
        return _published(url, resolve(top, commit[1]))
    except (GitError, OSError, ValueError):
        return None


def is_messagegen(requirement: str, url: str) -> bool:
    """Whether a pip requirement installs messagegen: its repository is ``url``, or its last part names messagegen."""
    found = _GIT.fullmatch(requirement)
    if found and found["url"] == url:
        return True
    name = found["url"] if found else requirement
    return _OWN_NAME.fullmatch(name.rstrip("/").rpartition("/")[2]) is not None


def _published(url: str, commit: str) -> Origin | None:
    """Return an origin without passwords and tokens, so that it can be committed.

    Return ``None`` if others cannot reach the address, such as a folder, or if it would need quotes or escapes.
    """
    parts = urlsplit(url)
    if parts.scheme not in _REACHABLE:
        return None
    user, _, host = parts.netloc.rpartition("@")
    # Over HTTP, a user may be a token; ssh needs a user such as git.
    user = user.partition(":")[0] if parts.scheme == "ssh" else ""
    place = urlunsplit(parts._replace(netloc=f"{user}@{host}" if user else host))
    found = _of_commit(place, commit)
    return found if _GIT.fullmatch(found.requirement) and _PLAIN.fullmatch(found.requirement) else None


def _of_commit(url: str, commit: str) -> Origin:
    return Origin(f"git+{url}@{commit}", url, commit)


def _as_url(remote: str) -> str:
    short = _SCP_LIKE.fullmatch(remote)
    return f"ssh://{short['user']}/{short['path']}" if short else remote


def _direct_url() -> dict[str, Any]:
    """Return the installer's record of messagegen's origin (PEP 610); ``{}`` if it was installed from an index."""
    try:
        installed = distribution(_NAME)
    except PackageNotFoundError:
        return {}
    if installed.version != BUILD:
        # The running code is not the installed distribution.
        return {}
    found: dict[str, Any] = json.loads(installed.read_text("direct_url.json") or "{}")
    return found
