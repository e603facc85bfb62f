"""The crates that are linked into a native library."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from release.build import BuildError
from release.targets import Target


@dataclass(frozen=True, slots=True, order=True)
class Crate:
    """A crate from a registry: its licence is an SPDX expression, its folder contains the sources."""

    name: str
    version: str
    licence: str
    folder: Path


def linked_crates(manifest: Path, target: Target | None = None) -> list[Crate]:
    """Return the foreign crates in the library of a manifest, for one target or all, without macros and build tools.

    Raises ``BuildError`` with Cargo's error.
    """
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", str(manifest)]
    if target:
        command += ["--filter-platform", target.triple]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"cargo metadata failed: {done.stderr}")
    metadata: dict[str, Any] = json.loads(done.stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    linked = (packages[name] for name in _linked(metadata["resolve"], packages))
    return sorted(
        Crate(package["name"], package["version"], package["license"], Path(package["manifest_path"]).parent)
        for package in linked
        if package["source"]
    )


def _linked(resolve: Mapping[str, Any], packages: Mapping[str, Any]) -> set[str]:
    """Return the ids of the packages in the library."""
    needs = {
        node["id"]: [one["pkg"] for one in node["deps"] if any(kind["kind"] is None for kind in one["dep_kinds"])]
        for node in resolve["nodes"]
    }
    found: set[str] = set()
    waiting = [resolve["root"]]
    while waiting:
        package = waiting.pop()
        if package not in found and not _is_macro(packages[package]):
            found.add(package)
            waiting += needs[package]
    return found


def _is_macro(package: Mapping[str, Any]) -> bool:
    """Whether a package is a procedural macro, which the compiler runs."""
    return any("proc-macro" in target["kind"] for target in package["targets"])
