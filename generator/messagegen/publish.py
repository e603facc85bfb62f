"""Rendered texts to disk: formatting, comparing and writing an output folder, without ever touching what is not ours.

``docs/design/004-publishing.md`` gives the reasons for the way in which files are replaced.
"""

from __future__ import annotations

import ast
import difflib
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from messagegen.manifest import MANIFEST, Manifest, PublishError, check_paths, read_manifest, sha256
from messagegen.publish_tree import TreeUpdate, is_cache, list_files, locked, recover, update_tree

__all__ = [
    "MANIFEST",
    "Changes",
    "Drift",
    "FileDrift",
    "PublishError",
    "check",
    "format_python",
    "plan_changes",
    "publish",
]

LINE_LENGTH: Final = 120
BLACK_MODE: Final = f"py311, lines of {LINE_LENGTH}"
"""The mode of ``format_python`` in words; it changes whenever the mode does."""
DIFF_LINES: Final = 40

Kind = Literal["new", "changed", "edited", "missing", "stale"]

_VISIBLE: Final = {code: f"\\x{code:02x}" for code in (*range(32), 127) if chr(code) != "\t"}
_SHOWN_CONFLICTS: Final = 10


def format_python(text: str) -> str:
    """``text`` as black formats it, always in one mode: lines of 120 characters, Python 3.11, no configuration read.

    Raises ``PublishError`` with line and column where ``text`` is not Python 3.11.
    """
    # A tenth of a second that a run with nothing to format does not pay.
    import black
    from black.mode import TargetVersion

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            ast.parse(text, feature_version=(3, 11))
        return black.format_str(text, mode=black.Mode({TargetVersion.PY311}, line_length=LINE_LENGTH))
    except SyntaxError as error:
        place = f"line {error.lineno}, column {error.offset}"
        raise PublishError(f"not valid Python 3.11: {error.msg} ({place}): {(error.text or '').strip()}") from error
    except (ValueError, SyntaxWarning) as error:
        raise PublishError(f"not valid Python 3.11: {error}") from error


@dataclass(frozen=True, slots=True)
class Changes:
    """What publishing does, or did, to an output folder: relative POSIX paths, sorted, each in one tuple only.

    ``changed`` files are as they were written and get other content; ``edited`` ones were changed by somebody else
    since; ``missing`` ones were deleted by somebody else. ``stale`` files are ours and no longer wanted. ``foreign``
    files are not ours and stay. ``manifest`` says that the list of our files is out of date, be it alone.
    """

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    manifest: bool = False

    @property
    def in_step(self) -> bool:
        """Whether there is nothing to write and nothing to remove."""
        return not (self.written or self.stale or self.manifest)

    @property
    def written(self) -> tuple[str, ...]:
        """The files that get content, sorted."""
        return tuple(sorted((*self.new, *self.changed, *self.edited, *self.missing)))


@dataclass(frozen=True, slots=True)
class FileDrift:
    """One file that is not as it would be generated: its bytes on disk and as generated, ``None`` where it is not."""

    path: str
    kind: Kind
    before: bytes | None
    after: bytes | None

    def diff(self, limit: int = DIFF_LINES) -> tuple[str, ...]:
        """A unified diff from disk to generated, at most ``limit`` lines and a line that counts the rest.

        Control characters appear as escapes, so a damaged file cannot command the terminal.
        """
        old, new = _lines(self.before), _lines(self.after)
        if old == new and self.before is not None and self.after is not None:
            return (f"{self.path}: only line endings differ; generated files end their lines with \\n",)
        old_name = "/dev/null" if self.before is None else f"on disk/{self.path}"
        new_name = "/dev/null" if self.after is None else f"generated/{self.path}"
        lines = list(difflib.unified_diff(old, new, old_name, new_name, lineterm="", n=2))
        rest = len(lines) - limit
        return (*lines[:limit], f"... and {rest} more lines") if rest > 0 else tuple(lines)


@dataclass(frozen=True, slots=True)
class Drift:
    """How an output folder differs from what would be generated; ``files`` in order of path.

    ``written_by`` and ``checked_by`` name generator and black of the last writing run and of this one; they differ
    where a change of tools, rather than of specs, may be the cause.
    """

    changes: Changes
    files: tuple[FileDrift, ...]
    written_by: str
    checked_by: str

    @property
    def in_step(self) -> bool:
        """Whether the folder is as it would be generated."""
        return self.changes.in_step


@dataclass(frozen=True, slots=True)
class _Survey:
    """The two sides of a run: what shall be there, and what is."""

    wanted: Mapping[str, bytes]
    present: Mapping[str, bytes]
    manifest: Manifest | None
    after: Manifest
    changes: Changes


def plan_changes(files: Mapping[str, str], output: Path) -> Changes:
    """What :func:`publish` would do with ``files`` (relative POSIX path to text); nothing is written.

    Raises ``PublishError`` where it would refuse.
    """
    return _survey(files, output).changes


def publish(files: Mapping[str, str], output: Path) -> Changes:
    """Makes ``output`` hold ``files`` (relative POSIX path to text) and its manifest; what is in step stays untouched.

    A killed run leaves the old files or the new ones. Raises ``PublishError``, with nothing written, for a path
    outside ``output``, a file in the way that is not ours, a filled folder without a manifest, and a link where a
    folder is meant.
    """
    _check_output(output)
    check_paths(files)
    output.parent.mkdir(parents=True, exist_ok=True)
    with locked(output.parent):
        recover(output)
        survey = _survey(files, output)
        changes = survey.changes
        if not changes.in_step:
            write = {path: survey.wanted[path] for path in changes.written}
            update_tree(output, TreeUpdate(write, changes.stale, survey.manifest, survey.after))
    return changes


def check(files: Mapping[str, str], output: Path) -> Drift:
    """How ``output`` differs from ``files`` (relative POSIX path to text); nothing is written.

    Raises ``PublishError`` where :func:`publish` would refuse.
    """
    survey = _survey(files, output)
    changes, before = survey.changes, survey.manifest
    kinds: dict[str, Kind] = dict.fromkeys(changes.new, "new")
    kinds |= dict.fromkeys(changes.changed, "changed")
    kinds |= dict.fromkeys(changes.edited, "edited")
    kinds |= dict.fromkeys(changes.missing, "missing")
    kinds |= dict.fromkeys(changes.stale, "stale")
    drifts = [
        FileDrift(path, kind, survey.present.get(path), survey.wanted.get(path)) for path, kind in sorted(kinds.items())
    ]
    if changes.manifest and not drifts:
        kind: Kind = "edited" if before else "missing"
        drifts.append(FileDrift(MANIFEST, kind, before.render() if before else None, survey.after.render()))
    return Drift(changes, tuple(drifts), _tools(before) if before else "", _tools(survey.after))


def _survey(files: Mapping[str, str], output: Path) -> _Survey:
    _check_output(output)
    check_paths(files)
    wanted = {path: _content(path, text) for path, text in sorted(files.items())}
    after = Manifest.of(wanted)
    found = list_files(output) if output.exists() else set[str]()
    before = read_manifest(output) if found else None
    owned: Mapping[str, str] = before.files if before else {}
    for path in {**wanted, **owned}:
        _check_folders(output, path)
    for path in wanted:
        _check_room(output, path, found - set(owned))
    present = {path: _present(output / path) for path in sorted(found & {*wanted, *owned})}
    if before is None:
        _check_adoption(wanted, present, found, output)
    _check_ownership(wanted, present, owned, output)
    return _Survey(wanted, present, before, after, _classify(wanted, present, before, after, found))


def _classify(
    wanted: Mapping[str, bytes], present: Mapping[str, bytes], before: Manifest | None, after: Manifest, found: set[str]
) -> Changes:
    owned: Mapping[str, str] = before.files if before else {}
    sorted_by: dict[str, list[str]] = {"new": [], "changed": [], "edited": [], "missing": [], "unchanged": []}
    for path, content in wanted.items():
        if path not in present:
            kind = "missing" if path in owned else "new"
        elif present[path] == content:
            kind = "unchanged"
        else:
            kind = "changed" if sha256(present[path]) == owned.get(path) else "edited"
        sorted_by[kind].append(path)
    theirs = found - set(wanted) - set(owned) - {MANIFEST}
    return Changes(
        **{kind: tuple(paths) for kind, paths in sorted_by.items()},
        stale=tuple(path for path in present if path not in wanted),
        foreign=tuple(sorted(path for path in theirs if not is_cache(path))),
        manifest=before is None or before.files != after.files,
    )


def _check_output(output: Path) -> None:
    if output.is_symlink():
        raise PublishError(f"{output} is a symbolic link; name the folder that it leads to")
    if output.exists() and not output.is_dir():
        raise PublishError(f"{output} is a file; name a folder")


def _check_folders(output: Path, path: str) -> None:
    for parent in list((output / path).parents)[: path.count("/")]:
        if parent.is_symlink():
            raise PublishError(f"{parent} is a symbolic link; replace it by a plain folder, or remove it")


def _check_room(output: Path, path: str, theirs: set[str]) -> None:
    if (output / path).is_dir() and not (output / path).is_symlink():
        raise PublishError(
            f"{output / path} is a folder, and a file of that name is to be written; move the folder away"
        )
    for parent in PurePosixPath(path).parents:
        if str(parent) in theirs:
            raise PublishError(
                f"{output / parent} is a file, and a folder of that name is to be made; move the file away"
            )


def _check_adoption(wanted: Mapping[str, bytes], present: Mapping[str, bytes], found: set[str], output: Path) -> None:
    # A version control system's own files may keep an otherwise empty folder alive.
    others = sorted(path for path in found if not is_cache(path) and not Path(path).name.startswith(".git"))
    if others and not any(present.get(path) == content for path, content in wanted.items()):
        raise PublishError(
            f"{output} is not empty and has no {MANIFEST}, so nothing in it is known to be generated "
            f"(it holds {_some(others)}); name a new folder or an empty one"
        )


def _check_ownership(
    wanted: Mapping[str, bytes], present: Mapping[str, bytes], owned: Mapping[str, str], output: Path
) -> None:
    taken = [path for path in present if path not in owned and present[path] != wanted[path]]
    if taken:
        raise PublishError(
            f"{output} holds files that were not generated, where generated ones are to be written: {_some(taken)}; "
            f"move them away (or restore {MANIFEST} from version control if it went missing)"
        )


def _some(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN_CONFLICTS} more" if len(paths) > _SHOWN_CONFLICTS else ""
    return ", ".join(paths[:_SHOWN_CONFLICTS]) + more


def _present(path: Path) -> bytes:
    # A link is never what was written, whatever it leads to; what it says stands for its content.
    return b"symbolic link to " + os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()


def _content(path: str, text: str) -> bytes:
    try:
        return text.replace("\r\n", "\n").replace("\r", "\n").encode()
    except UnicodeEncodeError as error:
        raise PublishError(f"{path}: character {error.start} is half of a surrogate pair, which UTF-8 lacks") from error


def _lines(content: bytes | None) -> list[str]:
    if not content:
        return []
    *lines, last = content.decode("utf-8", errors="replace").replace("\r\n", "\n").split("\n")
    if last:
        lines.append(f"{last} (no newline at the end)")
    return [line.translate(_VISIBLE) for line in lines]


def _tools(manifest: Manifest) -> str:
    return f"messagegen {manifest.generator} with black {manifest.black}"
