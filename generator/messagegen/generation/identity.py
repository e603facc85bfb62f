"""The identity of the generator: a digest of everything but specs and settings that decides what it generates."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import messagegen
from messagegen.templating import template_folder

_SKIPPED: Final = "__pycache__"
_METADATA: Final = (".dist-info", ".egg-info")


def generator_identity() -> str | None:
    """SHA-256 of the generator's code and templates, the interpreter's version, and the names of installed distributions.

    Those names contain versions. Reading the metadata of single distributions takes longer than all the rest, so any
    installation counts as a change. ``None`` if the generator does not lie in plain folders, for example in a zip file.
    """
    code, templates = Path(messagegen.__file__).parent, template_folder()
    if not isinstance(templates, Path) or not code.is_dir():
        return None
    digest = hashlib.sha256(f"{sys.version}\n{sorted(_distributions())}\n".encode(errors="surrogateescape"))
    for folder in (code, templates):
        for path in sorted(_files(str(folder))):
            content = Path(path).read_bytes()
            digest.update(f"{path}\n{len(content)}\n".encode(errors="surrogateescape"))
            digest.update(content)
    return digest.hexdigest()


def _distributions() -> Iterator[str]:
    for place in dict.fromkeys(sys.path):
        # A zip file, or a place that does not exist.
        with contextlib.suppress(OSError), os.scandir(place or os.curdir) as entries:
            yield from (entry.name for entry in entries if entry.name.endswith(_METADATA))


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != _SKIPPED:
                    yield from _files(entry.path)
            else:
                yield entry.path
