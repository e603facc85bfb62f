"""Checks built distributions and libraries: metadata, platform tags, licences and required libraries."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from release.dist_folder import distributions

_MUSL: Final = frozenset({"libc.so"})
"""The library that a wheel for musl may require, under musl's own name. Auditwheel allows only its name in Alpine."""
_OF_GLIBC: Final = re.compile(r"(?:lib(?:c|m|dl|pthread|rt)\.so\.\d|ld-linux-[\w-]+\.so\.\d)")
_COMPILER_RUNTIME: Final = "libgcc_s.so.1"
"""A library that every system with glibc has, because C++ and the JVM need it."""
_NEEDED: Final = re.compile(r"\(NEEDED\).*\[(.+)\]")
_GLIBC_VERSION: Final = re.compile(r"Name: GLIBC_(\d+(?:\.\d+)+)")


class CheckError(Exception):
    """Raised if a distribution can't be published."""


def check(folder: Path) -> None:
    """Check every distribution of a folder. Raises ``CheckError``."""
    files = distributions(folder)
    if not files:
        raise CheckError(f"{folder} has no distributions")
    _run([sys.executable, "-m", "twine", "--no-color", "check", "--strict", *map(str, files)])
    for file in files:
        if not any(name.endswith("/LICENSE") for name in _names(file)):
            raise CheckError(f"{file.name} has no LICENSE")
        if "linux" in file.name:
            _check_linux(file)


def check_library(file: Path, glibc: str) -> None:
    """Check that a library for Linux needs only glibc, in version ``glibc`` or an older one. Raises ``CheckError``."""
    described = _run(["readelf", "--wide", "--dynamic", "--version-info", str(file)])
    foreign = [
        name for name in _NEEDED.findall(described) if name != _COMPILER_RUNTIME and not _OF_GLIBC.fullmatch(name)
    ]
    if foreign:
        raise CheckError(f"{file.name} needs libraries that are not part of glibc: {', '.join(sorted(foreign))}")
    versions = _GLIBC_VERSION.findall(described)
    if not versions:
        raise CheckError(f"{file.name} has no versions of glibc, so it is not clear which one it needs")
    newest = max(versions, key=_as_numbers)
    if _as_numbers(newest) > _as_numbers(glibc):
        raise CheckError(f"{file.name} needs glibc {newest}, expected {glibc} or older")


def _as_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


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
    is_module = command[1] == "-m"
    name = " ".join(command[2:5] if is_module else command[:1])
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CheckError(f"{name} is not on the PATH") from None
    if done.returncode:
        raise CheckError(f"{name} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
