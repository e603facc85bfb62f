"""The archive that brings the pipeline and generated code to executors."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

PACKAGES: Final = ("messagegen_arrow", "messagegen_spark", "messagegen_kafka")
"""What executors import: both packages of the pipeline, and the runtime of generated code. The generator works in drivers only."""

# The lowest time that a zip file can tell, so that equal files give equal archives.
_TIME: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o644
_UNIX: Final = 3


def write_package(path: Path, packages: Sequence[str] = PACKAGES) -> int:
    """Writes the archive for ``--py-files`` and ``addArtifacts(path, pyfile=True)``; gives how many files are in it.

    Equal packages give equal bytes: sorted, without times, and not compressed, for compressors differ between machines. Native
    extensions can't be imported from an archive, so ``messagegen_native`` is never in it: install it on executors, or the
    pure-Python path does the work. Raises ``ModuleNotFoundError`` for a package that there is not, ``OSError`` as writing does.
    """
    files = sorted(entry for name in packages for entry in _files(name))
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        # Beside its target, so that one rename moves it there.
        scratch = Path(folder) / path.name
        with zipfile.ZipFile(scratch, "w", zipfile.ZIP_STORED) as archive:
            for name, data in files:
                archive.writestr(_entry(name), data)
        scratch.replace(path)
    return len(files)


def _files(package: str) -> Iterator[tuple[str, bytes]]:
    module = import_module(package)
    for root in map(Path, module.__path__):
        if not root.is_dir():
            raise ModuleNotFoundError(f"{package} is itself in an archive ({root}): use that one", name=package)
        for file in root.rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc":
                yield f"{package}/{file.relative_to(root).as_posix()}", file.read_bytes()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _TIME)
    entry.create_system = _UNIX
    entry.external_attr = _MODE << 16
    return entry
