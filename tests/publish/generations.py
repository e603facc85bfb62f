"""Two generations of files for tests of publishing, and the contents of a folder after publishing them."""

from __future__ import annotations

from pathlib import Path

from messagegen.build import BUILD
from messagegen.publish.header import digest_of, headed
from messagegen.publish.manifest import MANIFEST, Manifest


def generated(**texts: str) -> dict[str, str]:
    """Return files as the generator passes them to ``publish``. All have headers; the index has no digest.

    The keyword ``sub__b`` becomes the path ``sub/b.py``.

    """
    paths = {f"{name.replace('__', '/')}.py" if name != "__init__" else "__init__.py": name for name in texts}
    return {path: headed(path, texts[name], "MIT-0") for path, name in paths.items()}


FILES = generated(__init__="import a\n", a="A = 1\n", sub__b="B = 1\n", gone="G = 1\n")
LATER = generated(__init__="import a\n", a="A = 2\n", sub__b="B = 1\n", new__c="C = 1\n")


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def written(files: dict[str, str], **others: str) -> dict[str, bytes]:
    """Return the contents of a folder after ``files`` were published to it, next to ``others``."""
    contents = {path: text.encode() for path, text in files.items()}
    digests = {path: "" if b"# sha256: " in data else digest_of(path, data)[:16] for path, data in contents.items()}
    return (
        contents
        | {MANIFEST: Manifest(BUILD, digests).render()}
        | {name: text.encode() for name, text in others.items()}
    )
