"""The files in a folder of specs."""

from __future__ import annotations

from pathlib import Path

from messagegen.publish.manifest import MANIFEST, is_manifest
from messagegen.texts import read_text


def json_files(folder: Path) -> list[Path]:
    """Return the JSON files in a folder of specs, at any depth, without the manifests of outputs.

    Links to files, pipes and devices are included, so that callers can refuse them.
    """
    return [file for file in folder.rglob("*.json") if not file.is_dir() and not _is_manifest_file(file)]


def _is_manifest_file(file: Path) -> bool:
    plain = file.name == MANIFEST and not file.is_symlink() and file.is_file()
    return plain and is_manifest(read_text(file))
