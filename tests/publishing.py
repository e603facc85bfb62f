"""What the tests of publishing share: two generations of files, and what a folder holds after publishing them."""

from __future__ import annotations

from pathlib import Path

import pytest

from messagegen import publish_tree
from messagegen.manifest import MANIFEST, Manifest

FILES = {"__init__.py": "import a\n", "a.py": "A = 1\n", "sub/b.py": "B = 1\n", "gone.py": "G = 1\n"}
LATER = {"__init__.py": "import a\n", "a.py": "A = 2\n", "sub/b.py": "B = 1\n", "new/c.py": "C = 1\n"}


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def written(files: dict[str, str], **others: str) -> dict[str, bytes]:
    """What a folder holds after publishing ``files`` beside ``others``."""
    contents = {path: text.encode() for path, text in files.items()}
    return (
        contents | {MANIFEST: Manifest.of(contents).render()} | {name: text.encode() for name, text in others.items()}
    )


def need_exchange(folder: Path) -> None:
    """Skips the test where the file system of ``folder`` cannot exchange two folders."""
    left, right = folder / "left", folder / "right"
    left.mkdir()
    right.mkdir()
    if not publish_tree.exchange(left, right):
        pytest.skip("this file system cannot exchange folders")
    left.rmdir()
    right.rmdir()
