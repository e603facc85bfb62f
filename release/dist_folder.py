"""The folder of distributions. Its ``SHA256SUMS`` lists the files that builds wrote, and builds only replace these."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import move, rmtree
from typing import Final

import click
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

DIGESTS: Final = "SHA256SUMS"
BILL_SUFFIX: Final = ".cdx.json"
"""A bill of materials is named after its distribution: ``NAME-VERSION.cdx.json``."""

_BETWEEN: Final = "  "
"""The separator between a digest and a name, as in the format of ``sha256sum``."""
_SHOWN: Final = 3
"""The maximum number of foreign files that an error names."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The distribution that a file belongs to."""

    name: str
    version: Version


def distributions(folder: Path) -> list[Path]:
    """Return the wheels and sdists of a folder, by name."""
    return sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])


def distribution_of(name: str) -> Distribution | None:
    """Return the distribution in the name of a wheel, an sdist or a bill of materials; ``None`` for other names."""
    try:
        if name.endswith(BILL_SUFFIX):
            distribution, _, version = name.removesuffix(BILL_SUFFIX).rpartition("-")
            return Distribution(canonicalize_name(distribution), Version(version))
        if name.endswith(".whl"):
            wheel = parse_wheel_filename(name)
            return Distribution(wheel[0], wheel[1])
        return Distribution(*parse_sdist_filename(name))
    except (InvalidSdistFilename, InvalidVersion, InvalidWheelFilename):
        return None


def write_digests(folder: Path) -> Path:
    """Write ``SHA256SUMS`` with the digests of all other files of a folder, as ``sha256sum --check`` reads it."""
    files = sorted(path for path in folder.iterdir() if path.name != DIGESTS)
    lines = [f"{_digest(path)}{_BETWEEN}{path.name}\n" for path in files]
    target = folder / DIGESTS
    target.write_text("".join(lines), encoding="utf-8", newline="\n")
    return target


def written(folder: Path) -> set[str]:
    """Return the names of unchanged files that a build wrote, and ``SHA256SUMS``."""
    target = folder / DIGESTS
    if not target.is_file():
        return set()
    found = {DIGESTS}
    for line in target.read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition(_BETWEEN)
        path = folder / name
        if path.is_file() and _digest(path) == digest:
            found.add(name)
    return found


def keep_foreign_files(folder: Path) -> None:
    """Raise ``UsageError`` if a folder has files that builds did not write, or that were changed later.

    A build may remove the files of earlier builds.
    """
    if not folder.exists():
        return
    ours = written(folder)
    foreign = sorted(path.name for path in folder.iterdir() if path.name not in ours)
    if foreign:
        names = ", ".join(foreign[:_SHOWN])
        raise click.UsageError(f"{folder} has files that no build wrote ({names}); name a new or empty folder")


def replace(folder: Path, built: Path) -> None:
    """Replace a folder with files of earlier builds by the folder ``built``. Raises ``UsageError``."""
    # Check again: building takes minutes, and files may have been added meanwhile.
    keep_foreign_files(folder)
    rmtree(folder, ignore_errors=True)
    move(built, folder)


def add(folder: Path, built: Path) -> list[Path]:
    """Move all files of ``built`` into a folder, remove other versions of the same distributions, and return the files.

    If the folder had two versions of a wheel, a pattern such as ``messagegen_pipeline-*.whl`` would match both. Raises
    ``UsageError``.
    """
    keep_foreign_files(folder)
    folder.mkdir(parents=True, exist_ok=True)
    added = [Path(move(file, folder / file.name)) for file in sorted(built.iterdir())]
    for path in _other_versions(folder, added):
        path.unlink()
        click.echo(f"Removed: {path.name}, another version", err=True)
    write_digests(folder)
    return added


def _other_versions(folder: Path, added: list[Path]) -> Iterator[Path]:
    versions = {one.name: one.version for path in added if (one := distribution_of(path.name))}
    for path in sorted(folder.iterdir()):
        found = distribution_of(path.name)
        if found and found.version != versions.get(found.name, found.version):
            yield path


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
