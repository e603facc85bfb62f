"""Sets of specs to compare: files, a commit, or a Kafka release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from messagegen.cli.options import fetch_releases, status_line
from messagegen.fetch.releases import release_of


@dataclass(frozen=True, slots=True)
class SpecSet:
    """Specs by the name that findings use, and the location in the work tree for each name.

    ``official`` says that they are all specs of a Kafka release.
    """

    texts: Mapping[str, bytes]
    paths: Mapping[str, Path]
    official: bool = False


def read_spec_set(text: str, sources: Sequence[Path]) -> SpecSet:
    """The specs that ``git:REF``, ``git:REF:FOLDER``, ``kafka:RELEASE``, a folder or a file names.

    ``sources`` are the folders and files to read from a commit. Raises ``UsageError``.
    """
    from messagegen.findings import UsageError

    scheme, _, rest = text.partition(":")
    if scheme == "git" and rest:
        from messagegen.git import read_commit

        ref, _, inside = rest.partition(":")
        own = [source for source in sources if release_of(source) is None]
        if sources and not own:
            raise UsageError(f"{sources[0]} is not in git; compare it with another release or a folder")
        committed = read_commit(ref, own or [Path()], inside or None)
        if not committed.texts:
            click.echo(f"{ref} has none of these specs yet", err=True)
        return SpecSet(committed.texts, committed.paths)
    if scheme == "kafka" and rest:
        return SpecSet(_release(rest), {}, official=True)
    return read_files([Path(text)])


def read_files(sources: Sequence[Path]) -> SpecSet:
    """The specs in folders and files of the work tree, and of releases. Raises ``UsageError``."""
    from messagegen.fetch.specs import LOCK_NAME
    from messagegen.generation.files import read_texts

    folders = fetch_releases(sources)
    texts = read_texts(folders)
    official = all((folder / LOCK_NAME).is_file() for folder in folders)
    return SpecSet(texts, {name: Path(name).absolute() for name in texts}, official)


def _release(release: str) -> Mapping[str, bytes]:
    from messagegen.fetch.specs import release_specs

    with status_line() as progress:
        specs = release_specs(release, progress=progress)
    return {f"kafka:{release}/{path}": data for path, data in specs.items()}
