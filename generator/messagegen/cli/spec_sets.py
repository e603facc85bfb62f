"""Sets of specs that are compared: files, a commit, a release of Kafka."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from messagegen.cli.options import progress_line


@dataclass(frozen=True, slots=True)
class SpecSet:
    """Specs by the name that findings give them, and the place in the work tree that goes with each name.

    ``official`` says that they are all specs of a release of Kafka.
    """

    texts: Mapping[str, bytes]
    paths: Mapping[str, Path]
    official: bool = False


def read_spec_set(text: str, sources: Sequence[Path]) -> SpecSet:
    """The specs that ``git:REF``, ``git:REF:FOLDER``, ``kafka:RELEASE``, a folder or a file names.

    ``sources`` are the folders and files that are meant in a commit. Raises ``UsageError``.
    """
    from messagegen.fetch.specs import FetchError
    from messagegen.findings import UsageError

    scheme, _, rest = text.partition(":")
    try:
        if scheme == "git" and rest:
            from messagegen.fetch.git import read_commit

            ref, _, inside = rest.partition(":")
            committed = read_commit(ref, sources or [Path()], inside or None)
            if not committed.texts:
                click.echo(f"{ref} has none of these specs yet", err=True)
            return SpecSet(committed.texts, committed.paths)
        if scheme == "kafka" and rest:
            return SpecSet(_release(rest), {}, official=True)
    except FetchError as error:
        raise UsageError(str(error)) from error
    return read_files([Path(text)])


def read_files(sources: Sequence[Path]) -> SpecSet:
    """The specs in folders and files of the work tree. Raises ``UsageError``."""
    from messagegen.fetch.specs import LOCK_NAME
    from messagegen.generation.sources import read_texts

    texts = read_texts(sources)
    official = all((source / LOCK_NAME).is_file() for source in sources)
    return SpecSet(texts, {name: Path(name).absolute() for name in texts}, official)


def _release(release: str) -> Mapping[str, bytes]:
    from platformdirs import user_cache_path

    from messagegen.fetch.cached import release_specs

    with progress_line(f"Fetching Kafka {release}", quiet=False):
        specs = release_specs(release, user_cache_path("messagegen") / "specs")
    return {f"kafka:{release}/{path}": data for path, data in specs.items()}
