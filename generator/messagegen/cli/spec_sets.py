"""Sets of specs to compare: files, a commit, or a Kafka release."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from messagegen.cli.options import read_outputs
from messagegen.console.output import show
from messagegen.fetch.releases import release_of
from messagegen.findings import UsageError
from messagegen.places import repository_of

if TYPE_CHECKING:
    from messagegen.evolve import SpecSet


_RELEASE: Final = re.compile(r"[0-9]+(\.[0-9]+)+")


def compared_sets(
    old: str, new: str | None, specs: Sequence[Path], config: Path | None
) -> tuple[SpecSet, SpecSet, bool]:
    """Return the old and the new set, and whether the new set may be a part of the old.

    The new set defaults to ``specs``, or else to the specs of the configuration. From a commit without a folder, the
    files at the same paths are read. Raise ``UsageError`` and ``ConfigError``.
    """
    sources = list(specs)
    # A commit without a folder is read at the paths of the configured specs.
    if not sources and any(side is None or (side.startswith("git:") and side.count(":") == 1) for side in (old, new)):
        sources = _configured(config, of_commits=any(side and side.startswith("git:") for side in (old, new)))
    now = read_files(sources) if new is None else read_spec_set(new, sources)
    # Missing messages of a Kafka release count as removed only if the new set, too, consists of specs of a release.
    return read_spec_set(old, sources), now, old.startswith("kafka:") and not now.official


def _configured(config: Path | None, *, of_commits: bool) -> list[Path]:
    """Return the specs of the configuration; ``of_commits`` is true if they are also read from a commit.

    Raise ``ConfigError``. With ``of_commits``, raise ``UsageError`` for specs in a different repository from the
    configuration.
    """
    sources: list[Path] = []
    for settings in read_outputs(config):
        for path in settings.require_specs():
            sources.append(path)
            if not of_commits or settings.file is None or release_of(path) is not None:
                continue
            if repository_of(path) != repository_of(settings.file.parent):
                raise UsageError(f"{path} is in a different git repository from {settings.file}; name it with --specs")
    return sources


def read_spec_set(text: str, sources: Sequence[Path]) -> SpecSet:
    """Return the specs of ``git:REF``, ``git:REF:FOLDER``, ``kafka:RELEASE``, a folder or a file.

    ``sources`` are the folders and files to read from a commit. Raise ``UsageError``.
    """
    scheme, _, rest = text.partition(":")
    if scheme == "git" and rest:
        return _committed(rest, sources)
    if release_of(Path(text)) is None and not Path(text).exists():
        release = f", or kafka:{text} for a release of Kafka" if _RELEASE.fullmatch(text) else ""
        raise UsageError(f"no such spec file or folder: {text}; write git:{text} for a commit, branch or tag{release}")
    return read_files([Path(text)])


def _committed(place: str, sources: Sequence[Path]) -> SpecSet:
    """Return the specs of a commit, ``REF`` or ``REF:FOLDER``."""
    from messagegen.evolve import SpecSet
    from messagegen.git import read_commit

    ref, _, inside = place.partition(":")
    own = [source for source in sources if release_of(source) is None]
    if sources and not own:
        raise UsageError(f"{sources[0]} is not in git; compare it with another release or a folder")
    committed = read_commit(ref, own or [Path()], inside or None)
    if not committed.has_remote:
        show(f"This repository has no remote yet, so there is no {ref} to compare with", err=True)
    elif not committed.texts:
        show(f"{ref} has none of these specs yet", err=True)
    return SpecSet(f"git:{place}", committed.texts, committed.paths)


def read_files(sources: Sequence[Path]) -> SpecSet:
    """Return the specs in folders and files of the work tree, and of releases. Raise ``UsageError``."""
    from messagegen.evolve import SpecSet
    from messagegen.fetch.specs import LOCK_NAME
    from messagegen.generation.files import read_texts, released_specs
    from messagegen.merge.folders import release_set

    own = [source for source in sources if release_of(source) is None]
    texts = read_texts(own) if own else {}
    editable = frozenset(texts) - released_specs(texts)
    paths = {name: Path(name).absolute() for name in texts}
    labels = [*map(str, own)]
    for release in filter(None, map(release_of, sources)):
        found = release_set(release)
        texts |= found.texts
        labels.append(found.label)
    return SpecSet(", ".join(labels), texts, paths, all((folder / LOCK_NAME).is_file() for folder in own), editable)
