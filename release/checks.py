"""Checks of built distributions: metadata, platform tags, licences, digests."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

DIGESTS: Final = "SHA256SUMS"
_MUSL: Final = frozenset({"libc.so"})
"""A library that a wheel for musl may need: musl's own name. auditwheel only has the name of the file in Alpine."""


class CheckError(Exception):
    """A distribution can't be published."""


def check(folder: Path) -> None:
    """Checks every distribution of a folder. Raises ``CheckError``."""
    files = distributions(folder)
    if not files:
        raise CheckError(f"{folder} has no distributions")
    _run([sys.executable, "-m", "twine", "--no-color", "check", "--strict", *map(str, files)])
    for file in files:
        if not any(name.endswith("/LICENSE") for name in _names(file)):
            raise CheckError(f"{file.name} has no LICENSE")
        if "linux" in file.name:
            _check_linux(file)


def distributions(folder: Path) -> list[Path]:
    """The wheels and sdists of a folder, by name."""
    return sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])


def write_digests(folder: Path) -> Path:
    """Writes ``SHA256SUMS`` over all other files of a folder, as ``sha256sum --check`` reads it."""
    files = sorted(path for path in folder.iterdir() if path.name != DIGESTS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    target = folder / DIGESTS
    target.write_text("".join(lines), encoding="utf-8", newline="\n")
    return target


def listed(folder: Path) -> set[str]:
    """The names in a folder's ``SHA256SUMS``, and its own; empty without that file."""
    target = folder / DIGESTS
    if not target.exists():
        return set()
    return {DIGESTS, *(line.split("  ", 1)[1] for line in target.read_text(encoding="utf-8").splitlines())}


def _names(file: Path) -> Sequence[str]:
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            return wheel.namelist()
    with tarfile.open(file) as archive:
        return archive.getnames()


def _check_linux(wheel: Path) -> None:
    report: dict[str, Any] = json.loads(_run([sys.executable, "-m", "auditwheel", "show", "--json", str(wheel)]))
    if "musllinux" in wheel.name:
        foreign = set(report["external_libs"]) - _MUSL
        if foreign:
            raise CheckError(f"{wheel.name} needs libraries that musllinux does not have: {', '.join(sorted(foreign))}")
    elif report["overall_tag"] not in wheel.name:
        raise CheckError(f"{wheel.name} only works on {report['overall_tag']}")


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CheckError(f"{' '.join(command[2:5])} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
